import type { SessionStore } from '@minne/core';
import { expect, vi } from 'vitest';
import { compareTimes, isUtcTime } from '../../shared/times.js';
import { idsUpTo, list, listIds, read, sessionOf } from '../sample-sessions.js';
import type { SessionStoreCase } from '../session-store-case.js';

/** Times, and the order of lists. */
export const orderCases: readonly SessionStoreCase[] = [
  {
    name: 'moves updatedAt forward with every write, when the clock stands still or goes back, too',
    async run(context) {
      const store = await context.open();
      await expectAdvancing(store, Array<number>(5).fill(0));
      await expectAdvancing(store, [0, -60_000, -30_000, 1, 0]);
    },
  },
  {
    name: 'lists the most recently written first, of those written in one millisecond, too',
    async run(context) {
      const store = await context.open();
      await atTime(Date.now(), async () => {
        for (const id of ['b', 'a', 'd', 'c']) await store.set(sessionOf(id));
        expect(await listIds(store)).toEqual(['c', 'd', 'a', 'b']);
        await store.set(sessionOf('a'));
        await store.set(sessionOf('d'), { version: (await read(store, 'd')).version });
        expect(await listIds(store)).toEqual(['d', 'a', 'c', 'b']);
        await store.delete('c');
        await store.set(sessionOf('c'));
        expect(await listIds(store)).toEqual(['c', 'd', 'a', 'b']);
      });
    },
  },
  {
    name: 'lists times that never rise from one session to the next',
    async run(context) {
      const store = await context.open();
      const now = Date.now();
      for (const [index, id] of [...idsUpTo(10), ...idsUpTo(5)].entries()) {
        await atTime(now + index * 10, () => store.set(sessionOf(id)));
      }
      const times = (await list(store)).map(({ updatedAt }) => updatedAt);
      expect(times.length).toBe(10);
      for (const [index, time] of times.entries()) {
        expect(compareTimes(time, times[index + 1] ?? time)).toBeGreaterThanOrEqual(0);
      }
    },
  },
  {
    name: 'lists each session as the write gave it and as it is read',
    async run(context) {
      const store = await context.open();
      const first = await store.set(sessionOf('first', {}, 'kim'));
      const second = await store.set(sessionOf('second', {}));
      expect(await list(store)).toEqual([second, first]);
      for (const { sessionId, actorId, version, updatedAt } of await list(store)) {
        const session = sessionOf(sessionId, {}, actorId);
        expect(await store.get(sessionId)).toEqual({ session, version, updatedAt });
      }
    },
  },
  {
    name: 'lists every one of many sessions once, while others are written',
    async run(context) {
      const store = await context.open();
      const ids = idsUpTo(130);
      for (const id of ids) await store.set(sessionOf(id, {}, 'kim'));
      const seen: string[] = [];
      for await (const { sessionId } of store.list({ actorId: 'kim' })) {
        seen.push(sessionId);
        if (seen.length % 30 === 0) await store.set(sessionOf(`other${seen.length}`));
        // The oldest, which was not listed yet, becomes the newest.
        if (seen.length === 25) await store.set(sessionOf('session1', {}, 'kim'));
      }
      expect(seen.toSorted()).toEqual(ids.toSorted());
      expect((await list(store)).length).toBe(134);
    },
  },
];

/** Writes once at each time, given in milliseconds from now, and expects times that count up. */
async function expectAdvancing(store: SessionStore, times: readonly number[]): Promise<void> {
  const now = Date.now();
  let last = (await store.get('session'))?.updatedAt;
  for (const time of times) {
    const { updatedAt } = await atTime(now + time, () => store.set(sessionOf('session')));
    expect(isUtcTime(updatedAt), `${updatedAt} is a time in UTC`).toBe(true);
    if (last !== undefined) {
      expect(compareTimes(updatedAt, last), `${updatedAt} is after ${last}`).toBeGreaterThan(0);
    }
    expect((await read(store)).updatedAt).toBe(updatedAt);
    last = updatedAt;
  }
}

/** Works while the clock of this process stands still. A store whose server tells the time goes by that. */
async function atTime<T>(now: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

import type { SessionStore } from '@minne/core';
import { hasErrorCode } from '@minne/core';
import { expect } from 'vitest';
import { countIn, countOf, idsUpTo, increment, list, read, sessionOf } from '../sample-sessions.js';
import type { SessionStoreCase } from '../session-store-case.js';

const writerCount = 8;
const incrementsPerWriter = 5;

/** Many at once. */
export const concurrencyCases: readonly SessionStoreCase[] = [
  {
    name: 'lets one of several writers win that write under one version at once',
    async run(context) {
      await expectOneWinner([await context.open()]);
    },
  },
  {
    name: 'lets one of several stores win that write under one version at once',
    needs: ['durable'],
    async run(context) {
      await expectOneWinner([await context.open(), await context.open(), await context.open()]);
    },
  },
  {
    name: 'loses none of many increments that are made at once',
    async run(context) {
      await expectEveryIncrement([await context.open()]);
    },
  },
  {
    name: 'loses none of many increments that are made through several stores at once',
    needs: ['durable'],
    async run(context) {
      const stores = Array.from({ length: 4 }, () => context.open());
      await expectEveryIncrement(await Promise.all(stores));
    },
  },
  {
    name: 'keeps one of the writes whole that are made at once without a version',
    async run(context) {
      const store = await context.open();
      const writes = Array.from({ length: writerCount }, (_, writer) =>
        store.set(countOf(writer + 1)),
      );
      const written = await Promise.all(writes);
      expect(new Set(written.map(({ version }) => version)).size).toBe(writerCount);
      const stored = await read(store);
      const index = written.findIndex(({ version }) => version === stored.version);
      expect(stored.session).toEqual(countOf(index + 1));
      expect((await list(store)).length).toBe(1);
    },
  },
  {
    name: 'says of one of several deletions that there was a session',
    async run(context) {
      const store = await context.open();
      await store.set(sessionOf('session'));
      const deletions = Array.from({ length: writerCount }, () => store.delete('session'));
      expect((await Promise.all(deletions)).filter(Boolean)).toEqual([true]);
      expect(await store.get('session')).toBeUndefined();
    },
  },
  {
    name: 'keeps sessions apart that are written at once',
    async run(context) {
      const store = await context.open();
      const ids = idsUpTo(20);
      await Promise.all(
        ids.map(async (id) => {
          const { version } = await store.set(sessionOf(id, { turn: { of: id } }));
          await store.set(sessionOf(id, { turn: { of: id, second: true } }, id), { version });
        }),
      );
      for (const id of ids) {
        const expected = sessionOf(id, { turn: { of: id, second: true } }, id);
        expect((await read(store, id)).session).toEqual(expected);
      }
      expect((await list(store)).length).toBe(20);
    },
  },
];

/** Every store writes several times under one version; first with a session that is there, then with none. */
async function expectOneWinner(stores: readonly SessionStore[]): Promise<void> {
  const [first] = stores;
  if (first === undefined) expect.fail('There is no store.');
  for (let round = 0; round < 5; round++) {
    const before = await first.get('session');
    const version = before?.version ?? null;
    const writers = Array.from({ length: writerCount }, (_, writer) => writer + 1);
    const outcomes = await Promise.allSettled(
      writers.map((writer) =>
        (stores[writer % stores.length] ?? first).set(countOf(writer), { version }),
      ),
    );
    const won = writers.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    expect(won.length, `writers that won under ${version}`).toBe(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      expect(hasErrorCode(outcome.reason, 'conflict'), `lost with ${outcome.reason}`).toBe(true);
    }
    expect(countIn(await first.get('session'))).toBe(won[0]);
    if (round === 2) await first.delete('session');
  }
}

async function expectEveryIncrement(stores: readonly SessionStore[]): Promise<void> {
  const total = writerCount * incrementsPerWriter;
  await Promise.all(
    Array.from({ length: writerCount }, async (_, writer) => {
      const store = stores[writer % stores.length];
      if (store === undefined) expect.fail('There is no store.');
      for (let turn = 0; turn < incrementsPerWriter; turn++) await increment(store, total + 1);
    }),
  );
  for (const store of stores) expect(countIn(await store.get('session'))).toBe(total);
}

import type { StoredSession } from '@minne/core';
import { expect } from 'vitest';
import { settle } from '../../shared/outcomes.js';
import { list, read, sessionOf } from '../sample-sessions.js';
import type { SessionStoreCase } from '../session-store-case.js';

/** Writing, reading and forgetting. */
export const writingCases: readonly SessionStoreCase[] = [
  {
    name: 'names the version of the contract it keeps',
    async run(context) {
      expect((await context.open()).specificationVersion).toBe('v1');
    },
  },
  {
    name: 'gives back the session that was written, under the version and time it was written with',
    async run(context) {
      const store = await context.open();
      const session = sessionOf('session', { notes: { items: [1, { a: null }] } }, 'kim');
      const { version, updatedAt, ...rest } = await store.set(session);
      expect(rest).toEqual({ sessionId: 'session', actorId: 'kim' });
      expect(typeof version).toBe('string');
      const stored: StoredSession = { session, version, updatedAt };
      expect(await store.get('session')).toEqual(stored);
      expect(await store.get('session'), 'reading changes nothing').toEqual(stored);
    },
  },
  {
    name: 'has nothing, and no error, for a session that was never written',
    async run(context) {
      const store = await context.open();
      expect(await store.get('session')).toBeUndefined();
      expect(await store.delete('session')).toBe(false);
      expect(await list(store)).toEqual([]);
      expect(await list(store, { actorId: 'kim' })).toEqual([]);
      await store.set(sessionOf('another'));
      expect(await store.get('session')).toBeUndefined();
    },
  },
  {
    name: 'replaces a session whole, leaving nothing of what was there',
    async run(context) {
      const store = await context.open();
      await store.set({ ...sessionOf('session', { a: { x: 1, y: 2 }, b: {} }), custom: true });
      const second = sessionOf('session', { a: { x: 3 } });
      await store.set(second);
      expect((await read(store)).session).toStrictEqual(second);
      expect((await list(store)).length).toBe(1);
    },
  },
  {
    name: 'forgets a deleted session and no other, and says whether there was one',
    async run(context) {
      const store = await context.open();
      const ids = ['session', 'session2', 'sess', 'session*'];
      for (const id of ids) await store.set(sessionOf(id));
      expect(await store.delete('session')).toBe(true);
      expect(await store.get('session')).toBeUndefined();
      expect(await store.delete('session')).toBe(false);
      expect(await store.delete('session*')).toBe(true);
      const left = (await list(store)).map(({ sessionId }) => sessionId);
      expect(left).toEqual(['sess', 'session2']);
      expect((await read(store, 'session2')).session).toEqual(sessionOf('session2'));
    },
  },
  {
    name: 'does nothing when the signal has aborted, and gives its reason',
    async run(context) {
      const store = await context.open();
      await store.set(sessionOf('session'));
      const before = await read(store);
      const reason = new Error('stopped by the caller');
      const signal = AbortSignal.abort(reason);
      const calls: Readonly<Record<string, () => Promise<unknown>>> = {
        get: () => store.get('session', { signal }),
        set: () => store.set(sessionOf('session', { other: {} }), { signal }),
        'set of a new one': () => store.set(sessionOf('new'), { signal, version: null }),
        delete: () => store.delete('session', { signal }),
        list: () => Array.fromAsync(store.list({}, { signal })),
      };
      for (const [name, call] of Object.entries(calls)) {
        expect(await settle(call()), name).toEqual({ status: 'rejected', reason });
      }
      expect(await read(store)).toEqual(before);
      expect((await list(store)).length).toBe(1);
    },
  },
];

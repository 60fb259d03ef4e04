import { expect } from 'vitest';
import { expectRefused } from '../../shared/outcomes.js';
import { countIn, countOf, list, listIds, read, sessionOf } from '../sample-sessions.js';
import type { SessionStoreCase } from '../session-store-case.js';

/** Coming back, and going on past damage. */
export const durabilityCases: readonly SessionStoreCase[] = [
  {
    name: 'finds everything again that was acknowledged before it was opened anew',
    needs: ['durable'],
    async run(context) {
      const first = await context.open();
      await first.set(countOf(1));
      await first.set(sessionOf('another', {}, 'kim'));
      await first.set(sessionOf('gone'));
      await first.delete('gone');
      const { version } = await first.set(countOf(2));
      const [stored, listed] = [await read(first), await list(first)];
      const second = await context.reopen();
      expect(await read(second)).toEqual(stored);
      expect(await list(second)).toEqual(listed);
      expect(await listIds(second, { actorId: 'kim' })).toEqual(['another']);
      expect(await second.get('gone')).toBeUndefined();
      await second.set(countOf(3), { version });
      await expectRefused(second.set(countOf(4), { version }), 'conflict');
      expect(countIn(await second.get('session'))).toBe(3);
    },
  },
  {
    name: 'sees at once what another store has written or deleted',
    needs: ['durable'],
    async run(context) {
      const [one, other] = [await context.open(), await context.open()];
      for (let turn = 1; turn < 5; turn++) {
        const { version } = await one.set(countOf(turn));
        expect(countIn(await other.get('session'))).toBe(turn);
        expect((await list(other)).map((listing) => listing.version)).toEqual([version]);
      }
      expect(await other.delete('session')).toBe(true);
      expect(await one.get('session')).toBeUndefined();
      expect(await list(one)).toEqual([]);
    },
  },
  {
    name: 'sets a damaged session aside, keeps the others, and takes the session up anew',
    needs: ['damage'],
    async run(context) {
      const store = await context.open();
      const other = await store.set(sessionOf('another', {}, 'kim'));
      const { version } = await store.set(sessionOf('session', { notes: {} }, 'kim'));
      await context.damage('session');
      expect(await store.get('session')).toBeUndefined();
      expect(await store.get('session'), 'read again').toBeUndefined();
      expect(await list(store)).toEqual([other]);
      expect(await listIds(store, { actorId: 'kim' })).toEqual(['another']);
      await expectRefused(store.set(countOf(1), { version }), 'conflict');
      await store.set(countOf(2), { version: null });
      expect(countIn(await store.get('session'))).toBe(2);
      expect((await read(store, 'another')).session).toEqual(sessionOf('another', {}, 'kim'));
      expect(await store.delete('session')).toBe(true);
      expect(await store.get('session')).toBeUndefined();
    },
  },
];

import { expect } from 'vitest';
import { expectRefused } from '../../shared/outcomes.js';
import { list, listIds, sessionOf } from '../sample-sessions.js';
import type { SessionStoreCase } from '../session-store-case.js';

/** Whose sessions. */
export const actorCases: readonly SessionStoreCase[] = [
  {
    name: 'lists the sessions of one actor, most recently written first',
    async run(context) {
      const store = await context.open();
      await store.set(sessionOf('1', {}, 'kim'));
      await store.set(sessionOf('2', {}, 'lee'));
      await store.set(sessionOf('3'));
      await store.set(sessionOf('4', {}, 'kim'));
      await store.set(sessionOf('1', {}, 'kim'));
      expect(await listIds(store, { actorId: 'kim' })).toEqual(['1', '4']);
      expect(await listIds(store, { actorId: 'lee' })).toEqual(['2']);
      expect(await listIds(store, {})).toEqual(['1', '4', '3', '2']);
      for (const { actorId } of await list(store, { actorId: 'kim' })) expect(actorId).toBe('kim');
    },
  },
  {
    name: 'takes the actor letter by letter, patterns, prefixes and forms included',
    async run(context) {
      const store = await context.open();
      const actors = [
        'kim_a',
        'kim-a',
        'kimXa',
        'kim%',
        'kim',
        'Kim',
        'k*',
        'é',
        'e\u0301',
        ' kim',
      ];
      for (const actor of actors) await store.set(sessionOf(`of ${actor}`, {}, actor));
      for (const actor of actors) {
        expect(await listIds(store, { actorId: actor }), actor).toEqual([`of ${actor}`]);
      }
      expect(await listIds(store, { actorId: 'ki' })).toEqual([]);
    },
  },
  {
    name: 'lists a session under the actor of its latest write only',
    async run(context) {
      const store = await context.open();
      await store.set(sessionOf('session', {}, 'kim'));
      await store.set(sessionOf('session', {}, 'lee'));
      expect(await listIds(store, { actorId: 'kim' })).toEqual([]);
      expect(await listIds(store, { actorId: 'lee' })).toEqual(['session']);
      await store.set(sessionOf('session'));
      expect(await listIds(store, { actorId: 'lee' })).toEqual([]);
      expect(await list(store)).toEqual([expect.not.objectContaining({ actorId: 'lee' })]);
    },
  },
  {
    name: 'refuses an actor that is empty or no valid text, instead of listing all',
    async run(context) {
      const store = await context.open();
      await store.set(sessionOf('session', {}, 'kim'));
      for (const actorId of ['', 'kim\ud800', 'kim\0']) {
        await expectRefused(list(store, { actorId }), 'invalid_input', JSON.stringify(actorId));
      }
    },
  },
];

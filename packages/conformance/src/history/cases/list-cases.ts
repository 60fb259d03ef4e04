import type { HistoryListing } from '@minne/core';
import { expect } from 'vitest';
import { expectRefused } from '../../shared/outcomes.js';
import type { HistoryBackendCase } from '../history-backend-case.js';
import { idsUpTo, keyOf, recordsOf } from '../sample-records.js';

const needs = ['list'] as const;

/** The histories of an actor. */
export const listCases: readonly HistoryBackendCase[] = [
  {
    name: 'lists the histories of an actor, most recently written first',
    needs,
    async run(context) {
      const history = await context.open();
      for (const session of ['s1', 's2', 's3']) {
        await history.append({ ...keyOf(session), actorId: 'kim' }, recordsOf('m1'));
      }
      await history.append({ ...keyOf('s1'), actorId: 'kim' }, recordsOf('m2'));
      await history.append({ ...keyOf('s4'), actorId: 'lee' }, recordsOf('m1'));
      await history.append(keyOf('s5'), recordsOf('m1'));
      const listings = await history.list({ actorId: 'kim' });
      expect(sessionsIn(listings)).toEqual(['s1', 's3', 's2']);
      for (const { key, updatedAt } of listings) {
        expect(key).toEqual({ ...keyOf(key.sessionId), actorId: 'kim' });
        expect(updatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      }
    },
  },
  {
    name: 'lists each source of a session, and no history that was cleared',
    needs,
    async run(context) {
      const history = await context.open();
      const [main, audit] = [keyOf('s', 'main'), keyOf('s', 'audit')];
      await history.append({ ...main, actorId: 'kim' }, recordsOf('m1'));
      await history.append({ ...audit, actorId: 'kim' }, recordsOf('m1'));
      const sources = (await history.list({ actorId: 'kim' })).map(({ key }) => key.sourceId);
      expect(sources).toEqual(['audit', 'main']);
      await history.clear(audit);
      const left = (await history.list({ actorId: 'kim' })).map(({ key }) => key.sourceId);
      expect(left).toEqual(['main']);
    },
  },
  {
    name: 'takes the actor letter by letter, patterns and prefixes included',
    needs,
    async run(context) {
      const history = await context.open();
      const actors = ['kim', 'kim_a', 'kim-a', 'kimXa', 'kim%', 'kim*', 'Kim', '__proto__', 'k:m'];
      for (const actorId of actors) {
        await history.append({ ...keyOf(`of ${actorId}`), actorId }, recordsOf('m1'));
      }
      for (const actorId of actors) {
        expect(sessionsIn(await history.list({ actorId }))).toEqual([`of ${actorId}`]);
      }
      expect(await history.list({ actorId: 'nobody' })).toEqual([]);
      await expectRefused(history.list({ actorId: '' }), 'invalid_input');
    },
  },
  {
    name: 'keeps the actor of a history when a later append names none',
    needs,
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf('m1'));
      expect(await history.list({ actorId: 'kim' })).toEqual([]);
      await history.append({ ...keyOf(), actorId: 'kim' }, recordsOf('m2'));
      await history.append(keyOf(), recordsOf('m3'));
      expect(sessionsIn(await history.list({ actorId: 'kim' }))).toEqual(['session']);
    },
  },
  {
    name: 'lists a history once, in the place of its last write, however often it was written',
    needs,
    async run(context) {
      const history = await context.open();
      const append = (session: string, actorId: string, id: string) =>
        history.append({ ...keyOf(session), actorId }, recordsOf(id));
      for (const turn of idsUpTo(3, 'turn')) {
        for (const session of ['s1', 's2', 's3', 's4']) await append(session, 'kim', turn);
        for (const session of ['s3', 's1']) await append(session, 'kim', `${turn} again`);
        expect(sessionsIn(await history.list({ actorId: 'kim' }))).toEqual([
          's1',
          's3',
          's4',
          's2',
        ]);
      }
      // Who is named last has it, and those before do not.
      await append('s3', 'lee', 'm1');
      expect(sessionsIn(await history.list({ actorId: 'kim' }))).toEqual(['s1', 's4', 's2']);
      expect(sessionsIn(await history.list({ actorId: 'lee' }))).toEqual(['s3']);
    },
  },
  {
    name: 'lists every one of many histories once',
    needs,
    async run(context) {
      const history = await context.open();
      const sessions = idsUpTo(250, 's');
      for (const session of sessions) {
        await history.append({ ...keyOf(session), actorId: 'kim' }, recordsOf('m1'));
      }
      expect(sessionsIn(await history.list({ actorId: 'kim' }))).toEqual(sessions.reverse());
    },
  },
];

function sessionsIn(listings: readonly HistoryListing[]): string[] {
  return listings.map(({ key }) => key.sessionId);
}

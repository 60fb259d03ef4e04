import type { HistoryKey, NewHistoryRecord } from '@minne/core';
import { expect } from 'vitest';
import { expectRefused, settle } from '../../shared/outcomes.js';
import type { HistoryBackendCase } from '../history-backend-case.js';
import type { OpenedHistory } from '../history-test-context.js';
import { idsIn, idsUpTo, keyOf, recordsOf } from '../sample-records.js';

const needs = ['erase'] as const;

/** Actors that have been taken for one another. */
const confusableActors: readonly string[] = [
  'kim',
  'kim*',
  'k?m',
  '[k]im',
  'kim%',
  'k_m',
  'kim:',
  'kim:history',
  '{kim}',
  'Kim',
  'kim ',
  'kimberly',
  'k\u0131m',
  '__proto__',
];

/** Forgetting everything of an actor. */
export const eraseCases: readonly HistoryBackendCase[] = [
  {
    name: 'erases every one of many histories of an actor, and says how many there were',
    needs,
    async run(context) {
      const history = await context.open();
      const keys = idsUpTo(125, 's').flatMap((session) => [
        { ...keyOf(session, 'main'), actorId: 'kim' },
        { ...keyOf(session, 'audit'), actorId: 'kim' },
      ]);
      const others = [keyOf('of nobody'), { ...keyOf('of lee'), actorId: 'lee' }];
      await appendToEach(history, [...keys, ...others], recordsOf('m1', 'm2'));
      expect(await history.eraseActor('kim')).toBe(keys.length);
      for (const key of keys) await expectForgotten(history, key);
      for (const key of others) {
        expect(idsIn(await history.load(key)), key.sessionId).toEqual(['m1', 'm2']);
      }
      expect(await history.eraseActor('kim'), 'nothing is left to erase').toBe(0);
      const [key = keyOf()] = keys;
      expect((await history.append(key, recordsOf('m1'))).duplicates).toEqual([]);
      expect(idsIn(await history.load(key))).toEqual(['m1']);
    },
  },
  {
    name: 'lists nothing of an actor who was erased',
    needs: ['erase', 'list'],
    async run(context) {
      const history = await context.open();
      for (const actorId of ['kim', 'lee']) {
        await history.append({ ...keyOf(`of ${actorId}`), actorId }, recordsOf('m1'));
        await history.append({ ...keyOf(`more of ${actorId}`), actorId }, recordsOf('m1'));
      }
      await history.eraseActor('kim');
      expect(await history.list({ actorId: 'kim' })).toEqual([]);
      expect((await history.list({ actorId: 'lee' })).length).toBe(2);
      await history.append({ ...keyOf('of kim'), actorId: 'kim' }, recordsOf('m1'));
      const listed = await history.list({ actorId: 'kim' });
      expect(listed.map(({ key }) => key.sessionId)).toEqual(['of kim']);
    },
  },
  {
    name: 'erases the named actor letter by letter, patterns and prefixes included',
    needs,
    async run(context) {
      const history = await context.open();
      const left = new Set(confusableActors);
      for (const actorId of left) {
        await history.append({ ...keyOf(`of ${actorId}`), actorId }, recordsOf('m1'));
      }
      for (const erased of ['kim*', 'k?m', '[k]im', 'kim%', 'k_m', 'kim:', 'kim', 'nobody']) {
        expect(await history.eraseActor(erased), erased).toBe(left.delete(erased) ? 1 : 0);
        for (const actorId of confusableActors) {
          const ids = idsIn(await history.load(keyOf(`of ${actorId}`)));
          expect(ids, `of ${actorId} after ${erased} was erased`).toEqual(
            left.has(actorId) ? ['m1'] : [],
          );
        }
      }
    },
  },
  {
    name: 'erases a history with the actor who was named last, and with no other',
    needs,
    async run(context) {
      const history = await context.open();
      await history.append({ ...keyOf(), actorId: 'kim' }, recordsOf('m1'));
      await history.append({ ...keyOf(), actorId: 'lee' }, recordsOf('m2'));
      await history.append(keyOf(), recordsOf('m3'));
      expect(await history.eraseActor('kim')).toBe(0);
      expect(idsIn(await history.load(keyOf()))).toEqual(['m1', 'm2', 'm3']);
      expect(await history.eraseActor('lee')).toBe(1);
      await expectForgotten(history, keyOf());
    },
  },
  {
    name: 'erases a history with the actor whom a replacement named',
    needs: ['erase', 'replace'],
    async run(context) {
      const history = await context.open();
      const { version } = await history.append({ ...keyOf(), actorId: 'kim' }, recordsOf('m1'));
      await history.replace({ ...keyOf(), actorId: 'lee' }, recordsOf('m2'), { version });
      expect(await history.eraseActor('kim')).toBe(0);
      expect(await history.eraseActor('lee')).toBe(1);
      await expectForgotten(history, keyOf());
    },
  },
  {
    name: 'refuses a version from before the history was erased',
    needs: ['erase', 'replace'],
    async run(context) {
      const history = await context.open();
      const key = { ...keyOf(), actorId: 'kim' };
      const { version } = await history.append(key, recordsOf('m1'));
      await history.eraseActor('kim');
      await expectRefused(history.replace(key, recordsOf('late'), { version }), 'conflict');
      await history.append(key, recordsOf('m1'));
      await expectRefused(history.replace(key, recordsOf('late'), { version }), 'conflict');
      expect(idsIn(await history.load(key))).toEqual(['m1']);
    },
  },
  {
    name: 'leaves no history in part that is written while its actor is erased',
    needs,
    async run(context) {
      const history = await context.open();
      const keys = idsUpTo(20, 's').map((session) => ({ ...keyOf(session), actorId: 'kim' }));
      const others = idsUpTo(5, 'of lee').map((session) => ({ ...keyOf(session), actorId: 'lee' }));
      await appendToEach(history, [...keys, ...others], recordsOf('m1'));
      await Promise.all([
        appendToEach(history, keys.slice(0, 10), recordsOf('m2', 'm3')),
        history.eraseActor('kim'),
        appendToEach(history, keys.slice(10), recordsOf('m2', 'm3')),
        appendToEach(history, others, recordsOf('m2', 'm3')),
      ]);
      for (const key of keys) {
        const loaded = await history.load(key, { ids: ['m1', 'm2', 'm3'] });
        const ids = idsIn(loaded);
        expect(['', 'm2,m3', 'm1,m2,m3'], `${key.sessionId} is whole`).toContain(ids.join());
        expect([...loaded.knownIds].sort(), 'just what is there is known').toEqual(ids);
      }
      for (const key of others) {
        expect(idsIn(await history.load(key))).toEqual(['m1', 'm2', 'm3']);
      }
      await history.eraseActor('kim');
      for (const key of keys) await expectForgotten(history, key);
    },
  },
  {
    name: 'refuses to erase what is no actor, and does not erase when the signal has aborted',
    needs,
    async run(context) {
      const history = await context.open();
      await history.append({ ...keyOf(), actorId: 'kim' }, recordsOf('m1'));
      for (const wrong of ['', 'a\0b', '\ud800', 'x'.repeat(257)]) {
        await expectRefused(history.eraseActor(wrong), 'invalid_input', JSON.stringify(wrong));
      }
      const reason = new Error('stopped by the caller');
      const outcome = await settle(
        history.eraseActor('kim', { signal: AbortSignal.abort(reason) }),
      );
      expect(outcome).toEqual({ status: 'rejected', reason });
      expect(idsIn(await history.load(keyOf()))).toEqual(['m1']);
    },
  },
];

/** Appends the same records to every history, all at once. */
async function appendToEach(
  history: OpenedHistory,
  keys: readonly HistoryKey[],
  records: readonly NewHistoryRecord[],
): Promise<void> {
  await Promise.all(keys.map((key) => history.append(key, records)));
}

async function expectForgotten(history: OpenedHistory, key: HistoryKey): Promise<void> {
  const { records, knownIds, damaged } = await history.load(key, { ids: ['m1', 'm2', 'm3'] });
  const left = { records, knownIds, damaged };
  expect(left, `what is left of ${key.sessionId}`).toEqual({
    records: [],
    knownIds: [],
    damaged: [],
  });
}

import type { HistoryKey } from '@minne/core';
import { expect } from 'vitest';
import { expectRefused } from '../../shared/outcomes.js';
import type { HistoryBackendCase } from '../history-backend-case.js';
import type { OpenedHistory } from '../history-test-context.js';
import { idsIn, idsUpTo, keyOf, recordOf, recordsOf } from '../sample-records.js';

/** Parts of keys that have been run together, cut off or taken for patterns somewhere. */
const confusablePairs: readonly (readonly [string, string])[] = [
  ['a:b', 'c'],
  ['a', 'b:c'],
  ['a::b', 'c'],
  ['a:', 'b:c'],
  ['a%3Ab', 'c'],
  ['a%3ab', 'c'],
  ['a/b', 'c'],
  ['a', 'b/c'],
  ['a|b', 'c'],
  ['a', 'b|c'],
  ['{a}', 'c'],
  ['a', '{c}'],
  ['a\\b', 'c'],
  ['a\\\\b', 'c'],
  ['ab', 'c'],
  ['a', 'bc'],
  ['c', 'ab'],
  ['bc', 'a'],
  ['a\nb', 'c'],
  ['a', 'b\nc'],
];

/** Session ids that have been taken for one another. */
const confusableIds: readonly string[] = [
  'cat',
  'category',
  'cat*',
  'c?t',
  '[c]at',
  'c%t',
  'c_t',
  'Cat',
  ' cat',
  'cat ',
  'cat:meta',
  'cat\\*',
  'caf\u00e9',
  'cafe\u0301',
  '__proto__',
  'constructor',
  "cat'; DROP TABLE x --",
  '1',
  '01',
  '1.0',
  '🐈',
];

/** Telling histories apart, and forgetting one. */
export const keyCases: readonly HistoryBackendCase[] = [
  {
    name: 'never takes one session and source for another pair',
    async run(context) {
      const history = await context.open();
      // Some put the session first, others the source.
      const pairs = confusablePairs.flatMap(([one, other]) => [
        [one, other] as const,
        [other, one] as const,
      ]);
      const different = new Map(pairs.map((pair) => [JSON.stringify(pair), pair]));
      const keys = [...different.values()].map(([sourceId, sessionId]) =>
        keyOf(sessionId, sourceId),
      );
      await expectApart(history, keys);
    },
  },
  {
    name: 'takes session ids letter by letter, patterns and prefixes included',
    async run(context) {
      const history = await context.open();
      await expectApart(
        history,
        confusableIds.map((id) => keyOf(id)),
      );
    },
  },
  {
    name: 'clears the named session and no other',
    async run(context) {
      const history = await context.open();
      const left = new Set(confusableIds);
      for (const id of left) await history.append(keyOf(id), recordsOf('m1', 'm2'));
      for (const cleared of ['cat*', 'c?t', '[c]at', 'c%t', 'cat', 'never written']) {
        await history.clear(keyOf(cleared));
        left.delete(cleared);
        for (const id of confusableIds) {
          const ids = idsIn(await history.load(keyOf(id)));
          const expected = left.has(id) ? ['m1', 'm2'] : [];
          expect(ids, `${id} after ${cleared} was cleared`).toEqual(expected);
        }
      }
    },
  },
  {
    name: 'keeps two sources of one session apart',
    async run(context) {
      const history = await context.open();
      const [main, audit] = [keyOf('s', 'main'), keyOf('s', 'audit')];
      await history.append(main, recordsOf('m1', 'm2'));
      await history.append(audit, recordsOf('m1'));
      expect(idsIn(await history.load(main))).toEqual(['m1', 'm2']);
      await history.clear(audit);
      expect(idsIn(await history.load(main))).toEqual(['m1', 'm2']);
      expect(idsIn(await history.load(audit))).toEqual([]);
    },
  },
  {
    name: 'does not tell a history by its actor',
    async run(context) {
      const history = await context.open();
      await history.append({ ...keyOf(), actorId: 'kim' }, recordsOf('m1'));
      await history.append(keyOf(), recordsOf('m2'));
      expect(idsIn(await history.load({ ...keyOf(), actorId: 'kim' }))).toEqual(['m1', 'm2']);
      await history.clear(keyOf());
      expect(idsIn(await history.load({ ...keyOf(), actorId: 'kim' }))).toEqual([]);
    },
  },
  {
    name: 'forgets messages and ids when cleared, and counts on',
    async run(context) {
      const history = await context.open();
      await history.clear(keyOf());
      await history.append(keyOf(), recordsOf(...idsUpTo(3)));
      const before = await history.load(keyOf());
      await history.clear(keyOf());
      const cleared = await history.load(keyOf(), { ids: idsUpTo(3) });
      expect(cleared.records).toEqual([]);
      expect(cleared.knownIds).toEqual([]);
      const result = await history.append(keyOf(), recordsOf(...idsUpTo(3)));
      expect(result.duplicates).toEqual([]);
      const after = await history.load(keyOf());
      expect(idsIn(after)).toEqual(idsUpTo(3));
      const last = before.records.at(-1)?.sequence ?? 0;
      expect(after.records[0]?.sequence, 'no sequence comes twice').toBeGreaterThan(last);
      expect(after.version, 'no version comes twice').not.toBe(before.version);
    },
  },
  {
    name: 'accepts ids of 256 bytes and tells them apart by the last one',
    async run(context) {
      const history = await context.open();
      const ascii = 'x'.repeat(255);
      const wide = 'é'.repeat(127);
      await expectApart(
        history,
        [`${ascii}1`, `${ascii}2`, `${wide}11`, `${wide}12`].flatMap((id) => [
          keyOf(id),
          keyOf('s', id),
        ]),
      );
    },
  },
  {
    name: 'refuses ids that are empty, too long or no valid text, in every call',
    async run(context) {
      const history = await context.open();
      const wrong = ['', 'a\0b', 'a\ud800', '\udc00a', 'x'.repeat(257), 'é'.repeat(129)];
      for (const id of wrong) {
        for (const key of [keyOf(id), keyOf('s', id), { ...keyOf(), actorId: id }]) {
          await expectRefused(history.append(key, [recordOf('m1')]), 'invalid_input');
          await expectRefused(history.load(key), 'invalid_input');
          await expectRefused(history.clear(key), 'invalid_input');
        }
      }
      expect((await history.load(keyOf())).records).toEqual([]);
    },
  },
];

/** Writes one message of its own into every history and expects to find just that. */
async function expectApart(history: OpenedHistory, keys: readonly HistoryKey[]): Promise<void> {
  for (const [number, key] of keys.entries()) {
    await history.append(key, [recordOf('shared'), recordOf(`only${number}`)]);
  }
  for (const [number, key] of keys.entries()) {
    const ids = idsIn(await history.load(key));
    expect(ids, JSON.stringify(key)).toEqual(['shared', `only${number}`]);
  }
}

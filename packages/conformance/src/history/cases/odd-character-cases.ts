import type { HistoryKey } from '@minne/core';
import { expect } from 'vitest';
import { expectRefused } from '../../shared/outcomes.js';
import type { HistoryBackendCase } from '../history-backend-case.js';
import { idsIn, keyOf, recordOf, recordsOf, withoutSequence } from '../sample-records.js';

/** What has a meaning in a key, a pattern, a path, a statement or a terminal somewhere, or is told apart badly. */
const oddParts: readonly string[] = [
  ...':;,.|!@#$%^&*()[]{}<>?/\\\'"`~-_=+ ',
  '%3A',
  '%25',
  '..',
  '\t',
  '\r\n',
  '\u007f',
  '\u00a0',
  '\u200b',
  '\ufeff',
  '🐈',
  '👩‍👩‍👧',
  'é',
  'e\u0301',
  'ß',
  'ss',
  'İ',
  'i',
  'שלום',
  '\u202e',
  '將棋',
  'ﬁ',
  'fi',
];

/** Ids of 256 bytes that differ in the last of them, in letters of one, two and four bytes. */
const longIds: readonly string[] = ['x', 'é', '🐈'].flatMap((letter) => {
  const width = new TextEncoder().encode(letter).byteLength;
  const count = Math.floor(255 / width);
  const filled = letter.repeat(count) + '-'.repeat(255 - count * width);
  return [`${filled}1`, `${filled}2`];
});

/** Ids with every character that has been trouble, and as long as they may be. */
export const oddCharacterCases: readonly HistoryBackendCase[] = [
  {
    name: 'keeps sessions and sources apart that differ in one odd character',
    async run(context) {
      const history = await context.open();
      const names = oddParts.map((part) => `a${part}b`);
      const keys = names.flatMap((name) => [keyOf(name, 'history'), keyOf('session', name)]);
      const write = (key: HistoryKey) =>
        history.append(key, [recordOf('m'), recordOf(nameOf(key))]);
      await Promise.all(keys.map(write));
      for (const key of keys) {
        expect(idsIn(await history.load(key)), nameOf(key)).toEqual(['m', nameOf(key)]);
      }
    },
  },
  {
    name: 'tells message ids apart that differ in one odd character',
    async run(context) {
      const history = await context.open();
      const records = oddParts.map((part) => recordOf(`a${part}b`, { group: `group ${part}` }));
      expect((await history.append(keyOf(), records)).duplicates).toEqual([]);
      const ids = records.map(({ id }) => id);
      const loaded = await history.load(keyOf(), { ids: [...ids, 'ab', 'aXb'] });
      expect(withoutSequence(loaded)).toEqual(records);
      expect([...loaded.knownIds].sort()).toEqual(ids.toSorted());
    },
  },
  {
    name: 'keeps message ids and groups of 1,024 bytes, and refuses longer ones',
    async run(context) {
      const history = await context.open();
      const longest = ['x'.repeat(1024), 'é'.repeat(512), '🐈'.repeat(256)];
      const records = longest.map((id) => recordOf(id, { group: id }));
      await history.append(keyOf(), records);
      const loaded = await history.load(keyOf(), { ids: longest });
      expect(withoutSequence(loaded)).toEqual(records);
      expect([...loaded.knownIds].sort()).toEqual(longest.toSorted());
      for (const tooLong of ['x'.repeat(1025), `é${'x'.repeat(1023)}`, `x${'🐈'.repeat(256)}`]) {
        await expectRefused(history.append(keyOf(), recordsOf(tooLong)), 'invalid_input');
        const group = recordOf('m1', { group: tooLong });
        await expectRefused(history.append(keyOf(), [group]), 'invalid_input');
      }
      expect(idsIn(await history.load(keyOf()))).toEqual(longest);
    },
  },
  {
    name: 'lists each key as it was written, with odd characters and as long as it may be',
    needs: ['list'],
    async run(context) {
      const history = await context.open();
      const names = [...oddParts.map((part) => `a${part}b`), ...longIds];
      const keys = names.map((name) => ({
        ...keyOf(name, name),
        actorId: name,
      }));
      const written = await Promise.all(
        keys.map((key) => history.append(key, recordsOf('m1')).then(() => key)),
      );
      for (const key of written) {
        const listed = await history.list({ actorId: key.actorId });
        expect(listed.map((listing) => listing.key)).toEqual([key]);
      }
    },
  },
];

function nameOf({ sessionId, sourceId }: HistoryKey): string {
  return JSON.stringify([sourceId, sessionId]);
}

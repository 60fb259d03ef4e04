import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ActorIndex } from '../src/search/actor-index.js';
import { countTerm, packTerms, unpackTerms } from '../src/search/packed-terms.js';
import { decodeSearchRecord, encodeSearchRecord } from '../src/search/search-record.js';
import { analyseDocument, analyseQuery } from '../src/text/analyse.js';
import { testStore } from './engine-fixture.js';

const words = fc.constantFrom(
  ...[
    'apple',
    'Äpfel',
    'can’t',
    '黄山',
    '도서관',
    'mk7-router',
    'getUserName',
    '🙂',
    '[RULE]',
    'the',
    'x',
  ],
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.array(words, { maxLength: 12 }).map((list) => list.join(' ')),
);
const searchable = text.filter((value) => value.isWellFormed());

test('no text is an error for the analysis, and every text is found by each of its words', () => {
  fc.assert(
    fc.property(text, (value) => {
      const { counts } = analyseDocument([value]);
      for (const word of value.split(/\s+/)) {
        for (const term of analyseQuery(word).keys()) expect(counts.has(term), term).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

test('no query is an error for a store, and an entry is found by its own content', async () => {
  const store = await testStore();
  await fc.assert(
    fc.asyncProperty(searchable, async (content) => {
      const { id } = await store.put({ actorId: 'kim', path: '/a', content });
      const query = `${content} ?`;
      const hits = await store.search({ actorId: 'kim', query });
      expect(hits.map(({ memory }) => memory.id)).toEqual(analyseQuery(query).size > 0 ? [id] : []);
    }),
    { numRuns: 300 },
  );
});

test('packed terms are what was packed', () => {
  const term = fc.stringMatching(/^[\p{L}\p{N}[\]]{1,6}$/u);
  const counts = fc.array(fc.tuple(term, fc.integer({ min: 1, max: 100_000 })));
  fc.assert(
    fc.property(counts, term, (pairs, other) => {
      const map = new Map(pairs);
      const packed = packTerms(map);
      expect(new Map(unpackTerms(packed))).toEqual(map);
      for (const [name, count] of map) expect(countTerm(packed, name)).toBe(count);
      expect(countTerm(packed, other)).toBe(map.get(other) ?? 0);
    }),
  );
});

test('an encoded search record is what was encoded', () => {
  const record = fc.record({
    path: fc.constantFrom('/a', '/ö/黄山', `/${'x'.repeat(1000)}`),
    sessionId: fc.option(fc.constantFrom('s', 'ü', ' ')),
    expiresAt: fc.constantFrom(Number.POSITIVE_INFINITY, 0, 1_777_000_000_123),
    revision: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
    length: fc.integer({ min: 0, max: 2 ** 31 }),
    terms: fc.constantFrom('\n', '\na\nb\t12\n', '\n黄山\n'),
  });
  fc.assert(
    fc.property(record, (value) => {
      expect(decodeSearchRecord(encodeSearchRecord(value))).toEqual(value);
    }),
  );
});

test('an index that took over changes one by one ranks exactly like one that is built anew', () => {
  const recordOf = (revision: number, content: string) => {
    const { counts, length } = analyseDocument([content]);
    const terms = packTerms(counts);
    const expiresAt = Number.POSITIVE_INFINITY;
    return encodeSearchRecord({ path: '/a', sessionId: null, expiresAt, revision, length, terms });
  };
  const step = fc.record({
    entryId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    content: fc.option(fc.array(words, { maxLength: 6 }).map((list) => list.join(' '))),
    query: fc.array(words, { minLength: 1, maxLength: 40 }).map((list) => list.join(' ')),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const incremental = new ActorIndex();
      const stored = new Map<string, Uint8Array>();
      for (const [index, { entryId, content, query }] of steps.entries()) {
        const revision = index + 1;
        const changed = content === null ? [] : [{ entryId, record: recordOf(revision, content) }];
        const removed = content === null ? [entryId] : [];
        stored.delete(entryId);
        for (const { record } of changed) stored.set(entryId, record);
        incremental.apply({ revision, complete: false, records: changed, removed });
        const rebuilt = new ActorIndex();
        const records = Array.from(stored, ([id, record]) => ({ entryId: id, record }));
        rebuilt.apply({ revision, complete: true, records, removed: [] });
        const terms = analyseQuery(query);
        expect(incremental.search(terms, {}, 100)).toEqual(rebuilt.search(terms, {}, 100));
      }
    }),
    { numRuns: 200 },
  );
});

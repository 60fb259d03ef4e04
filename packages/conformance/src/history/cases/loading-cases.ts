import { expect } from 'vitest';
import { expectRefused } from '../../shared/outcomes.js';
import type { HistoryBackendCase } from '../history-backend-case.js';
import {
  expectAscending,
  idsIn,
  idsUpTo,
  keyOf,
  recordOf,
  recordsOf,
  withoutSequence,
} from '../sample-records.js';

/** Order, the newest, and pages. */
export const loadingCases: readonly HistoryBackendCase[] = [
  {
    name: 'gives back what was appended, in order and numbered upwards',
    async run(context) {
      const history = await context.open();
      const records = [
        recordOf('m1', { kind: 'system' }),
        recordOf('m2'),
        recordOf('m3', { kind: 'assistant', group: 'turn' }),
        recordOf('m4', { kind: 'tool', group: 'turn' }),
        recordOf('m5', { kind: 'summary' }),
      ];
      await history.append(keyOf(), records.slice(0, 2));
      await history.append(keyOf(), records.slice(2));
      const loaded = await history.load(keyOf());
      expect(withoutSequence(loaded)).toEqual(records);
      expectAscending(loaded);
      expect(loaded.damaged).toEqual([]);
    },
  },
  {
    name: 'gives nothing, and no error, for a history that was never written',
    async run(context) {
      const history = await context.open();
      const loaded = await history.load(keyOf(), { ids: ['m1'] });
      expect(loaded).toEqual({
        records: [],
        damaged: [],
        knownIds: [],
        version: expect.any(String),
      });
    },
  },
  {
    name: 'gives an array for no, one and two messages, and appends after each',
    async run(context) {
      const history = await context.open();
      for (const count of [0, 1, 2, 3]) {
        const loaded = await history.load(keyOf());
        expect(Array.isArray(loaded.records), `${count} messages come as an array`).toBe(true);
        expect(idsIn(loaded)).toEqual(idsUpTo(count));
        await history.append(keyOf(), [recordOf(`m${count + 1}`)]);
      }
    },
  },
  {
    name: 'loads the newest N in order, for N of none, some, all and more',
    async run(context) {
      const history = await context.open();
      const ids = idsUpTo(10);
      await history.append(keyOf(), recordsOf(...ids));
      for (const limit of [0, 1, 3, 10, 100]) {
        const loaded = await history.load(keyOf(), { limit });
        expect(idsIn(loaded), `limit ${limit}`).toEqual(limit === 0 ? [] : ids.slice(-limit));
      }
    },
  },
  {
    name: 'refuses a limit or a place that is no whole number of at least 0',
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf('m1', 'm2'));
      for (const wrong of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await expectRefused(history.load(keyOf(), { limit: wrong }), 'invalid_input');
        await expectRefused(history.load(keyOf(), { before: wrong }), 'invalid_input');
      }
    },
  },
  {
    name: 'pages backwards without a gap or a repeat while messages are added',
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf(...idsUpTo(45)));
      const pages: string[][] = [];
      let page = await history.load(keyOf(), { limit: 20 });
      while (page.records.length > 0 && pages.length < 5) {
        pages.push(idsIn(page));
        await history.append(keyOf(), [recordOf(`later${pages.length}`)]);
        const before = page.records[0]?.sequence ?? 0;
        page = await history.load(keyOf(), { limit: 20, before });
      }
      expect(pages.map(({ length }) => length)).toEqual([20, 20, 5]);
      expect(pages.reverse().flat()).toEqual(idsUpTo(45));
    },
  },
  {
    name: 'loads everything before a place when no limit is given',
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf('m1', 'm2', 'm3'));
      const { records } = await history.load(keyOf());
      const before = records[2]?.sequence ?? 0;
      expect(idsIn(await history.load(keyOf(), { before }))).toEqual(['m1', 'm2']);
      const first = records[0]?.sequence ?? 0;
      expect(idsIn(await history.load(keyOf(), { before: first }))).toEqual([]);
      expect(idsIn(await history.load(keyOf(), { before: 0 }))).toEqual([]);
    },
  },
  {
    name: 'says of which layout each record is, as it was told',
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), [recordOf('m1', { v: 1 }), recordOf('m2', { v: 7 })]);
      const { records } = await history.load(keyOf());
      expect(records.map(({ v }) => v)).toEqual([1, 7]);
    },
  },
  {
    name: 'names the version of the contract it keeps',
    async run(context) {
      const { backend } = await context.open();
      expect(backend.specificationVersion).toBe('v1');
    },
  },
];

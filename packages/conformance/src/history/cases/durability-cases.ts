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

/** Coming back, and reading on past damage. */
export const durabilityCases: readonly HistoryBackendCase[] = [
  {
    name: 'finds everything again that was acknowledged before it was opened anew',
    needs: ['durable'],
    async run(context) {
      const first = await context.open();
      await first.append(keyOf(), recordsOf('m1', 'm2'));
      await first.append(keyOf('another'), recordsOf('n1'));
      const before = await first.load(keyOf());
      const second = await context.reopen();
      expect(await second.load(keyOf())).toEqual(before);
      const result = await second.append(keyOf(), recordsOf('m2', 'm3'));
      expect(result.duplicates).toEqual(['m2']);
      const after = await second.load(keyOf());
      expect(idsIn(after)).toEqual(['m1', 'm2', 'm3']);
      expectAscending(after);
      expect(idsIn(await second.load(keyOf('another')))).toEqual(['n1']);
    },
  },
  {
    name: 'remembers trimmed ids when opened anew, and trims to the limit it is then given',
    needs: ['durable', 'trimming'],
    async run(context) {
      const first = await context.open({ maxMessages: 4 });
      await first.append(keyOf(), recordsOf(...idsUpTo(6)));
      const second = await context.reopen({ maxMessages: 2 });
      expect(idsIn(await second.load(keyOf()))).toEqual(['m3', 'm4', 'm5', 'm6']);
      const result = await second.append(keyOf(), recordsOf('m1', 'm7'));
      expect(result.duplicates).toEqual(['m1']);
      expect(idsIn(await second.load(keyOf()))).toEqual(['m6', 'm7']);
    },
  },
  {
    name: 'holds a replacement to its version when opened anew',
    needs: ['durable', 'replace'],
    async run(context) {
      const first = await context.open();
      const { version } = await first.append(keyOf(), recordsOf('m1'));
      const second = await context.reopen();
      const replaced = await second.replace(keyOf(), recordsOf('n1'), { version });
      const third = await context.reopen();
      await expectRefused(third.replace(keyOf(), [], { version }), 'conflict');
      expect(idsIn(await third.load(keyOf()))).toEqual(['n1']);
      await third.replace(keyOf(), [], replaced);
      expect(idsIn(await third.load(keyOf()))).toEqual([]);
    },
  },
  {
    name: 'stays cleared when opened anew',
    needs: ['durable'],
    async run(context) {
      const first = await context.open();
      const { version } = await first.append(keyOf(), recordsOf('m1'));
      const { records } = await first.load(keyOf());
      await first.clear(keyOf());
      const second = await context.reopen();
      expect((await second.load(keyOf(), { ids: ['m1'] })).knownIds).toEqual([]);
      const again = await second.append(keyOf(), recordsOf('m1'));
      expect(again.version).not.toBe(version);
      const loaded = await second.load(keyOf());
      expect(loaded.records[0]?.sequence).toBeGreaterThan(records[0]?.sequence ?? 0);
    },
  },
  {
    name: 'returns what it can read when a record is damaged, and says so',
    needs: ['damage'],
    async run(context) {
      const history = await context.open();
      const records = idsUpTo(3).map((id) => recordOf(id));
      await history.append(keyOf(), records);
      await history.append(keyOf('another'), records);
      await context.damage(keyOf());
      const loaded = await history.load(keyOf());
      expect(withoutSequence(loaded)).toEqual(records.slice(1));
      expect(loaded.damaged).toEqual([expect.objectContaining({ reason: expect.any(String) })]);
      expect((await history.load(keyOf(), { limit: 2 })).damaged).toEqual([]);
      expect(withoutSequence(await history.load(keyOf('another')))).toEqual(records);
    },
  },
  {
    name: 'goes on with a history that has a damaged record',
    needs: ['damage'],
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf('m1', 'm2'));
      await context.damage(keyOf());
      const result = await history.append(keyOf(), recordsOf('m2', 'm3'));
      expect(result.duplicates).toEqual(['m2']);
      const loaded = await history.load(keyOf());
      expect(idsIn(loaded)).toEqual(['m2', 'm3']);
      expect(loaded.damaged.length).toBe(1);
      await history.clear(keyOf());
      expect((await history.load(keyOf())).damaged).toEqual([]);
    },
  },
];

import type { HistoryRecord, NewHistoryRecord } from '@minne/core';
import { expect } from 'vitest';
import { expectRefused, settle } from '../../shared/outcomes.js';
import type { HistoryBackendCase } from '../history-backend-case.js';
import {
  expectAscending,
  idsIn,
  idsUpTo,
  keyOf,
  payloadOf,
  recordOf,
  recordsOf,
} from '../sample-records.js';

const needs = ['replace'] as const;

/** Putting a history in place of another, under its version. */
export const replaceCases: readonly HistoryBackendCase[] = [
  {
    name: 'replaces the history that was loaded: kept records keep their sequence',
    needs,
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf(...idsUpTo(6)));
      const { records, version } = await history.load(keyOf());
      const summary = summaryOf(records.slice(0, 3));
      const edited = { ...at(records, 4), payload: payloadOf('m5', 'edited') };
      const wanted = [summary, at(records, 3), edited];
      const result = await history.replace(keyOf(), [...wanted, recordOf('m7')], { version });
      const loaded = await history.load(keyOf());
      expect(loaded.records.slice(0, 3)).toEqual(wanted);
      expect(idsIn(loaded)).toEqual(['summary', 'm4', 'm5', 'm7']);
      const highest = at(records, 5).sequence;
      expect(at(loaded.records, 3).sequence, 'm7 is numbered last').toBeGreaterThan(highest);
      expect(result.version).toBe(loaded.version);
      expect(loaded.version).not.toBe(version);
    },
  },
  {
    name: 'counts on after a replacement and pages over the gaps it left',
    needs,
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf(...idsUpTo(6)));
      const { records, version } = await history.load(keyOf());
      await history.replace(keyOf(), [at(records, 1), at(records, 4)], { version });
      await history.append(keyOf(), recordsOf('m7'));
      const loaded = await history.load(keyOf());
      expect(idsIn(loaded)).toEqual(['m2', 'm5', 'm7']);
      expectAscending(loaded);
      expect(at(loaded.records, 2).sequence).toBeGreaterThan(at(records, 5).sequence);
      const before = at(loaded.records, 1).sequence;
      expect(idsIn(await history.load(keyOf(), { limit: 2, before }))).toEqual(['m2']);
      expect(idsIn(await history.load(keyOf(), { limit: 2 }))).toEqual(['m5', 'm7']);
    },
  },
  {
    name: 'refuses to replace under a version that is not the stored one',
    needs,
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf('m1', 'm2'));
      const { version } = await history.load(keyOf());
      await history.append(keyOf(), recordsOf('m3'));
      const late = history.replace(keyOf(), recordsOf('late'), { version });
      await expectRefused(late, 'conflict');
      const invented = history.replace(keyOf(), [], { version: 'no version' });
      await expectRefused(invented, 'conflict');
      expect(idsIn(await history.load(keyOf()))).toEqual(['m1', 'm2', 'm3']);
    },
  },
  {
    name: 'refuses a version from before the history was cleared',
    needs,
    async run(context) {
      const history = await context.open();
      const before = await history.append(keyOf(), recordsOf('m1'));
      await history.clear(keyOf());
      const empty = history.replace(keyOf(), recordsOf('late'), { version: before.version });
      await expectRefused(empty, 'conflict');
      await history.append(keyOf(), recordsOf('m1'));
      const refilled = history.replace(keyOf(), recordsOf('late'), { version: before.version });
      await expectRefused(refilled, 'conflict');
      expect(idsIn(await history.load(keyOf()))).toEqual(['m1']);
    },
  },
  {
    name: 'lets one of several replacements win that are made under one version at once',
    needs,
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf('m1'));
      const { version } = await history.load(keyOf());
      const names = idsUpTo(6, 'winner');
      const outcomes = await Promise.all(
        names.map((name) => settle(history.replace(keyOf(), recordsOf(name), { version }))),
      );
      const won = names.filter((_, index) => outcomes[index]?.status === 'fulfilled');
      expect(won.length, 'one replacement wins').toBe(1);
      expect(idsIn(await history.load(keyOf()))).toEqual(won);
    },
  },
  {
    name: 'replaces a history that was never written, and one by nothing',
    needs,
    async run(context) {
      const history = await context.open();
      const empty = await history.load(keyOf());
      const { version } = await history.replace(keyOf(), recordsOf('m1'), empty);
      expect(idsIn(await history.load(keyOf()))).toEqual(['m1']);
      await history.replace(keyOf(), [], { version });
      expect(idsIn(await history.load(keyOf()))).toEqual([]);
    },
  },
  {
    name: 'knows the ids of messages that were replaced',
    needs,
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf(...idsUpTo(3)));
      const { records, version } = await history.load(keyOf());
      await history.replace(keyOf(), [summaryOf(records)], { version });
      const result = await history.append(keyOf(), recordsOf('m1', 'm3', 'summary', 'm4'));
      expect(result.duplicates).toEqual(['m1', 'm3', 'summary']);
      const loaded = await history.load(keyOf(), { ids: ['m2', 'summary'] });
      expect(idsIn(loaded)).toEqual(['summary', 'm4']);
      expect([...loaded.knownIds].sort()).toEqual(['m2', 'summary']);
    },
  },
  {
    name: 'takes up a message again that was replaced before',
    needs,
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf('m1', 'm2'));
      const { records, version } = await history.load(keyOf());
      const emptied = await history.replace(keyOf(), [at(records, 1)], { version });
      await history.replace(keyOf(), records, emptied);
      const loaded = await history.load(keyOf());
      expect(loaded.records).toEqual(records);
      expect((await history.append(keyOf(), recordsOf('m1'))).duplicates).toEqual(['m1']);
    },
  },
  {
    name: 'changes nothing by a replacement that has one bad record',
    needs,
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf(...idsUpTo(3)));
      const { records, version } = await history.load(keyOf());
      const bad: readonly (readonly (HistoryRecord | NewHistoryRecord)[])[] = [
        [at(records, 0), recordOf('')],
        [recordOf('n1'), recordOf('n2', { payload: '"\ud800"' })],
        [recordOf('n1'), recordOf('n1')],
        [at(records, 1), at(records, 0)],
        [at(records, 0), { ...at(records, 1), sequence: at(records, 0).sequence }],
        [{ ...at(records, 0), sequence: 0 }],
        [{ ...at(records, 0), sequence: 1.5 }],
        [recordOf('n1'), at(records, 2)],
      ];
      for (const replacement of bad) {
        await expectRefused(history.replace(keyOf(), replacement, { version }), 'invalid_input');
      }
      const loaded = await history.load(keyOf(), { ids: ['n1'] });
      expect(loaded).toEqual({ records, version, damaged: [], knownIds: [] });
    },
  },
  {
    name: 'does not replace when the signal has aborted, and gives its reason',
    needs,
    async run(context) {
      const history = await context.open();
      const { version } = await history.append(keyOf(), recordsOf('m1'));
      const reason = new Error('stopped by the caller');
      const signal = AbortSignal.abort(reason);
      const outcome = await settle(history.replace(keyOf(), [], { version, signal }));
      expect(outcome).toEqual({ status: 'rejected', reason });
      expect(idsIn(await history.load(keyOf()))).toEqual(['m1']);
    },
  },
  {
    name: 'trims what was put in place, too',
    needs: ['replace', 'trimming'],
    async run(context) {
      const history = await context.open({ maxMessages: 3 });
      await history.append(keyOf(), recordsOf('m1'));
      const { version } = await history.load(keyOf());
      const replacement = [
        recordOf('system', { kind: 'system' }),
        ...recordsOf(...idsUpTo(4, 'n')),
      ];
      await history.replace(keyOf(), replacement, { version });
      const loaded = await history.load(keyOf(), { ids: ['m1', 'n1', 'n2'] });
      expect(idsIn(loaded)).toEqual(['system', 'n3', 'n4']);
      expect([...loaded.knownIds].sort()).toEqual(['m1', 'n1', 'n2']);
    },
  },
];

/** A summary of these records, in the place of the last of them. */
function summaryOf(records: readonly HistoryRecord[]): HistoryRecord {
  const sequence = at(records, records.length - 1).sequence;
  return { ...recordOf('summary', { kind: 'summary' }), sequence };
}

function at(records: readonly HistoryRecord[], index: number): HistoryRecord {
  const record = records[index];
  if (record === undefined) expect.fail(`There is no record ${index} among ${records.length}.`);
  return record;
}

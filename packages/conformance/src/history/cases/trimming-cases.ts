import { expect } from 'vitest';
import { expectRefused, settle } from '../../shared/outcomes.js';
import type { HistoryBackendCase } from '../history-backend-case.js';
import { expectAscending, idsIn, idsUpTo, keyOf, recordOf, recordsOf } from '../sample-records.js';

const needs = ['trimming'] as const;

/** Keeping at most `maxMessages`. */
export const trimmingCases: readonly HistoryBackendCase[] = [
  {
    name: 'drops the oldest messages beyond maxMessages',
    needs,
    async run(context) {
      const history = await context.open({ maxMessages: 4 });
      for (const id of idsUpTo(10)) await history.append(keyOf(), [recordOf(id)]);
      const loaded = await history.load(keyOf());
      expect(idsIn(loaded)).toEqual(['m7', 'm8', 'm9', 'm10']);
      expectAscending(loaded);
      await history.append(keyOf(), recordsOf(...idsUpTo(9, 'n')));
      expect(idsIn(await history.load(keyOf()))).toEqual(['n6', 'n7', 'n8', 'n9']);
    },
  },
  {
    name: 'drops nothing while there are exactly maxMessages',
    needs,
    async run(context) {
      const history = await context.open({ maxMessages: 3 });
      await history.append(keyOf(), recordsOf(...idsUpTo(3)));
      expect(idsIn(await history.load(keyOf()))).toEqual(idsUpTo(3));
    },
  },
  {
    name: 'never parts a tool call from its results, parallel ones included',
    needs,
    async run(context) {
      const history = await context.open({ maxMessages: 4 });
      const turn = [
        recordOf('call', { kind: 'assistant', group: 'call' }),
        recordOf('result2', { kind: 'tool', group: 'call' }),
        recordOf('result1', { kind: 'tool', group: 'call' }),
      ];
      await history.append(keyOf(), [...turn, recordOf('m1')]);
      await history.append(keyOf(), [recordOf('m2')]);
      expect(idsIn(await history.load(keyOf()))).toEqual(['m1', 'm2']);
    },
  },
  {
    name: 'drops a group as a whole when its messages lie apart',
    needs,
    async run(context) {
      const history = await context.open({ maxMessages: 3 });
      await history.append(keyOf(), [
        recordOf('call', { kind: 'assistant', group: 'call' }),
        recordOf('m1'),
        recordOf('result', { kind: 'tool', group: 'call' }),
      ]);
      await history.append(keyOf(), [recordOf('m2')]);
      expect(idsIn(await history.load(keyOf()))).toEqual(['m1', 'm2']);
    },
  },
  {
    name: 'keeps system messages, and counts them',
    needs,
    async run(context) {
      const history = await context.open({ maxMessages: 3 });
      await history.append(keyOf(), [
        recordOf('system1', { kind: 'system' }),
        ...recordsOf('m1', 'm2', 'm3'),
        recordOf('system2', { kind: 'system' }),
        recordOf('m4'),
      ]);
      expect(idsIn(await history.load(keyOf()))).toEqual(['system1', 'system2', 'm4']);
      await history.append(keyOf(), [recordOf('system3', { kind: 'system' })]);
      await history.append(keyOf(), [recordOf('m5')]);
      expect(idsIn(await history.load(keyOf()))).toEqual(['system1', 'system2', 'system3', 'm5']);
    },
  },
  {
    name: 'drops a summary like any other message',
    needs,
    async run(context) {
      const history = await context.open({ maxMessages: 2 });
      await history.append(keyOf(), [recordOf('summary', { kind: 'summary' })]);
      await history.append(keyOf(), recordsOf('m1', 'm2'));
      expect(idsIn(await history.load(keyOf()))).toEqual(['m1', 'm2']);
    },
  },
  {
    name: 'keeps the newest group even when it alone is larger than maxMessages',
    needs,
    async run(context) {
      const history = await context.open({ maxMessages: 2 });
      await history.append(keyOf(), recordsOf('m1', 'm2'));
      const call = recordOf('call', { kind: 'assistant', group: 'call' });
      const results = idsUpTo(4, 'result').map((id) =>
        recordOf(id, { kind: 'tool', group: 'call' }),
      );
      await history.append(keyOf(), [call, ...results]);
      expect(idsIn(await history.load(keyOf()))).toEqual(['call', ...idsUpTo(4, 'result')]);
      await history.append(keyOf(), [recordOf('m3')]);
      expect(idsIn(await history.load(keyOf()))).toEqual(['m3']);
    },
  },
  {
    name: 'knows the ids of messages that were trimmed',
    needs,
    async run(context) {
      const history = await context.open({ maxMessages: 2 });
      for (const id of idsUpTo(50)) await history.append(keyOf(), [recordOf(id)]);
      const loaded = await history.load(keyOf(), { ids: ['m1', 'm25', 'm50', 'm51'] });
      expect([...loaded.knownIds].sort()).toEqual(['m1', 'm25', 'm50']);
      const result = await history.append(keyOf(), recordsOf('m1', 'm25', 'm50', 'm51'));
      expect(result.duplicates).toEqual(['m1', 'm25', 'm50']);
      expect(idsIn(await history.load(keyOf()))).toEqual(['m50', 'm51']);
      await history.clear(keyOf());
      const cleared = await history.load(keyOf(), { ids: ['m1', 'm51'] });
      expect(cleared.knownIds).toEqual([]);
    },
  },
  {
    name: 'trims one session by its own messages only',
    needs,
    async run(context) {
      const history = await context.open({ maxMessages: 2 });
      for (const session of ['s1', 's2']) {
        await history.append(keyOf(session), recordsOf('m1', 'm2'));
      }
      await history.append(keyOf('s1', 'other source'), recordsOf('m1', 'm2'));
      await history.append(keyOf('s1'), recordsOf('m3'));
      expect(idsIn(await history.load(keyOf('s1')))).toEqual(['m2', 'm3']);
      expect(idsIn(await history.load(keyOf('s2')))).toEqual(['m1', 'm2']);
      expect(idsIn(await history.load(keyOf('s1', 'other source')))).toEqual(['m1', 'm2']);
    },
  },
  {
    name: 'pages backwards over what trimming left',
    needs,
    async run(context) {
      const history = await context.open({ maxMessages: 4 });
      await history.append(keyOf(), [recordOf('system', { kind: 'system' })]);
      for (const id of idsUpTo(8)) await history.append(keyOf(), [recordOf(id)]);
      const newest = await history.load(keyOf(), { limit: 2 });
      expect(idsIn(newest)).toEqual(['m7', 'm8']);
      const before = newest.records[0]?.sequence ?? 0;
      const rest = await history.load(keyOf(), { limit: 5, before });
      expect(idsIn(rest)).toEqual(['system', 'm6']);
    },
  },
  {
    name: 'refuses a maxMessages that is no whole number of at least 1',
    needs,
    async run(context) {
      for (const maxMessages of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await expectRefused(context.open({ maxMessages }), 'configuration');
      }
      const outcome = await settle(context.open({ maxMessages: 1 }));
      expect(outcome.status).toBe('fulfilled');
    },
  },
];

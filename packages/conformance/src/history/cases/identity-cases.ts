import { expect } from 'vitest';
import { expectRefused, settle } from '../../shared/outcomes.js';
import type { HistoryBackendCase } from '../history-backend-case.js';
import {
  expectAscending,
  idsIn,
  keyOf,
  payloadOf,
  recordOf,
  recordsOf,
} from '../sample-records.js';

/** Writing once, all or nothing. */
export const identityCases: readonly HistoryBackendCase[] = [
  {
    name: 'writes an id once that comes twice in one append',
    async run(context) {
      const history = await context.open();
      const result = await history.append(keyOf(), recordsOf('m1', 'm2', 'm1'));
      expect(result.duplicates).toEqual(['m1']);
      expect(idsIn(await history.load(keyOf()))).toEqual(['m1', 'm2']);
    },
  },
  {
    name: 'writes an id once that comes again in a later append',
    async run(context) {
      const history = await context.open();
      const first = await history.append(keyOf(), recordsOf('m1', 'm2'));
      expect(first.duplicates).toEqual([]);
      const second = await history.append(keyOf(), recordsOf('m1', 'm2', 'm3'));
      expect(second.duplicates).toEqual(['m1', 'm2']);
      const loaded = await history.load(keyOf());
      expect(idsIn(loaded)).toEqual(['m1', 'm2', 'm3']);
      expectAscending(loaded);
    },
  },
  {
    name: 'keeps two messages with the same text and different ids',
    async run(context) {
      const history = await context.open();
      const payload = payloadOf('m', 'yes');
      await history.append(keyOf(), [recordOf('m1', { payload })]);
      await history.append(keyOf(), [recordOf('m2', { payload })]);
      expect(idsIn(await history.load(keyOf()))).toEqual(['m1', 'm2']);
    },
  },
  {
    name: 'leaves a stored message as it is when its id comes with other content',
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), [recordOf('m1')]);
      await history.append(keyOf(), [recordOf('m1', { payload: payloadOf('m1', 'other') })]);
      const { records } = await history.load(keyOf());
      expect(records.map(({ payload }) => payload)).toEqual([recordOf('m1').payload]);
    },
  },
  {
    name: 'says which of the asked ids it knows',
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf('m1', 'm2', '__proto__'));
      const loaded = await history.load(keyOf(), {
        limit: 0,
        ids: ['m2', 'unknown', 'M1', 'constructor', '__proto__', 'm1'],
      });
      expect(loaded.records).toEqual([]);
      expect([...loaded.knownIds].sort()).toEqual(['__proto__', 'm1', 'm2']);
      const other = await history.load(keyOf('another session'), { ids: ['m1'] });
      expect(other.knownIds, 'ids are known within one history').toEqual([]);
    },
  },
  {
    name: 'changes nothing by an append of nothing',
    async run(context) {
      const history = await context.open();
      expect((await history.append(keyOf(), [])).duplicates).toEqual([]);
      const { version } = await history.append(keyOf(), recordsOf('m1'));
      await history.append(keyOf(), []);
      const loaded = await history.load(keyOf());
      expect(loaded.version).toBe(version);
      expect(idsIn(loaded)).toEqual(['m1']);
    },
  },
  {
    name: 'changes the version with every append that writes, and gives it out',
    async run(context) {
      const history = await context.open();
      const versions = [(await history.load(keyOf())).version];
      for (const id of ['m1', 'm2', 'm3']) {
        versions.push((await history.append(keyOf(), [recordOf(id)])).version);
        expect((await history.load(keyOf())).version).toBe(versions.at(-1));
      }
      expect(new Set(versions).size, `${versions.join(', ')} are different`).toBe(4);
    },
  },
  {
    name: 'writes nothing of an append that has one bad record',
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf('m1'));
      const bad = [
        recordOf(''),
        recordOf('bad \ud800'),
        recordOf('bad', { group: '' }),
        recordOf('bad', { payload: '"\udc00"' }),
        recordOf('bad', { v: 0.5 }),
        malformed({ payload: undefined }),
        malformed({ payload: { text: 'no string' } }),
        malformed({ kind: 'narrator' }),
      ];
      for (const record of bad) {
        const records = [recordOf('m2'), record, recordOf('m3')];
        await expectRefused(history.append(keyOf(), records), 'invalid_input');
      }
      const loaded = await history.load(keyOf(), { ids: ['m2', 'm3'] });
      expect(idsIn(loaded)).toEqual(['m1']);
      expect(loaded.knownIds, 'no id of it is remembered').toEqual([]);
      await history.append(keyOf(), recordsOf('m2', 'm3'));
      expect(idsIn(await history.load(keyOf()))).toEqual(['m1', 'm2', 'm3']);
    },
  },
  {
    name: 'does nothing when the signal has aborted, and gives its reason',
    async run(context) {
      const history = await context.open();
      await history.append(keyOf(), recordsOf('m1'));
      const reason = new Error('stopped by the caller');
      const signal = AbortSignal.abort(reason);
      const calls = {
        append: () => history.append(keyOf(), recordsOf('m2'), { signal }),
        load: () => history.load(keyOf(), { signal }),
        clear: () => history.clear(keyOf(), { signal }),
      };
      for (const [name, call] of Object.entries(calls)) {
        expect(await settle(call()), name).toEqual({ status: 'rejected', reason });
      }
      expect(idsIn(await history.load(keyOf()))).toEqual(['m1']);
    },
  },
];

/** A record that TypeScript would not let through. */
function malformed(parts: Readonly<Record<string, unknown>>) {
  return { ...recordOf('bad'), ...parts } as ReturnType<typeof recordOf>;
}

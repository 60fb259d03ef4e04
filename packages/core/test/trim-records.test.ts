import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ConfigurationError,
  checkMaxMessages,
  groupsToDrop,
  type TrimmableRecord,
  trimRecords,
} from '../src/index.js';

const records = fc.array(
  fc.record<TrimmableRecord>({
    kind: fc.constantFrom('system', 'user', 'assistant', 'tool', 'summary'),
    group: fc.constantFrom('g1', 'g2', 'g3', 'g4', 'g5'),
  }),
  { maxLength: 30 },
);

describe('trimRecords', () => {
  it('keeps every rule on any history', () => {
    fc.assert(
      fc.property(records, fc.integer({ min: 1, max: 20 }), (history, maxMessages) => {
        const { kept, dropped } = trimRecords(history, maxMessages);
        expect(history.filter((record) => !dropped.includes(record))).toEqual(kept);
        expect(dropped.every(({ kind }) => kind !== 'system')).toBe(true);
        const gone = new Set(dropped.map(({ group }) => group));
        const left = kept.filter(({ kind }) => kind !== 'system');
        expect(
          left.some(({ group }) => gone.has(group)),
          'a group was parted',
        ).toBe(false);
        const newest = history.findLast(({ kind }) => kind !== 'system')?.group;
        expect(gone.has(newest ?? 'none')).toBe(false);
        const more = left.some(({ group }) => group !== newest);
        if (more) expect(kept.length).toBeLessThanOrEqual(maxMessages);
        if (history.length <= maxMessages) expect(dropped).toEqual([]);
        expect(trimRecords(kept, maxMessages).kept).toEqual(kept);
      }),
    );
  });

  it('drops the oldest groups first, and no more than it must', () => {
    const history = groups('a', 'a', 'b', 'c', 'c', 'd');
    expect(names(trimRecords(history, 5).kept)).toBe('bccd');
    expect(names(trimRecords(history, 4).kept)).toBe('bccd');
    expect(names(trimRecords(history, 3).kept)).toBe('ccd');
    expect(names(trimRecords(history, 2).kept)).toBe('d');
    expect(names(trimRecords(history, 6).kept)).toBe('aabccd');
  });

  it('keeps a system message that shares a group with dropped ones', () => {
    const history: TrimmableRecord[] = [
      { kind: 'system', group: 'a' },
      { kind: 'user', group: 'a' },
      { kind: 'user', group: 'b' },
    ];
    expect(trimRecords(history, 2).kept).toEqual([history[0], history[2]]);
  });

  it('drops what lies between the messages of the newest group', () => {
    expect(names(trimRecords(groups('a', 'b', 'c', 'a'), 2).kept)).toBe('aa');
  });

  it('drops nothing when there are only system messages', () => {
    const history: TrimmableRecord[] = Array.from({ length: 9 }, () => ({
      kind: 'system',
      group: 'a',
    }));
    expect(trimRecords(history, 3).kept.length).toBe(9);
  });

  it('looks at each record of a long history once or twice', () => {
    const count = 20_000;
    let looks = 0;
    const history = Array.from({ length: count }, (_, index): TrimmableRecord => {
      return {
        get kind() {
          looks += 1;
          return 'user' as const;
        },
        group: `g${index}`,
      };
    });
    expect(trimRecords(history, 10).kept.length).toBe(10);
    expect(looks).toBeLessThan(4 * count);
  });
});

describe('groupsToDrop', () => {
  it('reads the history only as far as it must', () => {
    let read = 0;
    function* oldestFirst(): Generator<TrimmableRecord> {
      for (const record of groups('a', 'a', 'b', 'c', 'd')) {
        read += 1;
        yield record;
      }
    }
    const plan = { total: 5, maxMessages: 4, newestGroup: 'd', sizeOf: () => 2 };
    expect([...groupsToDrop(oldestFirst(), plan)]).toEqual(['a']);
    expect(read).toBe(1);
  });
});

describe('checkMaxMessages', () => {
  it('accepts whole numbers of at least 1, and none', () => {
    for (const value of [1, 2, 1_000_000, undefined]) checkMaxMessages(value, '@minne/any');
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5', null])('refuses %j', (value) => {
    expect(() => checkMaxMessages(value as number, '@minne/any')).toThrow(ConfigurationError);
    expect(() => checkMaxMessages(value as number, '@minne/any')).toThrow(/^maxMessages is/);
  });
});

function groups(...names: readonly string[]): TrimmableRecord[] {
  return names.map((group) => ({ kind: 'user', group }));
}

function names(history: readonly TrimmableRecord[]): string {
  return history.map(({ group }) => group).join('');
}

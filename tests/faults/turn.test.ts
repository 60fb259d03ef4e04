import { describe, expect, it } from 'vitest';
import type { HistoryRecord } from '../../packages/core/src/index.js';
import { turnLength, turnOf, turnsIn } from './turn.js';

/** Two turns as a store gives them. */
function stored(): HistoryRecord[] {
  return [...turnOf('w.0'), ...turnOf('w.1')].map((record, index) => ({
    ...record,
    sequence: index + 1,
  }));
}

function namesOf(records: readonly HistoryRecord[]): string[] {
  return turnsIn({ records, damaged: [], knownIds: [], version: '1' });
}

describe('what the fault tests take for whole', () => {
  it('is turns that are there with all they have', () => {
    expect(namesOf(stored())).toEqual(['w.0', 'w.1']);
    expect(namesOf([])).toEqual([]);
  });

  it.each<[string, (records: HistoryRecord[]) => HistoryRecord[]]>([
    ['half of a turn', (records) => records.slice(0, -1)],
    [
      'a turn in the middle of another',
      ([first, ...rest]) => [...rest.slice(0, 3), ...(first ? [first] : []), ...rest.slice(3)],
    ],
    [
      'other content',
      (records) => records.map((one) => ({ ...one, payload: one.payload.toUpperCase() })),
    ],
    [
      'a turn that is there twice',
      (records) => records.map((one, index) => ({ ...one, ...turnOf('w.0')[index % turnLength] })),
    ],
    ['a sequence that comes twice', (records) => records.map((one) => ({ ...one, sequence: 1 }))],
  ])('is not %s', (_, broken) => {
    expect(() => namesOf(broken(stored()))).toThrow(/No whole turn|twice|Sequence/);
  });
});

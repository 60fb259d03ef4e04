import { describe, expect, it } from 'vitest';
import {
  checkLoadOptions,
  checkNewRecords,
  InvalidInputError,
  type NewHistoryRecord,
  numberReplacement,
} from '../src/index.js';

const options = { packageName: '@minne/history-any', sessionId: 's' };
const record: NewHistoryRecord = { v: 1, id: 'm', group: 'm', kind: 'user', payload: '{}' };

describe('checkNewRecords', () => {
  it.each([
    ['.v', { v: 0 }],
    ['.v', { v: '1' }],
    ['.id', { id: '' }],
    ['.id', { id: 'x'.repeat(1025) }],
    ['.id', { id: 7 }],
    ['.group', { group: '\ud800' }],
    ['.group', { group: undefined }],
    ['.kind', { kind: 'developer' }],
    ['.payload', { payload: null }],
    ['.payload', { payload: '\udc00' }],
  ])('refuses a record for its %s and says which', (field, parts) => {
    const records = [record, { ...record, ...parts } as NewHistoryRecord];
    expect(fieldOf(() => checkNewRecords(records, options))).toBe(`records[1]${field}`);
  });

  it('refuses what is no list of records', () => {
    for (const [value, field] of [
      [null, 'records'],
      [{}, 'records'],
      [[null], 'records[0]'],
      [['m'], 'records[0]'],
    ] as const) {
      const records: NewHistoryRecord[] = JSON.parse(JSON.stringify(value));
      expect(fieldOf(() => checkNewRecords(records, options))).toBe(field);
    }
  });
});

describe('numberReplacement', () => {
  it('keeps given sequences and numbers the others after the highest ever used', () => {
    const given = [
      { ...record, id: 'a', sequence: 4 },
      { ...record, id: 'b' },
    ];
    const [a, b] = numberReplacement(given, 9, options);
    expect([a?.sequence, b?.sequence]).toEqual([4, 10]);
    const ahead = numberReplacement([{ ...record, id: 'a', sequence: 40 }, record], 9, options);
    expect(ahead.map(({ sequence }) => sequence)).toEqual([40, 41]);
  });

  it('gives records of its own that hold nothing else', () => {
    const given = { ...record, note: 'not part of a record' };
    const [numbered] = numberReplacement([given], 0, options);
    expect(numbered).toEqual({ ...record, sequence: 1 });
    expect(numbered).not.toBe(given);
  });

  it('refuses an id that comes twice, and sequences that do not ascend', () => {
    const twice = [record, { ...record, payload: '{"other":1}' }];
    expect(fieldOf(() => numberReplacement(twice, 0, options))).toBe('records[1].id');
    for (const sequences of [
      [2, 1],
      [1, 1],
      [undefined, 1],
      [1, Number.NaN],
      [1, 1.5],
      [1, 2 ** 52 + 1],
    ]) {
      const given = sequences.map((sequence, index) => ({
        ...record,
        id: `m${index}`,
        ...(sequence === undefined ? {} : { sequence }),
      }));
      expect(fieldOf(() => numberReplacement(given, 0, options))).toBe('records[1].sequence');
    }
  });
});

describe('checkLoadOptions', () => {
  it('refuses a limit, a place and ids that cannot be', () => {
    expect(fieldOf(() => checkLoadOptions({ limit: -1 }, options))).toBe('limit');
    expect(fieldOf(() => checkLoadOptions({ before: 0.5 }, options))).toBe('before');
    expect(fieldOf(() => checkLoadOptions({ ids: ['a', ''] }, options))).toBe('ids[1]');
    checkLoadOptions({}, options);
    checkLoadOptions({ limit: 0, before: 0, ids: [] }, options);
  });
});

function fieldOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidInputError);
    return error instanceof InvalidInputError ? error.field : undefined;
  }
  return expect.fail('It was accepted.');
}

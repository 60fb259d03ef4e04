import { InvalidInputError } from './errors.js';
import type { HistoryRecord, LoadOptions, NewHistoryRecord } from './history-backend.js';
import { type IdCheckOptions, idProblem } from './history-key.js';

/** The longest message id or group, in bytes of UTF-8. */
export const maximumRecordIdBytes = 1024;

/**
 * How many ids of removed messages (trimmed or replaced) a history remembers at least: the newest
 * ones. The ids of messages that are still there are always known.
 */
export const rememberedIdCount = 10_000;

const kinds: readonly unknown[] = ['system', 'user', 'assistant', 'tool', 'summary'];

/**
 * Checks the records of an append, before anything is written.
 *
 * @throws InvalidInputError naming the record and field, such as `records[1].payload`.
 */
export function checkNewRecords(
  records: readonly NewHistoryRecord[],
  options: IdCheckOptions,
): void {
  if (!Array.isArray(records)) throw refused('records', 'is no array', options);
  for (const [index, record] of records.entries()) {
    const problem = recordProblem(record);
    if (problem !== undefined) {
      throw refused(`records[${index}]${problem.field}`, problem.text, options);
    }
  }
}

/** Half of what numbers can count exactly, so that a history can go on for as long again. */
const highestSequence = 2 ** 52;

/**
 * Checks the records of a replacement and numbers those that carry no sequence.
 *
 * @param highest - The highest sequence that the history ever used.
 * @throws InvalidInputError when a record is not one, an id comes twice, or the sequences do not
 * ascend in the order of the records.
 */
export function numberReplacement(
  records: readonly (HistoryRecord | NewHistoryRecord)[],
  highest: number,
  options: IdCheckOptions,
): readonly HistoryRecord[] {
  checkNewRecords(records, options);
  const ids = new Set<string>();
  let next = highest;
  for (const record of records) if ('sequence' in record) next = Math.max(next, record.sequence);
  let last = 0;
  return records.map((record, index) => {
    if (ids.has(record.id)) {
      throw refused(`records[${index}].id`, 'is the id of an earlier record too', options);
    }
    ids.add(record.id);
    const sequence = 'sequence' in record ? record.sequence : ++next;
    if (!isSequence(sequence) || sequence <= last || sequence > highestSequence) {
      throw refused(
        `records[${index}].sequence`,
        `is ${String(sequence)} after ${last}; give whole numbers of at most 2^52 that ascend, and put records without one last`,
        options,
      );
    }
    last = sequence;
    const { v, id, group, kind, payload } = record;
    return { v, sequence, id, group, kind, payload };
  });
}

/**
 * Checks what a load was asked for.
 *
 * @throws InvalidInputError naming `limit`, `before` or the id.
 */
export function checkLoadOptions(load: LoadOptions, options: IdCheckOptions): void {
  for (const field of ['limit', 'before'] as const) {
    const value = load[field];
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 0)) {
      throw refused(field, `is ${String(value)}; give a whole number of at least 0`, options);
    }
  }
  for (const [index, id] of (load.ids ?? []).entries()) {
    const problem = idProblem(id, maximumRecordIdBytes);
    if (problem !== undefined) throw refused(`ids[${index}]`, problem, options);
  }
}

/** Why a value cannot be a record. */
export interface RecordProblem {
  /** The field at fault, as `.payload`; empty when it is the record as a whole. */
  readonly field: string;
  readonly text: string;
}

/** The first reason why `value` is not a record, its sequence apart, or `undefined` when it is one. */
export function recordProblem(value: unknown): RecordProblem | undefined {
  if (typeof value !== 'object' || value === null) return { field: '', text: 'is no object' };
  const { v, id, group, kind, payload } = value as Partial<Record<keyof HistoryRecord, unknown>>;
  if (!isSequence(v)) return { field: '.v', text: 'is no whole number of at least 1' };
  const badId = idProblem(id, maximumRecordIdBytes);
  if (badId !== undefined) return { field: '.id', text: badId };
  const badGroup = idProblem(group, maximumRecordIdBytes);
  if (badGroup !== undefined) return { field: '.group', text: badGroup };
  if (!kinds.includes(kind)) return { field: '.kind', text: `must be one of ${kinds.join(', ')}` };
  if (typeof payload !== 'string' || !payload.isWellFormed()) {
    return { field: '.payload', text: 'must be a string of valid Unicode' };
  }
  return undefined;
}

/** Whether `value` can be the sequence of a record. */
export function isSequence(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function refused(field: string, text: string, options: IdCheckOptions): InvalidInputError {
  return new InvalidInputError(`${field} ${text}.`, { ...options, field });
}

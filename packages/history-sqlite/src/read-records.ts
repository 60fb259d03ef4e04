import type { SQLOutputValue } from 'node:sqlite';
import { type DamagedRecord, type HistoryRecord, recordProblem } from '@minne/core';
import { isCorrupt, type SqliteTransaction } from '@minne/sqlite';
import { historySql as sql } from './history-sql.js';

/** Greater than every sequence. */
const end = 2n ** 63n - 1n;

/** `LIMIT` without a limit. */
const all = -1;

/** Which records of a history to read. */
export interface ReadRecordsOptions {
  /** Only those with a smaller sequence. Default: all. */
  readonly before?: number | undefined;
  /** At most this many of the newest. Default: all. */
  readonly limit?: number | undefined;
}

/** What was read, in ascending order of sequence. */
export interface ReadRecords {
  readonly records: readonly HistoryRecord[];
  readonly damaged: readonly DamagedRecord[];
}

/** A row of the table of records. */
type Row = Readonly<Record<string, SQLOutputValue>>;

/** Reads the newest records. Where a page of the file is damaged, what lies on others is read all the same. */
export function readRecords(
  transaction: SqliteTransaction,
  history: number,
  { before = Number.POSITIVE_INFINITY, limit }: ReadRecordsOptions = {},
): ReadRecords {
  const range = [history, Number.isFinite(before) ? before : end, limit ?? all] as const;
  let rows: (Row | DamagedRecord)[];
  try {
    rows = transaction.statement(sql.newestRecords).all(...range);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    rows = transaction
      .statement(sql.newestSequences)
      .all(...range)
      .map((row) => readRow(transaction, history, Number(row['sequence'])));
  }
  const records: HistoryRecord[] = [];
  const damaged: DamagedRecord[] = [];
  for (const row of rows.reverse()) {
    const read = isDamage(row) ? row : decode(row);
    if (isDamage(read)) damaged.push(read);
    else records.push(read);
  }
  return { records, damaged };
}

function readRow(
  transaction: SqliteTransaction,
  history: number,
  sequence: number,
): Row | DamagedRecord {
  try {
    return (
      transaction.statement(sql.recordAt).get(history, sequence) ?? {
        sequence,
        reason: 'it has no row',
      }
    );
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return { sequence, reason: 'its page of the file is damaged' };
  }
}

function decode(row: Row): HistoryRecord | DamagedRecord {
  const sequence = Number(row['sequence']);
  const problem = recordProblem(row);
  if (problem !== undefined) {
    return { sequence, reason: `its record${problem.field} ${problem.text}` };
  }
  const { v, id, group, kind, payload } = row as Row & HistoryRecord;
  return { v, sequence, id, group, kind, payload };
}

function isDamage(value: Row | DamagedRecord | HistoryRecord): value is DamagedRecord {
  return 'reason' in value;
}

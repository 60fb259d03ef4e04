import type { SqliteTransaction } from '@minne/sqlite';
import { historySql as sql } from './history-sql.js';
import { HistoryTables } from './history-tables.js';

/** How much one step takes away: a few milliseconds of work, however much has expired. */
const stepRecords = 200;
const stepBytes = 1024 * 1024;

/** Expired by every clock. */
const longAgo = Number.MIN_SAFE_INTEGER;

/** What a step of purging did. */
export interface PurgeStep {
  /** How many histories it took away the rest of. */
  readonly purged: number;
  /** Whether nothing is left to purge. */
  readonly isDone: boolean;
}

/**
 * Whether a history has expired and is still in the file.
 *
 * @param now - In milliseconds since 1970.
 */
export function hasExpiredHistory(transaction: SqliteTransaction, now: number): boolean {
  return transaction.statement(sql.nextExpired).get(now) !== undefined;
}

/**
 * Takes away expired histories, in part where they are large: about {@link stepRecords} records or ids
 * and {@link stepBytes} of text, and at least one of them.
 */
export function purgeStep(transaction: SqliteTransaction, now: number): PurgeStep {
  const tables = new HistoryTables(transaction);
  const room = { records: stepRecords, bytes: stepBytes };
  let purged = 0;
  while (room.records > 0 && room.bytes > 0) {
    const row = transaction.statement(sql.nextExpired).get(now);
    if (row === undefined) return { purged, isDone: true };
    const history = Number(row['history']);
    const isEmpty = takeRecords(transaction, history, room) && takeIds(transaction, history, room);
    if (!isEmpty) {
      // What is left must not be taken for a whole history, by a clock that is behind.
      transaction.statement(sql.setExpiry).run(longAgo, history);
      continue;
    }
    room.records -= 1;
    tables.remove({
      history,
      version: Number(row['version']),
      lastSequence: Number(row['last_sequence']),
    });
    purged += 1;
  }
  return { purged, isDone: !hasExpiredHistory(transaction, now) };
}

/** Room for more in a step, used up as things are taken away. */
interface Room {
  records: number;
  bytes: number;
}

/** Takes away records, and returns whether none is left. */
function takeRecords(transaction: SqliteTransaction, history: number, room: Room): boolean {
  const rows = transaction.statement(sql.oldestSizes).all(history, room.records);
  const asked = room.records;
  let last: number | undefined;
  let taken = 0;
  for (const row of rows) {
    if (room.bytes <= 0) break;
    last = Number(row['sequence']);
    taken += 1;
    room.records -= 1;
    room.bytes -= Number(row['size']);
  }
  if (last !== undefined) transaction.statement(sql.deleteRecordsUpTo).run(history, last);
  return taken === rows.length && rows.length < asked;
}

/** Takes away remembered ids, and returns whether none is left. */
function takeIds(transaction: SqliteTransaction, history: number, room: Room): boolean {
  const asked = Math.max(room.records, 1);
  const { changes } = transaction.statement(sql.forgetOldestRemoved).run(history, asked);
  room.records -= Number(changes);
  return Number(changes) < asked;
}

import type { SqliteTransaction } from '@minne/sqlite';
import { forgetRecord, type LoggedEntry, logRemoval } from './actor-changes.js';
import { integerOf, type Row, textOf } from './row-values.js';

/** What changing an entry needs to know of it. */
export interface StoredEntry extends LoggedEntry {
  readonly key: number;
  readonly actor: number;
  readonly revision: number;
}

const columns = 'key, id, actor, revision, actor_revision';

/** The entry with this id. */
export function storedEntry(
  transaction: SqliteTransaction,
  storeKey: string,
  id: string,
): StoredEntry | undefined {
  const row = transaction
    .statement(`SELECT ${columns} FROM minne_memory_entries WHERE store_key = ? AND id = ?`)
    .get(storeKey, id);
  return row === undefined ? undefined : toStoredEntry(row);
}

/** Removes an entry and its search record, under a revision of its actor that is new. */
export function removeEntry(
  transaction: SqliteTransaction,
  entry: StoredEntry,
  revision: number,
): void {
  transaction.statement('DELETE FROM minne_memory_entries WHERE key = ?').run(entry.key);
  forgetRecord(transaction, entry.actor, entry);
  logRemoval(transaction, entry.actor, revision, entry.entryId);
}

/** Removes the expired entries of an actor under `revision`. */
export function removeExpired(
  transaction: SqliteTransaction,
  actor: number,
  revision: number,
  now: string,
): void {
  const rows = transaction
    .statement(`SELECT ${columns} FROM minne_memory_entries WHERE actor = ? AND expire_time <= ?`)
    .all(actor, now);
  for (const row of rows) removeEntry(transaction, toStoredEntry(row), revision);
}

/** Removes an entry that has this id if it is expired, whoever's it is. */
export function removeExpiredId(
  transaction: SqliteTransaction,
  storeKey: string,
  id: string,
  now: string,
): void {
  const row = transaction
    .statement(
      `SELECT ${columns} FROM minne_memory_entries
       WHERE store_key = ? AND id = ? AND expire_time <= ?`,
    )
    .get(storeKey, id, now);
  if (row !== undefined) removeUnderOwnRevision(transaction, toStoredEntry(row));
}

/** Removes up to `limit` expired entries of whatever actors. @returns How many there were. */
export function purgeExpired(transaction: SqliteTransaction, now: string, limit: number): number {
  const rows = transaction
    .statement(
      `SELECT ${columns} FROM minne_memory_entries
       WHERE expire_time IS NOT NULL AND expire_time <= ? LIMIT ?`,
    )
    .all(now, limit);
  for (const row of rows) removeUnderOwnRevision(transaction, toStoredEntry(row));
  return rows.length;
}

function removeUnderOwnRevision(transaction: SqliteTransaction, entry: StoredEntry): void {
  const actor = transaction
    .statement(
      'UPDATE minne_memory_actors SET revision = revision + 1 WHERE key = ? RETURNING revision',
    )
    .get(entry.actor);
  if (actor === undefined) throw new Error('An entry has no actor.');
  removeEntry(transaction, entry, integerOf(actor, 'revision'));
}

function toStoredEntry(row: Row): StoredEntry {
  return {
    key: integerOf(row, 'key'),
    entryId: textOf(row, 'id'),
    actor: integerOf(row, 'actor'),
    revision: integerOf(row, 'revision'),
    actorRevision: integerOf(row, 'actor_revision'),
  };
}

import { forgetRecord, type LoggedEntry, logRemoval } from './actor-changes.js';
import type { Connection } from './connection.js';
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
  connection: Connection,
  storeKey: string,
  id: string,
): StoredEntry | undefined {
  const row = connection
    .statement(`SELECT ${columns} FROM minne_memory_entries WHERE store_key = ? AND id = ?`)
    .get(storeKey, id);
  return row === undefined ? undefined : toStoredEntry(row);
}

/** Removes an entry and its search record, under a revision of its actor that is new. */
export function removeEntry(connection: Connection, entry: StoredEntry, revision: number): void {
  connection.statement('DELETE FROM minne_memory_entries WHERE key = ?').run(entry.key);
  forgetRecord(connection, entry.actor, entry);
  logRemoval(connection, entry.actor, revision, entry.entryId);
}

/** Removes the expired entries of an actor under `revision`. */
export function removeExpired(
  connection: Connection,
  actor: number,
  revision: number,
  now: string,
): void {
  const rows = connection
    .statement(`SELECT ${columns} FROM minne_memory_entries WHERE actor = ? AND expire_time <= ?`)
    .all(actor, now);
  for (const row of rows) removeEntry(connection, toStoredEntry(row), revision);
}

/** Removes an entry that has this id if it is expired, whoever's it is. */
export function removeExpiredId(
  connection: Connection,
  storeKey: string,
  id: string,
  now: string,
): void {
  const row = connection
    .statement(
      `SELECT ${columns} FROM minne_memory_entries
       WHERE store_key = ? AND id = ? AND expire_time <= ?`,
    )
    .get(storeKey, id, now);
  if (row !== undefined) removeUnderOwnRevision(connection, toStoredEntry(row));
}

/** Removes up to `limit` expired entries of whatever actors. @returns How many there were. */
export function purgeExpired(connection: Connection, now: string, limit: number): number {
  const rows = connection
    .statement(
      `SELECT ${columns} FROM minne_memory_entries
       WHERE expire_time IS NOT NULL AND expire_time <= ? LIMIT ?`,
    )
    .all(now, limit);
  for (const row of rows) removeUnderOwnRevision(connection, toStoredEntry(row));
  return rows.length;
}

function removeUnderOwnRevision(connection: Connection, entry: StoredEntry): void {
  const actor = connection
    .statement(
      'UPDATE minne_memory_actors SET revision = revision + 1 WHERE key = ? RETURNING revision',
    )
    .get(entry.actor);
  if (actor === undefined) throw new Error('An entry has no actor.');
  removeEntry(connection, entry, integerOf(actor, 'revision'));
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

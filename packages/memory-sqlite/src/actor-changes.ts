import type { ActorChanges, ChangesRequest } from '@minne/memory-engine';
import type { SqliteTransaction } from '@minne/sqlite';
import { bytesOf, integerOf, textOf } from './row-values.js';

/** How many removals of an actor are remembered. A reader that missed more reads everything anew. */
const rememberedRemovals = 1000;

/** The search records of an actor, all or those that changed. */
export function readChanges(transaction: SqliteTransaction, request: ChangesRequest): ActorChanges {
  const actor = transaction
    .statement(
      `SELECT key, revision, complete_since FROM minne_memory_actors
       WHERE store_key = ? AND actor_id = ?`,
    )
    .get(request.storeKey, request.actorId);
  if (actor === undefined) return { revision: 0, complete: true, records: [], removed: [] };
  const revision = integerOf(actor, 'revision');
  const since = request.since ?? -1;
  // A revision from the future is one of a database that has been restored from a copy since.
  const complete = since < integerOf(actor, 'complete_since') || since > revision;
  if (since === revision) return { revision, complete, records: [], removed: [] };
  const key = integerOf(actor, 'key');
  return { revision, complete, ...readRecords(transaction, key, complete ? -1 : since) };
}

function readRecords(
  transaction: SqliteTransaction,
  actor: number,
  since: number,
): Pick<ActorChanges, 'records' | 'removed'> {
  const rows = transaction
    .statement(
      `SELECT entry_id, record FROM minne_memory_changes
       WHERE actor = ? AND revision > ? ORDER BY revision`,
    )
    .all(actor, since);
  // An id that was removed and used again is in both rows: the later one counts.
  const latest = new Map(rows.map((row) => [textOf(row, 'entry_id'), row]));
  const records: ActorChanges['records'][number][] = [];
  const removed: string[] = [];
  for (const [entryId, row] of latest) {
    if (row['record'] === null) removed.push(entryId);
    else records.push({ entryId, record: bytesOf(row, 'record') });
  }
  return { records, removed: since === -1 ? [] : removed };
}

/** An entry as the log of changes knows it. */
export interface LoggedEntry {
  readonly entryId: string;
  /** The revision of the actor under which the log has it now. */
  readonly actorRevision: number;
}

/** Puts the search record of an entry into the log; over its removal, if that has the same revision. */
export function logRecord(
  transaction: SqliteTransaction,
  actor: number,
  revision: number,
  entryId: string,
  record: Uint8Array,
): void {
  transaction
    .statement(
      'INSERT OR REPLACE INTO minne_memory_changes (actor, revision, entry_id, record) VALUES (?, ?, ?, ?)',
    )
    .run(actor, revision, entryId, record);
}

/** Takes the search record of an entry out of the log. */
export function forgetRecord(
  transaction: SqliteTransaction,
  actor: number,
  entry: LoggedEntry,
): void {
  transaction
    .statement('DELETE FROM minne_memory_changes WHERE actor = ? AND revision = ? AND entry_id = ?')
    .run(actor, entry.actorRevision, entry.entryId);
}

/** Puts the removal of an entry into the log, and forgets the oldest removals. */
export function logRemoval(
  transaction: SqliteTransaction,
  actor: number,
  revision: number,
  entryId: string,
): void {
  transaction
    .statement(
      'INSERT INTO minne_memory_changes (actor, revision, entry_id, record) VALUES (?, ?, ?, NULL)',
    )
    .run(actor, revision, entryId);
  const forgotten = transaction
    .statement(
      `SELECT revision FROM minne_memory_changes INDEXED BY minne_memory_removed
       WHERE actor = ? AND record IS NULL ORDER BY revision DESC LIMIT 1 OFFSET ?`,
    )
    .get(actor, rememberedRemovals);
  if (forgotten === undefined) return;
  const completeSince = integerOf(forgotten, 'revision');
  transaction
    .statement(
      `DELETE FROM minne_memory_changes INDEXED BY minne_memory_removed
       WHERE actor = ? AND record IS NULL AND revision <= ?`,
    )
    .run(actor, completeSince);
  transaction
    .statement('UPDATE minne_memory_actors SET complete_since = ? WHERE key = ?')
    .run(completeSince, actor);
}

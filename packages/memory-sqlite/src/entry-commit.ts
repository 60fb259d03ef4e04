import type { MemoryCallOptions } from '@minne/core/memory';
import type {
  CommitConflict,
  CommitResult,
  EntryCommit,
  EntryDelete,
  EntryPut,
} from '@minne/memory-engine';
import type { SqliteDatabase, SqliteTransaction } from '@minne/sqlite';
import { forgetRecord, logRecord } from './actor-changes.js';
import {
  removeEntry,
  removeExpired,
  removeExpiredId,
  type StoredEntry,
  storedEntry,
} from './entry-removal.js';
import { sessionColumn } from './entry-rows.js';
import { integerOf, textOf } from './row-values.js';

/** The actor of a commit, under the revision that the commit makes. */
interface CommitActor {
  readonly storeKey: string;
  readonly key: number;
  readonly revision: number;
}

/** Makes all changes of a commit or none. */
export async function commitEntries(
  database: SqliteDatabase,
  commit: EntryCommit,
  options: MemoryCallOptions | undefined,
): Promise<CommitResult> {
  try {
    await database.write(options, (transaction) => {
      if (!isStoreThere(transaction, commit.storeKey)) throw new Conflict({ kind: 'store' });
      const actor = nextRevision(transaction, commit);
      removeExpired(transaction, actor.key, actor.revision, commit.now);
      for (const { row } of commit.puts) {
        removeExpiredId(transaction, commit.storeKey, row.id, commit.now);
      }
      for (const entry of commit.deletes) removeOne(transaction, actor, entry);
      for (const entry of commit.puts) putOne(transaction, actor, entry);
    });
    return { committed: true };
  } catch (error) {
    if (error instanceof Conflict) return { committed: false, conflict: error.conflict };
    throw error;
  }
}

/** Takes back what a commit has done so far. */
class Conflict extends Error {
  readonly conflict: CommitConflict;

  constructor(conflict: CommitConflict) {
    super(conflict.kind);
    this.conflict = conflict;
  }
}

function isStoreThere(transaction: SqliteTransaction, storeKey: string): boolean {
  const row = transaction
    .statement('SELECT 1 FROM minne_memory_stores WHERE key = ? AND delete_time IS NULL')
    .get(storeKey);
  return row !== undefined;
}

function nextRevision(
  transaction: SqliteTransaction,
  { storeKey, actorId }: EntryCommit,
): CommitActor {
  const row = transaction
    .statement(
      `INSERT INTO minne_memory_actors (store_key, actor_id, revision, complete_since)
       VALUES (?, ?, 1, 0)
       ON CONFLICT (store_key, actor_id) DO UPDATE SET revision = revision + 1
       RETURNING key, revision`,
    )
    .get(storeKey, actorId);
  if (row === undefined) throw new Error('An insert gave no row back.');
  return { storeKey, key: integerOf(row, 'key'), revision: integerOf(row, 'revision') };
}

function removeOne(transaction: SqliteTransaction, actor: CommitActor, entry: EntryDelete): void {
  const stored = expectRevision(transaction, actor, entry.id, entry.expected);
  removeEntry(transaction, stored, actor.revision);
}

function putOne(transaction: SqliteTransaction, actor: CommitActor, entry: EntryPut): void {
  const { row, expected, searchRecord } = entry;
  checkPlace(transaction, actor, entry);
  if (expected === null) {
    if (storedEntry(transaction, actor.storeKey, row.id) !== undefined) {
      throw new Conflict({ kind: 'id', entryId: row.id });
    }
  } else {
    const stored = expectRevision(transaction, actor, row.id, expected);
    forgetRecord(transaction, actor.key, stored);
  }
  writeRow(transaction, actor, entry);
  logRecord(transaction, actor.key, actor.revision, row.id, searchRecord);
}

/** @throws Conflict unless the entry is this actor's and at this revision. */
function expectRevision(
  transaction: SqliteTransaction,
  actor: CommitActor,
  entryId: string,
  expected: number,
): StoredEntry {
  const stored = storedEntry(transaction, actor.storeKey, entryId);
  if (stored?.revision !== expected || stored.actor !== actor.key) {
    throw new Conflict({ kind: 'revision', entryId });
  }
  return stored;
}

/** @throws Conflict when another entry is at this path and session. */
function checkPlace(transaction: SqliteTransaction, actor: CommitActor, { row }: EntryPut): void {
  const occupant = transaction
    .statement(
      'SELECT id FROM minne_memory_entries WHERE actor = ? AND path = ? AND session = ? AND id <> ?',
    )
    .get(actor.key, row.path, sessionColumn(row.sessionId), row.id);
  if (occupant !== undefined) {
    throw new Conflict({ kind: 'key', entryId: textOf(occupant, 'id') });
  }
}

function writeRow(transaction: SqliteTransaction, actor: CommitActor, { row }: EntryPut): void {
  transaction
    .statement(
      `INSERT INTO minne_memory_entries (
         store_key, id, actor, path, session, description, metadata, source, create_time,
         update_time, expire_time, content_sha256, revision, actor_revision, content
       ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (store_key, id) DO UPDATE SET
         path = excluded.path, session = excluded.session, description = excluded.description,
         metadata = excluded.metadata, source = excluded.source,
         update_time = excluded.update_time, expire_time = excluded.expire_time,
         content_sha256 = excluded.content_sha256, revision = excluded.revision,
         actor_revision = excluded.actor_revision, content = excluded.content`,
    )
    .run(
      actor.storeKey,
      row.id,
      actor.key,
      row.path,
      sessionColumn(row.sessionId),
      row.description,
      JSON.stringify(row.metadata),
      row.source,
      row.createTime,
      row.updateTime,
      row.expireTime,
      row.contentSha256,
      row.revision,
      actor.revision,
      row.content,
    );
}

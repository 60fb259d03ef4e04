import type { MemoryCallOptions } from '@minne/core/memory';
import type {
  ActorChanges,
  ChangesRequest,
  CommitResult,
  EntryCommit,
  EntryLookup,
  EntryPage,
  EntryRow,
  EntryTable,
} from '@minne/memory-engine';
import type { SqliteDatabase } from '@minne/sqlite';
import { readChanges } from './actor-changes.js';
import { commitEntries } from './entry-commit.js';
import { entriesWithActor, entryColumns, sessionColumn, toEntryRow } from './entry-rows.js';

/** The entries in SQLite. */
export class SqliteEntryTable implements EntryTable {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  get(
    { storeKey, ids, now, withContent }: EntryLookup,
    options?: MemoryCallOptions,
  ): Promise<readonly EntryRow[]> {
    const sql = `SELECT ${entryColumns(withContent)} FROM ${entriesWithActor}
      WHERE entries.store_key = ? AND id IN (SELECT value FROM json_each(?))
        AND (expire_time IS NULL OR expire_time > ?)`;
    return this.#database.read(options, (transaction) =>
      transaction.statement(sql).all(storeKey, JSON.stringify(ids), now).map(toEntryRow),
    );
  }

  list(page: EntryPage, options?: MemoryCallOptions): Promise<readonly EntryRow[]> {
    const { sql, values } = listQuery(page);
    return this.#database.read(options, (transaction) =>
      transaction
        .statement(sql)
        .all(...values)
        .map(toEntryRow),
    );
  }

  commit(commit: EntryCommit, options?: MemoryCallOptions): Promise<CommitResult> {
    return commitEntries(this.#database, commit, options);
  }

  changes(request: ChangesRequest, options?: MemoryCallOptions): Promise<ActorChanges> {
    return this.#database.read(options, (transaction) => readChanges(transaction, request));
  }
}

/** One range of the index on actor, path and session, which is also the order. */
function listQuery(page: EntryPage): {
  readonly sql: string;
  readonly values: (string | number)[];
} {
  const { path, paths, sessionId, after } = page;
  const conditions = ['actors.store_key = ?', 'actors.actor_id = ?'];
  const values: (string | number)[] = [page.storeKey, page.actorId];
  const add = (condition: string, ...given: readonly string[]) => {
    conditions.push(condition);
    values.push(...given);
  };
  if (path !== undefined) add('path = ?', path);
  if (sessionId !== undefined) add('session = ?', sessionColumn(sessionId));
  if (paths !== undefined) add('path < ?', paths.before);
  // One lower bound for SQLite to seek (`+` hides the other), as near as can be.
  const from = latestOf(paths?.from, after?.path);
  if (from !== undefined) add('path >= ?', from);
  // Within an actor, path and session name one entry: its id never decides.
  if (after !== undefined) {
    add('(+path, session) > (?, ?)', after.path, sessionColumn(after.sessionId));
  }
  add('(expire_time IS NULL OR expire_time > ?)', page.now);
  values.push(page.limit);
  const sql = `SELECT ${entryColumns(page.withContent)} FROM ${entriesWithActor}
    WHERE ${conditions.join(' AND ')} ORDER BY path, session LIMIT ?`;
  return { sql, values };
}

/** The later of two paths in the order of their bytes. */
function latestOf(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0 ? right : left;
}

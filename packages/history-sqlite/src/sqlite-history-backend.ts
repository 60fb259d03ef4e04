import {
  type AppendResult,
  type Clock,
  ConflictError,
  checkHistoryKey,
  checkId,
  checkLoadOptions,
  checkMaxMessages,
  checkNewRecords,
  type HistoryBackend,
  type HistoryCallOptions,
  type HistoryFilter,
  type HistoryKey,
  type HistoryListing,
  type HistoryRecord,
  type LoadOptions,
  type LoadResult,
  type NewHistoryRecord,
  numberReplacement,
  type ReplaceOptions,
  systemClock,
  timestamp,
} from '@minne/core';
import { SqliteDatabase } from '@minne/sqlite';
import { historySchema } from './history-schema.js';
import { historySql as sql } from './history-sql.js';
import { HistoryTables } from './history-tables.js';
import { packageName } from './package-name.js';
import { readRecords } from './read-records.js';
import type { SqliteHistoryBackendOptions } from './sqlite-history-options.js';

const listPageSize = 100;

/**
 * Keeps history in a SQLite file, on the SQLite that is built into Node.
 *
 * Several processes may use one file. What an append resolved for is on the disk (`synchronous=FULL`)
 * and survives a kill of the process and a loss of power. Queries block the event loop while they run;
 * waiting for another process does not.
 *
 * Ids of stored messages are always known; of those that were trimmed or replaced, the 10,000 newest of
 * each history are. Every method throws InvalidInputError for input that cannot be stored and
 * StoreError, `retryable` when another process was in the way, for what SQLite refuses.
 */
export class SqliteHistoryBackend implements HistoryBackend {
  readonly specificationVersion = 'v1' as const;
  readonly #database: SqliteDatabase;
  readonly #maxMessages: number | undefined;
  readonly #clock: Clock;

  /**
   * Opens the file and makes the tables, waiting for at most `busyTimeout` for other processes that do
   * the same.
   *
   * @throws ConfigurationError for options that cannot work; StoreError when the file is no database
   * or was written by a newer version.
   */
  constructor(options: SqliteHistoryBackendOptions) {
    checkMaxMessages(options.maxMessages, packageName);
    this.#maxMessages = options.maxMessages;
    this.#clock = options.clock ?? systemClock;
    this.#database = new SqliteDatabase(options, {
      packageName,
      what: 'history store',
      schema: historySchema,
    });
    this.#database.open();
  }

  async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    { signal }: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const { sessionId, actorId } = checked(key);
    checkNewRecords(records, { packageName, sessionId });
    const own = records.map((record) => ({ ...record }));
    if (own.length === 0) {
      return this.#database.read({ sessionId, signal }, (transaction) => {
        const stored = new HistoryTables(transaction).find(key);
        return { version: versionOf(stored), duplicates: [] };
      });
    }
    return this.#database.write({ sessionId, signal }, (transaction) => {
      const tables = new HistoryTables(transaction);
      const stored = tables.find(key) ?? tables.create(key);
      const duplicates = tables.insertNew(stored, own);
      if (duplicates.length < own.length) {
        tables.trim(stored, this.#maxMessages);
        tables.save(stored, actorId, timestamp(this.#clock));
      }
      return { version: versionOf(stored), duplicates };
    });
  }

  async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const { sessionId } = checked(key);
    const { signal, limit, before } = options;
    checkLoadOptions(options, { packageName, sessionId });
    const ids = [...(options.ids ?? [])];
    return this.#database.read({ sessionId, signal }, (transaction) => {
      const tables = new HistoryTables(transaction);
      const stored = tables.find(key);
      const version = versionOf(stored);
      if (stored === undefined) return { records: [], version, knownIds: [], damaged: [] };
      const { records, damaged } = readRecords(transaction, stored.history, { limit, before });
      return { records, version, knownIds: tables.knownAmong(stored, ids), damaged };
    });
  }

  /** Forgets the history. Its text is overwritten in the file, not only unlinked. */
  async clear(key: HistoryKey, { signal }: HistoryCallOptions = {}): Promise<void> {
    const { sessionId } = checked(key);
    const removed = await this.#database.write({ sessionId, signal }, (transaction) => {
      const tables = new HistoryTables(transaction);
      const stored = tables.find(key);
      if (stored !== undefined) tables.remove(stored);
      return stored !== undefined;
    });
    if (removed) this.#database.emptyLog();
  }

  async replace(
    key: HistoryKey,
    records: readonly (HistoryRecord | NewHistoryRecord)[],
    { signal, version }: ReplaceOptions,
  ): Promise<AppendResult> {
    const { sessionId, actorId } = checked(key);
    checkNewRecords(records, { packageName, sessionId });
    const own = records.map((record) => ({ ...record }));
    return this.#database.write({ sessionId, signal }, (transaction) => {
      const tables = new HistoryTables(transaction);
      const found = tables.find(key);
      if (version !== versionOf(found)) throw conflict(sessionId, version, versionOf(found));
      const stored = found ?? tables.create(key);
      const numbered = numberReplacement(own, stored.lastSequence, { packageName, sessionId });
      tables.replaceAll(stored, numbered);
      tables.trim(stored, this.#maxMessages);
      tables.save(stored, actorId, timestamp(this.#clock));
      return { version: versionOf(stored), duplicates: [] };
    });
  }

  /** A history that is written while the list is read may be missing from the rest of it. */
  async *list(
    { actorId }: HistoryFilter,
    { signal }: HistoryCallOptions = {},
  ): AsyncGenerator<HistoryListing, void, undefined> {
    checkId(actorId, 'actorId', { packageName });
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const page = await this.#database.read({ signal }, (transaction) =>
        transaction.statement(sql.listActor).all(actorId, before, listPageSize),
      );
      for (const row of page) {
        const [sessionId, sourceId] = [String(row['session_id']), String(row['source_id'])];
        yield { key: { sessionId, sourceId, actorId }, updatedAt: String(row['updated_at']) };
      }
      const last = page.at(-1);
      if (last === undefined || page.length < listPageSize) return;
      before = Number(last['activity']);
    }
  }

  /**
   * Forgets every history of an actor, in one step. Its text is overwritten in the file.
   *
   * @returns How many histories that were.
   */
  async eraseActor(actorId: string, { signal }: HistoryCallOptions = {}): Promise<number> {
    checkId(actorId, 'actorId', { packageName });
    const count = await this.#database.write({ signal }, (transaction) =>
      new HistoryTables(transaction).removeActor(actorId),
    );
    if (count > 0) this.#database.emptyLog();
    return count;
  }

  /** Waits for what was begun and closes the file. A `database` of your own stays open. */
  async close(): Promise<void> {
    await this.#database.close();
  }
}

function checked(key: HistoryKey): HistoryKey {
  checkHistoryKey(key, { packageName });
  return key;
}

/** The version of a history; of one that was never written, `0`. */
function versionOf(stored: { readonly version: number } | undefined): string {
  return String(stored?.version ?? 0);
}

function conflict(sessionId: string, given: string, stored: string): ConflictError {
  return new ConflictError(
    `The history of session ${sessionId} is at version ${stored}, not ${given}. Load it again and repeat the change.`,
    { packageName, field: 'version', sessionId },
  );
}

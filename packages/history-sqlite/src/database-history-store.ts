import {
  type AppendResult,
  ConflictError,
  type HistoryExpiryOptions,
  type HistoryKey,
  type LoadResult,
  numberReplacement,
} from '@minne/core';
import { SqliteDatabase, type SqliteOptions, type SqliteTransaction } from '@minne/sqlite';
import { historyDeadline } from './history-deadline.js';
import { HistoryRecords } from './history-records.js';
import { historySchema } from './history-schema.js';
import { historySql as sql } from './history-sql.js';
import type { HistoryCalls, HistoryStore, ListPage } from './history-store.js';
import { HistoryTables } from './history-tables.js';
import { packageName } from './package-name.js';
import { hasExpiredHistory, type PurgeStep, purgeStep } from './purge-expired.js';
import { readRecords } from './read-records.js';
import { hasExpired, type StoredHistory } from './stored-history.js';

const listPageSize = 100;

/** Milliseconds for which nothing is swept after a sweep has failed. */
const restAfterFailure = 60_000;

/** Options of {@link DatabaseHistoryStore}. */
export type DatabaseHistoryStoreOptions = SqliteOptions &
  HistoryExpiryOptions & { readonly maxMessages?: number };

/** Keeps histories in a database that this thread has open. */
export class DatabaseHistoryStore implements HistoryStore {
  readonly #database: SqliteDatabase;
  readonly #maxMessages: number | undefined;
  readonly #expiry: HistoryExpiryOptions;
  #isSweeping = false;
  #restsUntil = 0;

  /** Opens the database. @throws ConfigurationError, StoreError. */
  constructor(options: DatabaseHistoryStoreOptions) {
    this.#maxMessages = options.maxMessages;
    this.#expiry = options;
    this.#database = new SqliteDatabase(options, {
      packageName,
      what: 'history store',
      schema: historySchema,
    });
    this.#database.open();
  }

  async append(
    { key, records, now }: HistoryCalls['append']['input'],
    signal: AbortSignal | undefined,
  ): Promise<AppendResult> {
    const { sessionId, actorId } = key;
    if (records.length === 0) {
      return this.#database.read({ sessionId, signal }, (transaction) => {
        const stored = new HistoryTables(transaction).findLiving(key, now);
        return { version: versionOf(stored), duplicates: [] };
      });
    }
    return this.#write({ sessionId, signal, now }, (transaction) => {
      const tables = new HistoryTables(transaction);
      const stored = this.#takeLiving(tables, key, now) ?? tables.create(key, now);
      if (stored.recordCount === 0) stored.beganAt = now;
      const kept = new HistoryRecords(transaction, stored);
      const duplicates = kept.insertNew(records);
      if (duplicates.length < records.length) {
        kept.trim(this.#maxMessages);
        tables.save(stored, { actorId, now, expiresAt: this.#deadline(stored, now) });
      }
      return { version: versionOf(stored), duplicates };
    });
  }

  async load(
    { key, limit, before, ids, now }: HistoryCalls['load']['input'],
    signal: AbortSignal | undefined,
  ): Promise<LoadResult> {
    const { sessionId } = key;
    const loaded = await this.#database.read({ sessionId, signal }, (transaction) => {
      const stored = new HistoryTables(transaction).findLiving(key, now);
      if (stored === undefined) return undefined;
      const { records, damaged } = readRecords(transaction, stored.history, { limit, before });
      const knownIds = new HistoryRecords(transaction, stored).knownAmong(ids);
      return { records, version: versionOf(stored), knownIds, damaged };
    });
    if (loaded === undefined) {
      return { records: [], version: versionOf(undefined), knownIds: [], damaged: [] };
    }
    if (this.#expiry.refreshOnRead === true) {
      await this.#database.write({ sessionId, signal }, (transaction) => {
        const tables = new HistoryTables(transaction);
        const stored = tables.findLiving(key, now);
        if (stored !== undefined) tables.setExpiry(stored, this.#deadline(stored, now));
      });
    }
    return loaded;
  }

  async clear(
    { key, now }: HistoryCalls['clear']['input'],
    signal: AbortSignal | undefined,
  ): Promise<undefined> {
    const { sessionId } = key;
    const removed = await this.#write({ sessionId, signal, now }, (transaction) => {
      const tables = new HistoryTables(transaction);
      const stored = tables.find(key);
      if (stored !== undefined) tables.remove(stored);
      return stored !== undefined;
    });
    if (removed || this.#database.isLogDue) this.#database.emptyLog();
  }

  async replace(
    { key, records, version, now }: HistoryCalls['replace']['input'],
    signal: AbortSignal | undefined,
  ): Promise<AppendResult> {
    const { sessionId, actorId } = key;
    return this.#write({ sessionId, signal, now }, (transaction) => {
      const tables = new HistoryTables(transaction);
      const found = this.#takeLiving(tables, key, now);
      if (version !== versionOf(found)) throw conflict(sessionId, version, versionOf(found));
      const stored = found ?? tables.create(key, now);
      if (stored.recordCount === 0) stored.beganAt = now;
      const numbered = numberReplacement(records, stored.lastSequence, { packageName, sessionId });
      const kept = new HistoryRecords(transaction, stored);
      kept.replaceAll(numbered);
      kept.trim(this.#maxMessages);
      tables.save(stored, { actorId, now, expiresAt: this.#deadline(stored, now) });
      return { version: versionOf(stored), duplicates: [] };
    });
  }

  async listPage(
    { actorId, before, now }: HistoryCalls['listPage']['input'],
    signal: AbortSignal | undefined,
  ): Promise<ListPage> {
    const end = before ?? Number.MAX_SAFE_INTEGER;
    const rows = await this.#database.read({ signal }, (transaction) =>
      transaction.statement(sql.listActor).all(actorId, end, now, listPageSize),
    );
    const listings = rows.map((row) => {
      const [sessionId, sourceId] = [String(row['session_id']), String(row['source_id'])];
      return { key: { sessionId, sourceId, actorId }, updatedAt: String(row['updated_at']) };
    });
    const last = rows.at(-1);
    const isLastPage = last === undefined || rows.length < listPageSize;
    return { listings, next: isLastPage ? undefined : Number(last['activity']) };
  }

  async eraseActor(
    { actorId, now }: HistoryCalls['eraseActor']['input'],
    signal: AbortSignal | undefined,
  ): Promise<number> {
    const removed = await this.#database.write({ signal }, (transaction) =>
      new HistoryTables(transaction).removeActor(actorId, now),
    );
    if (removed.all > 0 || this.#database.isLogDue) this.#database.emptyLog();
    return removed.living;
  }

  async purgeStep(
    { now }: HistoryCalls['purgeStep']['input'],
    signal: AbortSignal | undefined,
  ): Promise<PurgeStep> {
    const step = await this.#database.write({ signal }, (transaction) =>
      purgeStep(transaction, now),
    );
    if (step.isDone) this.#database.emptyLog();
    return step;
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  /** Writes, and sets a sweep going when something in the file has expired. */
  async #write<T>(
    { sessionId, signal, now }: WriteCall,
    work: (transaction: SqliteTransaction) => T,
  ): Promise<T> {
    const { result, isSweepDue } = await this.#database.write(
      { sessionId, signal },
      (transaction) => ({
        result: work(transaction),
        isSweepDue: hasExpiredHistory(transaction, now),
      }),
    );
    if (isSweepDue) this.#sweep(now);
    return result;
  }

  /**
   * Takes away one step of what has expired, behind the write that found it: that one is acknowledged, and
   * must neither wait for this nor fail with it. What is wrong is told by {@link purgeStep}.
   */
  #sweep(now: number): void {
    if (this.#isSweeping || performance.now() < this.#restsUntil) return;
    this.#isSweeping = true;
    const swept = this.#database.write({}, (transaction) => {
      if (purgeStep(transaction, now).isDone) this.#database.emptyLogLater();
    });
    swept
      .catch(() => {
        this.#restsUntil = performance.now() + restAfterFailure;
      })
      .finally(() => {
        this.#isSweeping = false;
      });
  }

  /** The history of a key. One that has expired is taken away first. */
  #takeLiving(tables: HistoryTables, key: HistoryKey, now: number): StoredHistory | undefined {
    const stored = tables.find(key);
    if (stored === undefined || !hasExpired(stored.expiresAt, now)) return stored;
    tables.remove(stored);
    this.#database.emptyLogLater();
    return undefined;
  }

  #deadline({ beganAt }: StoredHistory, now: number): number | null {
    return historyDeadline(this.#expiry, beganAt, now);
  }
}

/** On what occasion is written. */
interface WriteCall {
  readonly sessionId: string;
  readonly signal: AbortSignal | undefined;
  readonly now: number;
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

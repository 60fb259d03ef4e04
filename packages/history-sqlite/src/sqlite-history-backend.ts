import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AppendResult,
  type Clock,
  ConfigurationError,
  checkExpiry,
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
} from '@minne/core';
import { checkSqliteOptions } from '@minne/sqlite';
import {
  DatabaseHistoryStore,
  type DatabaseHistoryStoreOptions,
} from './database-history-store.js';
import type { HistoryStore } from './history-store.js';
import { packageName } from './package-name.js';
import type { SqliteHistoryBackendOptions } from './sqlite-history-options.js';
import { WorkerHistoryStore } from './worker-history-store.js';

/**
 * Keeps history in a SQLite file, on the SQLite that is built into Node.
 *
 * Several processes may use one file. What an append resolved for is on the disk (`synchronous=FULL`)
 * and survives a kill of the process and a loss of power. Queries block the event loop while they run,
 * unless `worker` is set; waiting for another process does not.
 *
 * Ids of stored messages are always known; of those that were trimmed or replaced, the 10,000 newest of
 * each history are. Every method throws InvalidInputError for input that cannot be stored and
 * StoreError, `retryable` when another process was in the way, for what SQLite refuses.
 *
 * With `worker`, a call whose `signal` aborts rejects at once; what the thread was doing for it may still be
 * written. When the thread ends by a fault, the calls under way reject with a StoreError that is `retryable`
 * (an append may have been written: repeated, it is written once), and the next call starts another thread.
 */
export class SqliteHistoryBackend implements HistoryBackend {
  readonly specificationVersion = 'v1' as const;
  readonly #store: HistoryStore;
  readonly #clock: Clock;

  /**
   * Opens the file and makes the tables, waiting for at most `busyTimeout` for other processes that do
   * the same. With `worker`, the first call does so, and throws what is said here of the file.
   *
   * @throws ConfigurationError for options that cannot work; StoreError when the file is no database
   * or was written by a newer version.
   */
  constructor(options: SqliteHistoryBackendOptions) {
    checkMaxMessages(options.maxMessages, packageName);
    checkExpiry(options, packageName);
    this.#clock = options.clock ?? systemClock;
    this.#store =
      options.worker === true
        ? new WorkerHistoryStore(workerOptions(options))
        : new DatabaseHistoryStore(options);
  }

  async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    { signal }: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const own = checked(key);
    checkNewRecords(records, { packageName, sessionId: own.sessionId });
    const now = this.#now();
    return this.#store.append({ key: own, records: records.map(copyOf), now }, signal);
  }

  /** Reads in one step. With `refreshOnRead` it then writes, which takes what a small append takes. */
  async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const own = checked(key);
    const { signal, limit, before } = options;
    checkLoadOptions(options, { packageName, sessionId: own.sessionId });
    const ids = [...(options.ids ?? [])];
    return this.#store.load({ key: own, limit, before, ids, now: this.#now() }, signal);
  }

  /** Forgets the history. Its text is overwritten in the file, not only unlinked. */
  async clear(key: HistoryKey, { signal }: HistoryCallOptions = {}): Promise<void> {
    await this.#store.clear({ key: checked(key), now: this.#now() }, signal);
  }

  async replace(
    key: HistoryKey,
    records: readonly (HistoryRecord | NewHistoryRecord)[],
    { signal, version }: ReplaceOptions,
  ): Promise<AppendResult> {
    const own = checked(key);
    // For its checks: the numbers are given in the transaction, which knows the highest sequence.
    numberReplacement(records, 0, { packageName, sessionId: own.sessionId });
    const copies = records.map((record) =>
      'sequence' in record ? { ...copyOf(record), sequence: record.sequence } : copyOf(record),
    );
    const now = this.#now();
    return this.#store.replace({ key: own, records: copies, version, now }, signal);
  }

  /** A history that is written while the list is read may be missing from the rest of it. */
  async *list(
    { actorId }: HistoryFilter,
    { signal }: HistoryCallOptions = {},
  ): AsyncGenerator<HistoryListing, void, undefined> {
    checkId(actorId, 'actorId', { packageName });
    let before: number | undefined;
    do {
      const page = await this.#store.listPage({ actorId, before, now: this.#now() }, signal);
      yield* page.listings;
      before = page.next;
    } while (before !== undefined);
  }

  /**
   * Forgets every history of an actor, in one step. Its text is overwritten in the file.
   *
   * @returns How many histories that were; those that had expired are not counted.
   */
  async eraseActor(actorId: string, { signal }: HistoryCallOptions = {}): Promise<number> {
    checkId(actorId, 'actorId', { packageName });
    return this.#store.eraseActor({ actorId, now: this.#now() }, signal);
  }

  /**
   * Takes every history that has expired out of the file and overwrites its text. Writes do that by
   * themselves, a little at a time; this is for a file in which nobody writes, or that is to be clean now.
   * It goes in small steps, between which others get their turn; what was done stays done when it fails.
   *
   * @returns How many histories that were.
   */
  async purgeExpired({ signal }: Pick<HistoryCallOptions, 'signal'> = {}): Promise<number> {
    const now = this.#now();
    let count = 0;
    for (;;) {
      const { purged, isDone } = await this.#store.purgeStep({ now }, signal);
      count += purged;
      if (isDone) return count;
      await nextTurn();
    }
  }

  /** Waits for what was begun and closes the file. A `database` of your own stays open. */
  async close(): Promise<void> {
    await this.#store.close();
  }

  /** @throws ConfigurationError when the clock names no time. */
  #now(): number {
    const now = this.#clock().getTime();
    if (!Number.isNaN(now)) return now;
    throw new ConfigurationError('clock gave an invalid Date. Let it give the time.', {
      packageName,
      field: 'clock',
    });
  }
}

function checked(key: HistoryKey): HistoryKey {
  checkHistoryKey(key, { packageName });
  const { sessionId, sourceId, actorId } = key;
  return { sessionId, sourceId, ...(actorId === undefined ? {} : { actorId }) };
}

/** What of a record is kept, safe from what its owner does next and fit to be sent to a thread. */
function copyOf({ v, id, group, kind, payload }: NewHistoryRecord): NewHistoryRecord {
  return { v, id, group, kind, payload };
}

/** The options as a thread can be sent them. @throws ConfigurationError for those it cannot use. */
function workerOptions(options: SqliteHistoryBackendOptions): DatabaseHistoryStoreOptions {
  const { target, busyTimeout } = checkSqliteOptions(options, packageName);
  if (typeof target !== 'string') {
    throw new ConfigurationError(
      'database cannot be used with worker, since no other thread can use it. Give path, or leave worker out.',
      { packageName, field: 'worker' },
    );
  }
  const { maxMessages, ttl, expiry, refreshOnRead } = options;
  return {
    path: target,
    busyTimeout,
    ...(maxMessages === undefined ? {} : { maxMessages }),
    ...(ttl === undefined ? {} : { ttl }),
    ...(expiry === undefined ? {} : { expiry }),
    ...(refreshOnRead === undefined ? {} : { refreshOnRead }),
  };
}

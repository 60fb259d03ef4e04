import {
  type AppendResult,
  ConflictError,
  checkHistoryKey,
  checkId,
  checkLoadOptions,
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
} from '@minne/core';
import { openSchema, quoted } from './history-schema.js';
import { readLoaded } from './loaded-rows.js';
import { packageName } from './package-name.js';
import { toStoredText } from './payload-text.js';
import { PostgresConnection, type Row, type UseOptions } from './postgres-connection.js';
import { checkOptions, type PostgresHistoryBackendOptions } from './postgres-history-options.js';
import { untilAborted } from './within.js';

/** How many histories are listed, erased or purged by one statement. */
const pageSize = 100;

/** After how many records and remembered ids a statement erases or purges no further history. */
const forgottenRows = 10_000;

/**
 * Keeps history in PostgreSQL, for any number of processes.
 *
 * Every method is one statement and one round trip, a function of the schema; an append, load, replacement or
 * clear is one transaction. It keeps no state in a connection, so that poolers of transactions may stand in
 * between. The schema is made at the first call.
 *
 * Ids of stored messages are always known; of those that were trimmed or replaced, the 10,000 newest of
 * each history are. Every method throws InvalidInputError for input that cannot be stored, and StoreError,
 * `retryable` when the server or the way to it failed for now. A call whose `signal` aborts while the server
 * works on it may be done or not: making it again is safe.
 */
export class PostgresHistoryBackend implements HistoryBackend {
  readonly specificationVersion = 'v1' as const;
  readonly #options: PostgresHistoryBackendOptions;
  readonly #schema: string;
  readonly #connection: PostgresConnection;
  #opened: Promise<void> | undefined;

  /** Connects to nothing yet. @throws ConfigurationError for options that cannot work. */
  constructor(options: PostgresHistoryBackendOptions) {
    checkOptions(options);
    this.#options = { ...options };
    this.#schema = options.schema ?? 'minne';
    this.#connection = new PostgresConnection(this.#options);
  }

  /**
   * Makes the schema when it is missing. Every method does so by itself; called at the start of an
   * application it shows at once whether the server can be used.
   */
  async open({ signal }: Pick<HistoryCallOptions, 'signal'> = {}): Promise<void> {
    await this.#connection.begin(() => this.#open(signal));
  }

  async #open(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#opened === undefined) {
      const opening = openSchema(this.#connection, this.#schema);
      this.#opened = opening;
      // The next call tries again.
      opening.catch(() => {
        this.#opened = undefined;
      });
    }
    await untilAborted(this.#opened, signal);
  }

  async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    { signal }: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const { sessionId, sourceId, actorId } = checked(key);
    checkNewRecords(records, { packageName, sessionId });
    if (records.length === 0) {
      const { version } = await this.#load({ sessionId, sourceId }, { limit: 0 }, signal);
      return { version, duplicates: [] };
    }
    const values = [sessionId, sourceId, actorId, ...columnsOf(records), ...this.#keeping()];
    const [first, ...known] = await this.#call('append', values, { signal, sessionId });
    return {
      version: String(first?.[0]),
      duplicates: known.map(([, duplicate]) => String(duplicate)),
    };
  }

  async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const { sessionId } = checked(key);
    checkLoadOptions(options, { packageName, sessionId });
    return this.#load(key, options, options.signal, this.#options.refreshOnRead);
  }

  async clear(key: HistoryKey, { signal }: HistoryCallOptions = {}): Promise<void> {
    const { sessionId, sourceId } = checked(key);
    const values = [sessionId, sourceId, this.#connection.lockTimeout];
    await this.#call('clear', values, { signal, sessionId });
  }

  async replace(
    key: HistoryKey,
    records: readonly (HistoryRecord | NewHistoryRecord)[],
    { signal, version }: ReplaceOptions,
  ): Promise<AppendResult> {
    const { sessionId, sourceId, actorId } = checked(key);
    // For its checks: the server numbers, since it knows the highest sequence.
    numberReplacement(records, 0, { packageName, sessionId });
    const sequences = records.map((record) => ('sequence' in record ? record.sequence : null));
    const values = [sessionId, sourceId, actorId, String(version), sequences];
    const [[saved, present] = []] = await this.#call(
      'replace',
      [...values, ...columnsOf(records), ...this.#keeping()],
      { signal, sessionId },
    );
    if (saved === null) throw conflict(sessionId, version, String(present));
    return { version: String(saved), duplicates: [] };
  }

  /** A history that is written while the list is read may be missing from the rest of it. */
  async *list(
    { actorId }: HistoryFilter,
    { signal }: HistoryCallOptions = {},
  ): AsyncGenerator<HistoryListing, void, undefined> {
    checkId(actorId, 'actorId', { packageName });
    let before: string | null = String(2n ** 63n - 1n);
    for (;;) {
      const page: readonly Row[] = await this.#call('list', [actorId, before, pageSize], {
        signal,
      });
      for (const [sessionId, sourceId, , updatedAt] of page) {
        const key = { sessionId: String(sessionId), sourceId: String(sourceId), actorId };
        yield { key, updatedAt: String(updatedAt) };
      }
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) return;
      before = last[2] ?? null;
    }
  }

  /**
   * Forgets every history of an actor that was there when it was called, also those that are being written:
   * at most 100 in a transaction, so that a failure in between leaves some, each of them whole. Call it again then.
   *
   * @returns How many histories that were.
   */
  async eraseActor(actorId: string, { signal }: HistoryCallOptions = {}): Promise<number> {
    checkId(actorId, 'actorId', { packageName });
    let count = 0;
    let top: string | null = null;
    for (;;) {
      const values = [actorId, top, pageSize, forgottenRows, this.#connection.lockTimeout];
      const [row]: readonly Row[] = await this.#call('erase', values, { signal });
      top = row?.[0] ?? null;
      count += Number(row?.[2]);
      if (Number(row?.[1]) === 0) return count;
    }
  }

  /**
   * Takes what has expired from the tables. It is not found any more in any case: this gives its space back.
   * For a job that runs now and then. What another process is working on is passed over.
   *
   * @returns How many histories that were.
   */
  async purgeExpired({ signal }: Pick<HistoryCallOptions, 'signal'> = {}): Promise<number> {
    let count = 0;
    for (;;) {
      const [[seen, gone] = []] = await this.#call('purge', [pageSize, forgottenRows], { signal });
      count += Number(gone);
      if (Number(seen) === 0) return count;
    }
  }

  /** Waits for what was begun and closes the connections. A `pool` of your own stays open. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #load(
    { sessionId, sourceId }: HistoryKey,
    { limit, before, ids }: LoadOptions,
    signal: AbortSignal | undefined,
    isRefreshing = false,
  ): Promise<LoadResult> {
    const values = [sessionId, sourceId, limit, before, [...new Set(ids)]];
    const use = { signal, sessionId };
    return readLoaded(
      isRefreshing
        ? await this.#call('load_refreshing', [...values, this.#options.ttl], use)
        : await this.#call('load', values, use),
    );
  }

  /** What a write is told of how to keep a history, and how long to wait for it. */
  #keeping(): unknown[] {
    const { maxMessages, ttl, expiry } = this.#options;
    return [maxMessages, ttl, expiry === 'fixed', this.#connection.lockTimeout];
  }

  /** Calls a function of the schema, whose names begin with `history_`. */
  async #call(name: string, values: unknown[], options: UseOptions): Promise<readonly Row[]> {
    const places = values.map((_, index) => `$${index + 1}`).join(', ');
    const text = `SELECT * FROM ${quoted(this.#schema)}.history_${name}(${places})`;
    return this.#connection.begin(async () => {
      await this.#open(options.signal);
      return this.#connection.query(text, values, options);
    });
  }
}

function checked(key: HistoryKey): HistoryKey {
  checkHistoryKey(key, { packageName });
  return key;
}

/** The records as arrays, one for each column. */
function columnsOf(records: readonly NewHistoryRecord[]): unknown[] {
  return [
    records.map(({ v }) => v),
    records.map(({ id }) => id),
    records.map(({ group }) => group),
    records.map(({ kind }) => kind),
    records.map(({ payload }) => toStoredText(payload)),
  ];
}

function conflict(sessionId: string, given: string, stored: string): ConflictError {
  return new ConflictError(
    `The history of session ${sessionId} is at version ${stored}, not ${given}. Load it again and repeat the change.`,
    { packageName, field: 'version', sessionId },
  );
}

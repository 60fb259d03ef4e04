import type { DatabaseSync } from 'node:sqlite';
import { isBusy, isUnusable } from './result-code.js';
import {
  reading,
  SqliteConnection,
  type SqliteTransaction,
  type TransactionKind,
  writing,
} from './sqlite-connection.js';
import { Failures } from './sqlite-failure.js';
import { checkSqliteOptions, type SqliteOptions } from './sqlite-options.js';
import type { SqliteOwner } from './sqlite-owner.js';
import type { SqliteSchema } from './sqlite-schema.js';
import { pause, pauseBlocking, untilTurn } from './waiting.js';

/** On what occasion a transaction is run. */
export interface SqliteCallOptions {
  /** Ends the waiting for other connections, and for the writes before. The transaction itself runs through. */
  readonly signal?: AbortSignal | undefined;
  /** The session that errors name. */
  readonly sessionId?: string | undefined;
}

/**
 * A database with the tables of one package, opened when it is first needed. It runs one transaction at
 * a time. Waiting for other connections leaves the event loop free; the transaction itself does not.
 *
 * Methods throw the owner's errors for what SQLite and the file system refuse, and pass on as it is
 * whatever else the work throws.
 */
export class SqliteDatabase {
  readonly #target: string | DatabaseSync;
  readonly #busyTimeout: number;
  readonly #schema: SqliteSchema;
  readonly #failures: Failures;
  #connection: SqliteConnection | undefined;
  #logIsDue = false;
  #state: 'open' | 'closing' | 'closed' = 'open';
  /** Settles, never rejects, when every write that was begun is through. */
  #writes: Promise<void> = Promise.resolve();

  /** @throws ConfigurationError for options that cannot work. */
  constructor(options: SqliteOptions, owner: SqliteOwner) {
    const { target, busyTimeout } = checkSqliteOptions(options, owner.packageName);
    this.#target = target;
    this.#busyTimeout = busyTimeout;
    this.#schema = owner.schema;
    this.#failures = new Failures(owner);
  }

  /**
   * Opens now rather than at the first transaction, and holds up the process while another connection
   * is in the way.
   *
   * @throws ConfigurationError when there can be no database at `path`.
   */
  open(): void {
    this.#checkOpen();
    const deadline = this.#deadline();
    for (;;) {
      try {
        this.#connect();
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw this.#openingError(error);
      }
      pauseBlocking();
    }
  }

  /**
   * Runs `work`, which is synchronous, on one state of the database; again from its start when another
   * connection stood in its way.
   */
  async read<T>(
    options: SqliteCallOptions | undefined,
    work: (transaction: SqliteTransaction) => T,
  ): Promise<T> {
    this.#checkOpen();
    return this.#whenFree(reading, options, this.#deadline(), work);
  }

  /**
   * Runs `work`, which is synchronous and writes all or nothing, when the writes before it are through;
   * again from its start when another connection stood in its way. Resolves when what it wrote is
   * committed: in a file, on the disk.
   */
  async write<T>(
    options: SqliteCallOptions | undefined,
    work: (transaction: SqliteTransaction) => T,
  ): Promise<T> {
    this.#checkOpen();
    const deadline = this.#deadline();
    const turn = this.#writes;
    const written = untilTurn(turn, options?.signal)
      .then(() => this.#whenFree(writing, options, deadline, work))
      .then((result) => {
        if (this.#logIsDue) this.#emptyLogAgain();
        return result;
      });
    // A write that is given up does not let the next one pass those before it.
    this.#writes = Promise.allSettled([turn, written]).then(() => undefined);
    return written;
  }

  /**
   * Moves what was written into the file and empties the log beside it, so that deleted text is in
   * neither. When another connection is in the way, every later write tries it again until it is done. A
   * database of the application's is left to the application.
   *
   * @throws The owner's error, retryable, when the disk refuses it; later writes try it again then, too.
   */
  emptyLog(): void {
    if (this.#connection === undefined) return;
    this.#logIsDue = true;
    try {
      this.#logIsDue = !this.#connection.emptyLog();
    } catch (error) {
      throw this.#failures.logNotEmptied(error);
    }
  }

  /** Whether the log still holds what {@link emptyLog} was to take out of it. */
  get isLogDue(): boolean {
    return this.#logIsDue;
  }

  /**
   * Empties the log as {@link emptyLog} does, once the next write is committed: called by the work of a write,
   * that one. The write does not fail when that fails; it is tried again after each later one.
   */
  emptyLogLater(): void {
    this.#logIsDue = true;
  }

  /** Takes no more calls, waits for the writes that were begun, and closes a file. */
  async close(): Promise<void> {
    if (this.#state === 'open') this.#state = 'closing';
    await this.#writes;
    this.#state = 'closed';
    this.#connection?.close();
    this.#connection = undefined;
  }

  #emptyLogAgain(): void {
    try {
      this.emptyLog();
    } catch {
      // The write before it is committed and must not fail for this; the next one tries again.
    }
  }

  async #whenFree<T>(
    kind: TransactionKind,
    { signal, sessionId }: SqliteCallOptions = {},
    deadline: number,
    work: (transaction: SqliteTransaction) => T,
  ): Promise<T> {
    for (;;) {
      signal?.throwIfAborted();
      try {
        const connection = this.#connect();
        return connection.run(kind, () => work(connection));
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) {
          throw this.#failures.convert(error, sessionId);
        }
      }
      await pause(signal);
    }
  }

  #connect(): SqliteConnection {
    if (this.#state === 'closed') throw this.#failures.closed();
    this.#connection ??= new SqliteConnection(this.#target, this.#schema, this.#failures);
    return this.#connection;
  }

  #openingError(error: unknown): unknown {
    return typeof this.#target === 'string' && isUnusable(error)
      ? this.#failures.unusablePath(this.#target, error)
      : this.#failures.convert(error);
  }

  #checkOpen(): void {
    if (this.#state !== 'open') throw this.#failures.closed();
  }

  #deadline(): number {
    return performance.now() + this.#busyTimeout;
  }
}

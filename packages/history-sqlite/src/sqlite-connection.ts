import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationError, StoreError } from '@minne/core';
import { FileIdentity } from './file-identity.js';
import type { HistoryStatements } from './history-sql.js';
import { inMemory, openDatabase, prepareDatabase } from './open-database.js';
import { packageName } from './package-name.js';
import { isBusy, toStoreError } from './sqlite-error.js';
import type { SqliteHistoryBackendOptions } from './sqlite-history-options.js';

const defaultBusyTimeout = 5_000;

/** On what occasion a transaction is run. */
export interface TransactionOptions {
  readonly sessionId?: string;
  readonly signal?: AbortSignal | undefined;
}

/** How a transaction begins and ends. */
interface TransactionKind {
  readonly begin: string;
  readonly end: string;
}

/** Holds one state of the database. Ends by a rollback, since a commit fails once a damaged page was met. */
const reading: TransactionKind = { begin: 'BEGIN', end: 'ROLLBACK' };

/** Takes the right to write at once, so that what it reads first cannot change before it writes. */
const writing: TransactionKind = { begin: 'BEGIN IMMEDIATE', end: 'COMMIT' };

/**
 * A connection to SQLite that runs one transaction at a time. Waiting for other processes leaves the
 * event loop free; the transaction itself does not.
 */
export class SqliteConnection {
  readonly statements: HistoryStatements;
  readonly #database: DatabaseSync;
  readonly #owned: boolean;
  /** Where the database was opened, unless it is in memory or the application's. */
  readonly #file: FileIdentity | undefined;
  readonly #busyTimeout: number;
  #closed = false;
  /** Settles, never rejects, when every write that was begun is through. */
  #writes: Promise<void> = Promise.resolve();

  /** @throws ConfigurationError when the options make no connection; StoreError when the file cannot be used. */
  constructor(options: SqliteHistoryBackendOptions) {
    const { path, database, busyTimeout = defaultBusyTimeout } = options;
    if (!Number.isSafeInteger(busyTimeout) || busyTimeout < 0) {
      throw new ConfigurationError(
        `busyTimeout is ${String(busyTimeout)}. Give it a whole number of milliseconds, 0 or more.`,
        { packageName, field: 'busyTimeout' },
      );
    }
    this.#busyTimeout = busyTimeout;
    this.#owned = database === undefined;
    if (database === undefined && typeof path === 'string') {
      this.#database = openDatabase(path, busyTimeout);
    } else if (database !== undefined && path === undefined) {
      this.#database = database;
    } else {
      throw new ConfigurationError('Give either path or database, and not both.', {
        packageName,
        field: 'path',
      });
    }
    try {
      this.#file =
        path === undefined || path === inMemory ? undefined : new FileIdentity(resolve(path));
      this.statements = prepareDatabase(this.#database, busyTimeout);
    } catch (error) {
      if (this.#owned) this.#database.close();
      throw error;
    }
  }

  /** Runs `work` on one state of the database. */
  read<T>(options: TransactionOptions, work: () => T): Promise<T> {
    return this.#whenFree(reading, options, this.#deadline(), work);
  }

  /**
   * Runs `work`, which writes all or nothing, when the writes before it are through. Resolves when
   * what it wrote is on the disk.
   */
  write<T>(options: TransactionOptions, work: () => T): Promise<T> {
    const deadline = this.#deadline();
    const written = this.#writes.then(() => this.#whenFree(writing, options, deadline, work));
    const settled = () => undefined;
    this.#writes = written.then(settled, settled);
    return written;
  }

  /**
   * Moves what was written into the main file and empties the log beside it, so that deleted text is
   * in neither. Leaves it to a later write when another connection is in the way.
   */
  emptyLog(): void {
    if (!this.#owned || this.#closed) return;
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      if (!isBusy(error)) throw toStoreError(error);
    }
  }

  /** Waits for the writes that were begun, and closes the connection if it was opened here. */
  async close(): Promise<void> {
    await this.#writes;
    if (this.#closed) return;
    this.#closed = true;
    if (this.#owned) this.#database.close();
  }

  async #whenFree<T>(
    kind: TransactionKind,
    { signal, sessionId }: TransactionOptions,
    deadline: number,
    work: () => T,
  ): Promise<T> {
    for (;;) {
      signal?.throwIfAborted();
      try {
        return this.#transaction(kind, work);
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw toStoreError(error, sessionId);
      }
      await pause(signal);
    }
  }

  #transaction<T>({ begin, end }: TransactionKind, work: () => T): T {
    if (this.#closed || !this.#database.isOpen) {
      throw new StoreError('The history store is closed. Open another one.', { packageName });
    }
    // SQLite goes on writing into a file that nobody finds any more, and acknowledges what will be gone.
    if (this.#file?.isLost === true) {
      throw new StoreError(
        'The history file was removed, or another was put in its place, while it was in use. Put it back, or open another store on what is there now.',
        { packageName, field: 'path' },
      );
    }
    if (this.#database.isTransaction) {
      throw new StoreError(
        'The connection is in a transaction that was begun outside. Commit it before the history is used.',
        { packageName, field: 'database' },
      );
    }
    this.#database.exec(begin);
    try {
      const result = work();
      this.#database.exec(end);
      return result;
    } finally {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    }
  }

  #deadline(): number {
    return performance.now() + this.#busyTimeout;
  }
}

/** A short while, of another length each time, so that processes do not keep meeting. */
async function pause(signal: AbortSignal | undefined): Promise<void> {
  const milliseconds = 1 + Math.random() * 10;
  try {
    await delay(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    // Node wraps the reason; callers get their own.
    signal?.throwIfAborted();
    throw error;
  }
}

import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationError, StoreError } from '@minne/core';
import { checkPath, openDatabase } from './open-database.js';
import { packageName } from './package-name.js';
import { ensureSchema } from './session-schema.js';
import { isBusy, toStoreError } from './sqlite-error.js';
import type { SqliteSessionStoreOptions } from './sqlite-session-store-options.js';

const defaultBusyTimeout = 5_000;

/** The longest pause, in milliseconds, before a locked database is tried again. */
const longestPause = 10;

/** On what occasion a transaction is run. */
export interface TransactionOptions {
  readonly sessionId?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A database that is opened when it is first needed. Waiting for other connections leaves the event
 * loop free; a transaction itself does not.
 */
export class SqliteConnection {
  readonly #file: string | undefined;
  readonly #busyTimeout: number;
  #database: DatabaseSync | undefined;
  #ready = false;
  #closed = false;

  /** @throws ConfigurationError for options that cannot work. */
  constructor({ path, database, busyTimeout = defaultBusyTimeout }: SqliteSessionStoreOptions) {
    if ((path === undefined) === (database === undefined)) {
      throw wrongOption('path', 'Give either path or database, and not both.');
    }
    if (!Number.isSafeInteger(busyTimeout) || busyTimeout < 0) {
      throw wrongOption(
        'busyTimeout',
        `busyTimeout is ${busyTimeout}. Give it a whole number of milliseconds, 0 or more.`,
      );
    }
    this.#file = path === undefined ? undefined : checkPath(path);
    this.#database = database;
    this.#busyTimeout = busyTimeout;
  }

  /** Runs `work` on one state of the database. */
  read<T>(options: TransactionOptions, work: (database: DatabaseSync) => T): Promise<T> {
    return this.#whenFree('BEGIN', options, work);
  }

  /** Runs `work`, which writes all or nothing. Resolves when what it wrote is on the disk. */
  write<T>(options: TransactionOptions, work: (database: DatabaseSync) => T): Promise<T> {
    return this.#whenFree('BEGIN IMMEDIATE', options, work);
  }

  /**
   * Moves what was written into the main file and empties the log beside it, so that deleted text is
   * in neither. Leaves that to a later call when another connection is in the way.
   */
  emptyLog(): void {
    if (this.#file === undefined || this.#closed) return;
    try {
      this.#database?.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** Closes the database if it was opened here. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#file !== undefined) this.#database?.close();
  }

  async #whenFree<T>(
    begin: string,
    { signal, sessionId }: TransactionOptions,
    work: (database: DatabaseSync) => T,
  ): Promise<T> {
    const deadline = performance.now() + this.#busyTimeout;
    for (;;) {
      signal?.throwIfAborted();
      try {
        return this.#transaction(begin, work);
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw toStoreError(error, sessionId);
      }
      // Of another length each time, so that processes do not keep meeting.
      await delay(Math.random() * longestPause);
    }
  }

  #transaction<T>(begin: string, work: (database: DatabaseSync) => T): T {
    const database = this.#readyDatabase();
    database.exec(begin);
    try {
      const result = work(database);
      database.exec('COMMIT');
      return result;
    } finally {
      if (database.isTransaction) database.exec('ROLLBACK');
    }
  }

  #readyDatabase(): DatabaseSync {
    if (this.#closed) throw closedStore();
    if (this.#file !== undefined) this.#database ??= openDatabase(this.#file);
    const database = this.#database;
    if (database === undefined || !database.isOpen) throw closedStore();
    if (database.isTransaction) {
      throw new StoreError(
        'The connection is in a transaction that was begun outside. End it before the session store is used.',
        { packageName, field: 'database' },
      );
    }
    if (!this.#ready) ensureSchema(database);
    this.#ready = true;
    return database;
  }
}

function closedStore(): StoreError {
  return new StoreError('The session store is closed. Open another one.', { packageName });
}

function wrongOption(field: string, message: string): ConfigurationError {
  return new ConfigurationError(message, { packageName, field });
}

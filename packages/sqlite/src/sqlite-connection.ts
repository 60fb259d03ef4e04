import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { FileIdentity } from './file-identity.js';
import { openFile } from './open-file.js';
import { prepareStatement } from './prepare-statement.js';
import { isBusy } from './result-code.js';
import type { Failures } from './sqlite-failure.js';
import { inMemory } from './sqlite-options.js';
import { foundLayout, migrationsFrom, type SqliteSchema } from './sqlite-schema.js';

/** What can be done within a transaction. Good until the work that it was given to returns. */
export interface SqliteTransaction {
  /**
   * The statement with this text, prepared once for each connection. It gives rows as objects and
   * integers as numbers, however the application's database is set.
   */
  statement(sql: string): StatementSync;
}

/** How a transaction begins and ends. */
export interface TransactionKind {
  readonly begin: string;
  readonly end: string;
}

/** Holds one state of the database. Ends by a rollback, since a commit fails once a damaged page was met. */
export const reading: TransactionKind = { begin: 'BEGIN', end: 'ROLLBACK' };

/** Takes the right to write at once, so that what it reads first cannot change before it writes. */
export const writing: TransactionKind = { begin: 'BEGIN IMMEDIATE', end: 'COMMIT' };

/** An open database with its tables in place. */
export class SqliteConnection implements SqliteTransaction {
  readonly #database: DatabaseSync;
  readonly #failures: Failures;
  readonly #owned: boolean;
  /** Where the database was opened, unless it is in memory or the application's. */
  readonly #file: FileIdentity | undefined;
  readonly #statements = new Map<string, StatementSync>();
  readonly #schema: SqliteSchema;
  /** The state of all tables in the file (`PRAGMA schema_version`) in which the layout was looked at. */
  #checkedTables: unknown;

  /**
   * Opens a file, or takes a database of the application's as it is set up, and makes the tables when
   * they are not there, or brings them from an older layout to this one. Safe when many processes do so at once.
   *
   * @throws The owner's error for tables of a newer version; an error of SQLite or of the file system.
   */
  constructor(target: string | DatabaseSync, schema: SqliteSchema, failures: Failures) {
    this.#failures = failures;
    this.#schema = schema;
    this.#owned = typeof target === 'string';
    this.#database = typeof target === 'string' ? openFile(target) : target;
    try {
      const inFile = typeof target === 'string' && target !== inMemory;
      this.#file = inFile ? new FileIdentity(target) : undefined;
      this.#makeTables();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = prepareStatement(this.#database, sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs `work` in a transaction, which is rolled back when it throws. */
  run<T>(kind: TransactionKind, work: () => T): T {
    return this.#transact(kind, () => {
      this.#checkLayout();
      return work();
    });
  }

  /**
   * Moves what is in the log beside the file into the file, and cuts the log to nothing.
   *
   * @returns Whether that was done; another connection may be in the way.
   * @throws An error of SQLite.
   */
  emptyLog(): boolean {
    if (!this.#owned) return true;
    try {
      return this.statement('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  /** Closes the database if it was opened here. */
  close(): void {
    if (this.#owned) this.#database.close();
  }

  #makeTables(): void {
    if (this.#transact(reading, () => this.#stepsToLayout().length === 0)) return;
    this.#transact(writing, () => {
      // Another process may have made them while this one waited.
      for (const step of this.#stepsToLayout()) this.#database.exec(step);
    });
  }

  /** What has to be run so that the tables have the layout of this version: often nothing. */
  #stepsToLayout(): readonly string[] {
    const layout = foundLayout(this.#database, this.#schema);
    if (layout === undefined) return [this.#schema.definition];
    const steps = migrationsFrom(layout, this.#schema);
    if (steps === undefined) throw this.#failures.unknownLayout(layout);
    return steps;
  }

  /** Another process may have brought the tables to a newer layout since they were opened. */
  #checkLayout(): void {
    const tables = this.statement('PRAGMA schema_version').get()?.['schema_version'];
    if (tables === this.#checkedTables) return;
    const layout = foundLayout(this.#database, this.#schema);
    if (layout !== this.#schema.version) throw this.#failures.unknownLayout(layout ?? null);
    this.#checkedTables = tables;
  }

  #transact<T>({ begin, end }: TransactionKind, work: () => T): T {
    if (!this.#database.isOpen) throw this.#failures.closed();
    // SQLite goes on writing into a file that nobody finds any more, and acknowledges what will be gone.
    if (this.#file?.isLost === true) throw this.#failures.lostFile();
    if (this.#database.isTransaction) throw this.#failures.insideTransaction();
    this.#database.exec(begin);
    try {
      const result = work();
      this.#database.exec(end);
      return result;
    } finally {
      // Something failed. After some failures, a full disk among them, SQLite has rolled back by itself.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    }
  }
}

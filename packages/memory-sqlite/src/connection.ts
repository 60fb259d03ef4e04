import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { FileIdentity } from './file-identity.js';
import { prepareStatement } from './prepare-statement.js';
import { prepareSchema } from './schema.js';
import { insideTransaction } from './sqlite-error.js';

/** Milliseconds that SQLite itself waits for a lock, holding up the whole process. */
const blockingWait = 5;

/** A database with its tables in place, and its statements prepared once. */
export class Connection {
  readonly #database: DatabaseSync;
  readonly #owned: boolean;
  readonly #file: FileIdentity | undefined;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(database: DatabaseSync, owned: boolean, file?: FileIdentity) {
    this.#database = database;
    this.#owned = owned;
    this.#file = file;
    this.write(() => prepareSchema(database));
  }

  /**
   * Opens a file, making it and its folder if there is none, or uses a database of the application's as
   * it is set up. In a file, what is committed survives a crash of the machine, and what is deleted is
   * overwritten.
   */
  static open(target: string | DatabaseSync): Connection {
    if (typeof target !== 'string') return new Connection(target, false);
    if (target !== ':memory:') makeFile(target);
    const database = new DatabaseSync(target, { timeout: blockingWait });
    try {
      database.exec('PRAGMA journal_mode = WAL');
      database.exec('PRAGMA synchronous = FULL');
      database.exec('PRAGMA secure_delete = ON');
      const file = target === ':memory:' ? undefined : new FileIdentity(target);
      return new Connection(database, true, file);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * Whether its file has been removed or replaced. SQLite goes on writing into a file that nobody finds
   * any more, and acknowledges what will be gone.
   */
  get isLost(): boolean {
    return this.#file?.isLost === true;
  }

  /** The statement with this text. */
  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = prepareStatement(this.#database, sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs `task` over one state of the database. */
  read<T>(task: () => T): T {
    return this.#transaction('BEGIN', task);
  }

  /** Runs `task` in a transaction that has the right to write from its start. */
  write<T>(task: () => T): T {
    return this.#transaction('BEGIN IMMEDIATE', task);
  }

  /** Closes the database if this connection opened it. */
  close(): void {
    if (this.#owned) this.#database.close();
  }

  #transaction<T>(begin: string, task: () => T): T {
    if (this.#database.isTransaction) throw insideTransaction();
    this.#database.exec(begin);
    try {
      const result = task();
      this.#database.exec('COMMIT');
      return result;
    } finally {
      // Something failed. After some failures, a full disk among them, SQLite has rolled back by itself.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    }
  }
}

function makeFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // Opening a file that SQLite has open, and closing it, would drop the locks of this process.
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    // Another process was faster.
    if (!existsSync(path)) throw error;
  }
}

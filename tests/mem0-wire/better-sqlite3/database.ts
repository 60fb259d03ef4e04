import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/**
 * What the open-source `Memory` of `mem0ai` 3 uses of `better-sqlite3`, on the SQLite that is built into
 * Node. It stands in for that module where the native one is not compiled, so that everything above it,
 * mem0's own code and its SQL, is the real thing.
 */
class Database {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
  }

  exec(sql: string): this {
    this.#database.exec(sql);
    return this;
  }

  prepare(sql: string): StatementSync {
    return this.#database.prepare(sql);
  }

  /** `work` as a function that is one transaction. */
  transaction<Arguments extends readonly SQLInputValue[], Result>(
    work: (...given: Arguments) => Result,
  ): (...given: Arguments) => Result {
    return (...given) => {
      this.#database.exec('BEGIN');
      try {
        const result = work(...given);
        this.#database.exec('COMMIT');
        return result;
      } catch (error) {
        this.#database.exec('ROLLBACK');
        throw error;
      }
    };
  }

  close(): void {
    this.#database.close();
  }
}

// biome-ignore lint/style/noDefaultExport: the real module is imported by this name.
export { Database as default };

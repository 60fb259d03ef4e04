import type { MemoryCallOptions } from '@minne/core/memory';
import type {
  EntryTable,
  PurgeRequest,
  PurgeResult,
  StoragePort,
  StoreTable,
} from '@minne/memory-engine';
import { SqliteDatabase, type SqliteOptions } from '@minne/sqlite';
import { SqliteEntryTable } from './entry-table.js';
import { toMemoryError } from './memory-failure.js';
import { memorySchema } from './memory-schema.js';
import { packageName } from './package-name.js';
import { purgeRows } from './purge.js';
import { SqliteStoreTable } from './store-table.js';

/** Options of {@link SqliteMemoryStorage}. Exactly one of `path` and `database` is needed. */
export type SqliteMemoryStorageOptions = SqliteOptions;

/**
 * Keeps a memory engine's rows in one SQLite file, with the SQLite that is built into Node. Several
 * processes may use the same file. It is opened, and its tables are made, by the first call. What a
 * call has acknowledged survives a crash of the process and of the machine.
 */
export class SqliteMemoryStorage implements StoragePort {
  readonly specificationVersion = 'v1';
  readonly stores: StoreTable;
  readonly entries: EntryTable;
  readonly #database: SqliteDatabase;

  /** @throws ConfigurationError for options that make no storage. */
  constructor(options: SqliteMemoryStorageOptions) {
    this.#database = new SqliteDatabase(options, {
      packageName,
      what: 'memory storage',
      schema: memorySchema,
      toError: toMemoryError,
    });
    this.stores = new SqliteStoreTable(this.#database);
    this.entries = new SqliteEntryTable(this.#database);
  }

  purge(request: PurgeRequest, options?: MemoryCallOptions): Promise<PurgeResult> {
    return this.#database.write(options, (transaction) => purgeRows(transaction, request));
  }

  /** Waits for what was begun and closes the file. A `database` of your own stays open. Later calls are refused. */
  async close(): Promise<void> {
    await this.#database.close();
  }
}

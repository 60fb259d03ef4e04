import type { MemoryCallOptions } from '@minne/core/memory';
import type {
  EntryTable,
  PurgeRequest,
  PurgeResult,
  StoragePort,
  StoreTable,
} from '@minne/memory-engine';
import { Connection } from './connection.js';
import { SqliteEntryTable } from './entry-table.js';
import { Executor } from './executor.js';
import { purgeRows } from './purge.js';
import { checkOptions, type SqliteMemoryStorageOptions } from './sqlite-options.js';
import { SqliteStoreTable } from './store-table.js';

/**
 * Keeps a memory engine's rows in one SQLite file, with the SQLite that is built into Node. Several
 * processes may use the same file. It is opened, and its tables are made, by the first call. What a
 * call has acknowledged survives a crash of the process and of the machine.
 */
export class SqliteMemoryStorage implements StoragePort {
  readonly specificationVersion = 'v1';
  readonly stores: StoreTable;
  readonly entries: EntryTable;
  readonly #executor: Executor;

  /** @throws ConfigurationError for options that make no storage. */
  constructor(options: SqliteMemoryStorageOptions) {
    const { target, busyTimeout } = checkOptions(options);
    this.#executor = new Executor(() => Connection.open(target), busyTimeout);
    this.stores = new SqliteStoreTable(this.#executor);
    this.entries = new SqliteEntryTable(this.#executor);
  }

  purge(request: PurgeRequest, options?: MemoryCallOptions): Promise<PurgeResult> {
    return this.#executor.run((connection) => purgeRows(connection, request), options);
  }

  /** Closes a file; a database that was handed over stays open. Later calls are refused. */
  async close(): Promise<void> {
    this.#executor.close();
  }
}

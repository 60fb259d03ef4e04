import { type HistoryFlags, HistoryProvider } from '@minne/core';
import { SqliteHistoryBackend } from './sqlite-history-backend.js';
import type { SqliteHistoryBackendOptions } from './sqlite-history-options.js';

/** Options of {@link SqliteHistoryProvider}. */
export type SqliteHistoryProviderOptions = HistoryFlags & SqliteHistoryBackendOptions;

/**
 * Keeps the messages of sessions in a SQLite file.
 *
 * `sourceId` is `sqlite` unless another is given; it is part of what tells histories in the file apart.
 */
export class SqliteHistoryProvider extends HistoryProvider {
  readonly #sqlite: SqliteHistoryBackend;

  /** @throws ConfigurationError and StoreError as {@link SqliteHistoryBackend} does. */
  constructor(options: SqliteHistoryProviderOptions) {
    const backend = new SqliteHistoryBackend(options);
    super({ ...options, sourceId: options.sourceId ?? 'sqlite', backend });
    this.#sqlite = backend;
  }

  override get backend(): SqliteHistoryBackend {
    return this.#sqlite;
  }

  /** Waits for what was begun and closes the file. A `database` of your own stays open. */
  async close(): Promise<void> {
    await this.#sqlite.close();
  }
}

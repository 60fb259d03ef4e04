import { type HistoryFlags, HistoryProvider } from '@minne/core';
import { PostgresHistoryBackend } from './postgres-history-backend.js';
import type { PostgresHistoryBackendOptions } from './postgres-history-options.js';

/** Options of {@link PostgresHistoryProvider}. */
export type PostgresHistoryProviderOptions = HistoryFlags & PostgresHistoryBackendOptions;

/**
 * Keeps the messages of sessions in PostgreSQL.
 *
 * `sourceId` is `postgres` unless another is given; it is part of what tells histories in the database apart.
 */
export class PostgresHistoryProvider extends HistoryProvider {
  readonly #postgres: PostgresHistoryBackend;

  /** Connects to nothing yet. @throws ConfigurationError for options that cannot work. */
  constructor(options: PostgresHistoryProviderOptions) {
    const backend = new PostgresHistoryBackend(options);
    super({ ...options, sourceId: options.sourceId ?? 'postgres', backend });
    this.#postgres = backend;
  }

  override get backend(): PostgresHistoryBackend {
    return this.#postgres;
  }

  /** Waits for what was begun and closes the connections. A `pool` of your own stays open. */
  async close(): Promise<void> {
    await this.#postgres.close();
  }
}

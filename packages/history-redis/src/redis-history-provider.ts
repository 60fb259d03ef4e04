import { type HistoryFlags, HistoryProvider } from '@minne/core';
import { RedisHistoryBackend } from './redis-history-backend.js';
import type { RedisHistoryBackendOptions } from './redis-history-options.js';

/** Options of {@link RedisHistoryProvider}. */
export type RedisHistoryProviderOptions = HistoryFlags & RedisHistoryBackendOptions;

/**
 * Keeps the messages of sessions in Redis.
 *
 * `sourceId` is `redis` unless another is given; it is part of every key.
 */
export class RedisHistoryProvider extends HistoryProvider {
  readonly #redis: RedisHistoryBackend;

  /** @throws ConfigurationError as {@link RedisHistoryBackend} does. */
  constructor(options: RedisHistoryProviderOptions) {
    const backend = new RedisHistoryBackend(options);
    super({ ...options, sourceId: options.sourceId ?? 'redis', backend });
    this.#redis = backend;
  }

  override get backend(): RedisHistoryBackend {
    return this.#redis;
  }

  /** Waits for what was begun and closes the connection. A `client` of your own stays open. */
  async close(): Promise<void> {
    await this.#redis.close();
  }
}

import {
  ConfigurationError,
  checkExpiry,
  checkMaxMessages,
  type HistoryExpiryOptions,
} from '@minne/core';
import { packageName } from './package-name.js';
import type { RedisClient } from './redis-client.js';

/** Where the server is. Exactly one of `url` and `client` is needed. */
export interface RedisConnectionOptions {
  /**
   * `redis://user:password@host:port/database`, or `rediss://` for TLS. The backend connects at the first
   * call, connects again by itself, and closes the connection in `close`.
   */
  readonly url?: string;
  /**
   * A `Redis` or `Cluster` of `ioredis` of your own. It stays yours: its options decide how it connects, and
   * whether it sends again what was in flight when the connection broke; you close it.
   */
  readonly client?: RedisClient;
  /**
   * Milliseconds that a command may take, with waiting for the connection. Most calls are one command.
   * After that the call rejects with a retryable StoreError; what was sent may still be done, and the same
   * append may be made again. Default 5,000.
   */
  readonly commandTimeout?: number;
}

/** Options of {@link RedisHistoryBackend}. */
export interface RedisHistoryBackendOptions extends RedisConnectionOptions, HistoryExpiryOptions {
  /**
   * What every key begins with. No `{` or `}`, which would decide where a Cluster puts the keys; at most
   * 256 characters. Default `minne:`.
   */
  readonly keyPrefix?: string;
  /**
   * The most messages that a session keeps; the oldest groups go first. System messages count and
   * stay, and so does the newest group, even when that makes more. Default: no limit.
   */
  readonly maxMessages?: number;
}

/** The longest `commandTimeout`: what a timer of Node can wait. */
const longestTimeout = 2 ** 31 - 1;

/** @throws ConfigurationError naming the option that cannot work. It never tells the url. */
export function checkRedisOptions(options: RedisHistoryBackendOptions): void {
  const { url, client, keyPrefix, commandTimeout, maxMessages } = options;
  checkMaxMessages(maxMessages, packageName);
  checkExpiry(options, packageName);
  if ((url === undefined) === (client === undefined)) {
    const given = url === undefined ? 'neither is' : 'both are';
    throw wrong('url', `${given} given of url and client. Give exactly one of them.`);
  }
  if (url !== undefined && !isRedisUrl(url)) {
    throw wrong(
      'url',
      'url is no address of a Redis. Give it redis://host:port/database or rediss://host:port/database, with the number of the database or nothing.',
    );
  }
  if (client !== undefined && !isRedisClient(client)) {
    throw wrong(
      'client',
      'client is no client of ioredis. Give it a Redis or a Cluster of ioredis 5 or 6.',
    );
  }
  if (keyPrefix !== undefined && !isKeyPrefix(keyPrefix)) {
    throw wrong(
      'keyPrefix',
      `keyPrefix is ${JSON.stringify(keyPrefix)}. Give it at most 256 characters of text, without { } and U+0000.`,
    );
  }
  if (
    commandTimeout !== undefined &&
    !(
      Number.isSafeInteger(commandTimeout) &&
      commandTimeout >= 1 &&
      commandTimeout <= longestTimeout
    )
  ) {
    throw wrong(
      'commandTimeout',
      `commandTimeout is ${String(commandTimeout)}. Give it whole milliseconds from 1 to ${longestTimeout}.`,
    );
  }
}

function isRedisUrl(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, hostname, pathname } = new URL(url);
  return (
    (protocol === 'redis:' || protocol === 'rediss:') &&
    hostname !== '' &&
    /^(\/\d*)?$/.test(pathname)
  );
}

function isRedisClient(client: unknown): boolean {
  return (['call', 'multi'] as const).every(
    (method) => typeof (client as Partial<RedisClient> | null)?.[method] === 'function',
  );
}

function isKeyPrefix(prefix: unknown): boolean {
  return (
    typeof prefix === 'string' &&
    prefix.length <= 256 &&
    prefix.isWellFormed() &&
    !/[{}\0]/.test(prefix)
  );
}

function wrong(field: string, text: string): ConfigurationError {
  return new ConfigurationError(text, { packageName, field });
}

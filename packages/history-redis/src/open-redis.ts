import { ConfigurationError } from '@minne/core';
import { packageName } from './package-name.js';
import type { OwnRedisClient } from './redis-client.js';

/** The longest pause between two attempts to connect, in milliseconds. */
const longestPause = 1000;

/** What is needed of the package `ioredis`. */
export interface RedisModule {
  readonly Redis: new (
    url: string,
    options: object,
  ) => OwnRedisClient & {
    on(event: 'error', listener: (error: Error) => void): unknown;
    disconnect(reconnect?: boolean): void;
  };
}

/** How to connect. */
export interface OpenRedisOptions {
  readonly url: string;
  /** Milliseconds. */
  readonly commandTimeout: number;
  /** Told of every failure to connect. */
  onError(error: Error): void;
  /** Loads `ioredis`. Default: the one that is installed. */
  readonly load?: (() => Promise<RedisModule>) | undefined;
}

/**
 * A client that connects at its first command.
 *
 * A command waits for the attempt to connect that is under way, or for the next one, and fails with it. One
 * whose connection breaks fails at once and is never sent again, so that nothing is done twice behind the
 * back of the caller. A server that has gone silent is connected to anew.
 *
 * @throws ConfigurationError when `ioredis` is not installed.
 */
export async function openRedis({
  url,
  commandTimeout,
  onError,
  load = loadInstalled,
}: OpenRedisOptions): Promise<OwnRedisClient> {
  const { Redis } = await load();
  const client = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: Math.max(1, Math.ceil(commandTimeout / 2)),
    socketTimeout: commandTimeout,
    retryStrategy: (attempt: number) =>
      Math.min(25 * 2 ** Math.min(attempt, 10), longestPause, Math.ceil(commandTimeout / 4)),
  });
  client.on('error', (error) => {
    // That commands were given up follows from another error, which says why.
    if (error.name !== 'MaxRetriesPerRequestError') onError(error);
    // Or it would go on in database 0, among the data of others.
    if (isOfSelect(error)) client.disconnect(true);
  });
  return client;
}

/** Whether the server did not give the database that the url names. */
function isOfSelect(error: Error & { readonly command?: { readonly name?: unknown } }): boolean {
  return error.command?.name === 'select';
}

async function loadInstalled(): Promise<RedisModule> {
  try {
    return await import('ioredis');
  } catch (cause) {
    throw new ConfigurationError(
      'url needs the package ioredis, which could not be loaded. Install it: npm install ioredis.',
      { packageName, field: 'url', cause },
    );
  }
}

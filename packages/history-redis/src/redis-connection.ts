import { MinneError, StoreError } from '@minne/core';
import { typeOfKey } from './history-keys.js';
import { openRedis, type RedisModule } from './open-redis.js';
import { packageName } from './package-name.js';
import type { OwnRedisClient, RedisClient } from './redis-client.js';
import { redisErrorCode, redisFailure } from './redis-failure.js';
import type { RedisConnectionOptions } from './redis-history-options.js';
import { typeScript } from './scripts/read-scripts.js';
import type { RedisScript } from './scripts/redis-script.js';
import { settleWithin, timeIsOver } from './settle-within.js';
import { untilReady } from './until-ready.js';

const defaultCommandTimeout = 5000;

/** Whose call a command belongs to. */
export interface CommandContext {
  readonly signal: AbortSignal | undefined;
  /** What errors name. */
  readonly sessionId?: string;
}

/** The connection of a backend: its own, or a client that it was lent. */
export class RedisConnection {
  readonly #lent: RedisClient | undefined;
  readonly #url: string | undefined;
  readonly #timeout: number;
  readonly #secrets: readonly string[];
  readonly #load: (() => Promise<RedisModule>) | undefined;
  readonly #pending = new Set<Promise<unknown>>();
  #own: Promise<OwnRedisClient> | undefined;
  #connectionError: Error | undefined;
  #closed = false;

  /** @param load - Loads `ioredis`. Default: the one that is installed. */
  constructor(options: RedisConnectionOptions, load?: () => Promise<RedisModule>) {
    this.#lent = options.client;
    this.#url = options.url;
    this.#timeout = options.commandTimeout ?? defaultCommandTimeout;
    this.#secrets = secretsOf(options.url);
    this.#load = load;
  }

  /** Whether the keys of one command must lie in one slot. */
  get isCluster(): boolean {
    return this.#lent?.isCluster === true;
  }

  /** Runs a script, in one command unless the server has not seen it yet. */
  async run(
    script: RedisScript,
    keys: readonly string[],
    values: readonly string[],
    context: CommandContext,
  ): Promise<unknown> {
    const sent = [String(keys.length), ...keys, ...values];
    try {
      return await this.#send(context, async (client) => {
        try {
          return await client.call('evalsha', [script.sha, ...sent]);
        } catch (error) {
          if (redisErrorCode(error) !== 'NOSCRIPT') throw error;
          context.signal?.throwIfAborted();
          return await client.call('eval', [script.source, ...sent]);
        }
      });
    } catch (error) {
      throw await this.#explain(error, keys, context);
    }
  }

  /** Runs commands in one step and one round trip, and gives their replies. */
  async transaction(
    commands: readonly (readonly string[])[],
    keys: readonly string[],
    context: CommandContext,
  ): Promise<unknown[]> {
    try {
      const results = await this.#send(context, (client) =>
        client.multi(commands.map((command) => [...command])).exec(),
      );
      if (results === null) throw new Error('the transaction was dropped');
      return results.map(([error, reply]) => {
        if (error !== null) throw error;
        return reply;
      });
    } catch (error) {
      throw await this.#explain(error, keys, context);
    }
  }

  /** Waits for what was begun and closes the connection, unless it is a lent one. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#pending);
    const own = this.#own;
    this.#own = undefined;
    if (own !== undefined) (await own).disconnect();
  }

  async #send<Result>(
    { signal, sessionId }: CommandContext,
    send: (client: RedisClient) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#closed) {
      throw new StoreError('The history store is closed. Make another to go on.', { packageName });
    }
    const limits = { timeout: this.#timeout, signal, sessionId };
    const begun = performance.now();
    const earlier = this.#connectionError;
    const throwIfOver = () => {
      signal?.throwIfAborted();
      if (performance.now() - begun >= this.#timeout) throw timeIsOver(limits);
    };
    const failure = () => (this.#connectionError === earlier ? undefined : this.#connectionError);
    const work = this.#client().then(async (client) => {
      await untilReady(client, { throwIfOver, failure });
      throwIfOver();
      return send(client);
    });
    const waiting = settleWithin(work, limits);
    this.#pending.add(waiting);
    try {
      const result = await waiting;
      // What went wrong before is no reason for what goes wrong from here on.
      this.#connectionError = undefined;
      return result;
    } finally {
      this.#pending.delete(waiting);
    }
  }

  async #client(): Promise<RedisClient> {
    if (this.#lent !== undefined) return this.#lent;
    this.#own ??= openRedis({
      url: this.#url ?? '',
      commandTimeout: this.#timeout,
      load: this.#load,
      onError: (error) => {
        this.#connectionError = error;
      },
    });
    return this.#own;
  }

  /** The error to throw: of Minne and of the signal as they are, others as a StoreError. */
  async #explain(
    error: unknown,
    keys: readonly string[],
    { signal, sessionId }: CommandContext,
  ): Promise<unknown> {
    if (MinneError.isInstance(error) || (signal?.aborted && error === signal.reason)) return error;
    if (redisErrorCode(error) === 'WRONGTYPE') {
      for (const key of keys) {
        const type = await this.#typeOf(key, signal);
        if (type === 'none' || type === typeOfKey(key)) continue;
        return new StoreError(
          `The key ${key} holds a ${type}, where the history keeps a ${typeOfKey(key)}. Something else writes under this keyPrefix: delete or rename the key, or choose another keyPrefix.`,
          { packageName, field: 'keyPrefix', ...(sessionId === undefined ? {} : { sessionId }) },
        );
      }
    }
    return redisFailure(error, {
      sessionId,
      secrets: this.#secrets,
      connectionError: this.#connectionError,
    });
  }

  async #typeOf(key: string, signal: AbortSignal | undefined): Promise<unknown> {
    return this.#send({ signal }, (client) => client.call('eval', [typeScript.source, '1', key]));
  }
}

/** What of an address no error may tell, as it is written and as it is meant. */
function secretsOf(url: string | undefined): readonly string[] {
  if (url === undefined) return [];
  const { password } = new URL(url);
  const plain = (() => {
    try {
      return decodeURIComponent(password);
    } catch {
      // Not escaped: it is meant as it is written.
      return password;
    }
  })();
  return [...new Set([url, plain, password])].filter((secret) => secret !== '');
}

import {
  type AppendResult,
  checkHistoryKey,
  checkId,
  checkLoadOptions,
  checkNewRecords,
  type HistoryBackend,
  type HistoryCallOptions,
  type HistoryFilter,
  type HistoryKey,
  type HistoryListing,
  type HistoryRecord,
  type LoadOptions,
  type LoadResult,
  type NewHistoryRecord,
  numberReplacement,
  type ReplaceOptions,
  rememberedIdCount,
} from '@minne/core';
import { ActorIndex } from './actor-index.js';
import { HistoryKeys } from './history-keys.js';
import { readHistory } from './history-reader.js';
import { packageName } from './package-name.js';
import { packRecord } from './packed-record.js';
import { RecentNames } from './recent-names.js';
import { type CommandContext, RedisConnection } from './redis-connection.js';
import { checkRedisOptions, type RedisHistoryBackendOptions } from './redis-history-options.js';
import { readReply, versionConflict } from './script-reply.js';
import { refreshScript } from './scripts/read-scripts.js';
import type { RedisScript } from './scripts/redis-script.js';
import { appendScript, clearScript, layout, replaceScript } from './scripts/write-scripts.js';

/** How many histories of a Cluster are remembered as being in the index of their actor. */
const hintedCount = 10_000;

/**
 * Keeps history in Redis 6.2 or newer, or Valkey: on a single server, behind Sentinel or on a Cluster.
 *
 * An append is one script and a load is one transaction, each in one round trip; neither depends on how long
 * the history is or how many others there are. What was acknowledged is as durable as the server is set to
 * be: see the README.
 *
 * Ids of stored messages are always known; of those that were trimmed or replaced, the 10,000 newest of each
 * history are. Every method throws InvalidInputError for input that cannot be stored and StoreError for what
 * Redis refuses or when it cannot be reached, `retryable` when the same call may succeed later. A write whose
 * outcome is unknown may be made again: an append writes each id once.
 */
export class RedisHistoryBackend implements HistoryBackend {
  readonly specificationVersion = 'v1' as const;
  readonly #connection: RedisConnection;
  readonly #keys: HistoryKeys;
  readonly #index: ActorIndex;
  readonly #ttl: string;
  readonly #refreshOnRead: boolean;
  /** What every write tells its script first. */
  readonly #settings: readonly string[];
  readonly #hinted = new RecentNames(hintedCount);

  /** Connects at the first call. @throws ConfigurationError for options that cannot work. */
  constructor(options: RedisHistoryBackendOptions) {
    checkRedisOptions(options);
    const { keyPrefix = 'minne:', maxMessages = '', ttl = '', expiry = 'sliding' } = options;
    this.#connection = new RedisConnection(options);
    this.#keys = new HistoryKeys(keyPrefix);
    this.#ttl = String(ttl);
    this.#index = new ActorIndex(this.#connection, this.#keys, this.#ttl);
    this.#refreshOnRead = options.refreshOnRead === true;
    this.#settings = [layout, ttl, expiry, maxMessages, rememberedIdCount].map(String);
  }

  async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const context = contextOf(key, options);
    checkNewRecords(records, { packageName, sessionId: key.sessionId });
    if (records.length === 0) {
      const { version } = await this.#read(key, { limit: 0 }, context);
      return { version, duplicates: [] };
    }
    const values = records.flatMap((record) => valuesOf(record));
    const [version, , , duplicates] = await this.#write(appendScript, key, values, context);
    return {
      version: String(version),
      duplicates: Array.isArray(duplicates) ? duplicates.map(String) : [],
    };
  }

  async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const context = contextOf(key, options);
    checkLoadOptions(options, { packageName, sessionId: key.sessionId });
    return this.#read(key, options, context, this.#refreshOnRead);
  }

  async clear(key: HistoryKey, options: HistoryCallOptions = {}): Promise<void> {
    const context = contextOf(key, options);
    const name = this.#keys.nameOf(key);
    const reply = await this.#connection.run(
      clearScript,
      this.#keys.ofHistory(name),
      [String(layout), ''],
      context,
    );
    const actorId = readReply(reply, key.sessionId)[1];
    if (typeof actorId !== 'string' || actorId === '') return;
    await this.#index.forget(actorId, [name], context);
  }

  async replace(
    key: HistoryKey,
    records: readonly (HistoryRecord | NewHistoryRecord)[],
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    const context = contextOf(key, options);
    const { sessionId } = key;
    // The numbers themselves are given by the script, which knows the highest one.
    numberReplacement(records, 0, { packageName, sessionId });
    const values = records.flatMap((record) => [
      'sequence' in record ? String(record.sequence) : '',
      ...valuesOf(record),
    ]);
    const [version] = await this.#write(replaceScript, key, [options.version, ...values], context);
    return { version: String(version), duplicates: [] };
  }

  /**
   * Reads the whole index of the actor, and each of its histories' times, before it gives the first.
   * `updatedAt` is by the clock of the server.
   */
  async *list(
    { actorId }: HistoryFilter,
    options: HistoryCallOptions = {},
  ): AsyncGenerator<HistoryListing, void, undefined> {
    checkId(actorId, 'actorId', { packageName });
    yield* await this.#index.list(actorId, { signal: options.signal });
  }

  /**
   * Forgets every history of an actor, one after the other: when it fails, some may be left, and it may be
   * called again.
   *
   * @returns How many histories that were.
   */
  async eraseActor(actorId: string, options: HistoryCallOptions = {}): Promise<number> {
    checkId(actorId, 'actorId', { packageName });
    return this.#index.erase(actorId, { signal: options.signal });
  }

  /** Waits for what was begun and closes the connection. A `client` of your own stays open. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #read(
    key: HistoryKey,
    { limit, before, ids = [] }: LoadOptions,
    context: CommandContext,
    isRefreshing = false,
  ): Promise<LoadResult> {
    const { sessionId, actorId = '' } = key;
    const name = this.#keys.nameOf(key);
    const values = [String(layout), this.#ttl, actorId, name];
    const first = isRefreshing ? { script: refreshScript, values } : undefined;
    const { first: refreshed, ...loaded } = await readHistory(
      this.#connection,
      isRefreshing ? this.#keysOf(key, name) : this.#keys.ofHistory(name),
      { limit, before, ids: [...ids], sessionId, first },
      context,
    );
    await this.#settleIndex(name, refreshed[0], refreshed[1], context);
    return loaded;
  }

  /**
   * Runs a script that writes. On a single server the index is part of its step. On a Cluster a name is put
   * into the index first, unless this process has done so before and the history still says the same.
   */
  async #write(
    script: RedisScript,
    key: HistoryKey,
    values: readonly string[],
    context: CommandContext,
  ): Promise<readonly unknown[]> {
    const { sessionId, actorId } = key;
    const name = this.#keys.nameOf(key);
    const keys = this.#keysOf(key, name);
    const send = (hinted: boolean) =>
      this.#connection.run(
        script,
        keys,
        [...this.#settings, actorId ?? '', name, hinted ? '1' : '', ...values],
        context,
      );
    const hint = `${actorId}\0${name}`;
    const isHintFirst =
      this.#connection.isCluster && actorId !== undefined && !this.#hinted.has(hint);
    if (isHintFirst) await this.#index.touch(actorId, name, context);
    let reply = await send(isHintFirst);
    if (statusOf(reply) === 'hint' && actorId !== undefined) {
      this.#hinted.delete(hint);
      await this.#index.touch(actorId, name, context);
      reply = await send(true);
    }
    if (statusOf(reply) === 'conflict' && Array.isArray(reply)) {
      throw versionConflict(values[0] ?? '', reply[1], sessionId);
    }
    const answer = readReply(reply, sessionId);
    await this.#settleIndex(name, answer[1], answer[2], context);
    if (isHintFirst) this.#hinted.add(hint);
    return answer;
  }

  /** The keys that a script takes: those of the history and, where they may lie in one step, the index. */
  #keysOf({ actorId }: HistoryKey, name: string): readonly string[] {
    const keys = this.#keys.ofHistory(name);
    return actorId === undefined || this.#connection.isCluster
      ? keys
      : [...keys, this.#keys.ofActor(actorId)];
  }

  /** Tells the index what a script could not: `owed` is the actor, or ''. */
  async #settleIndex(
    name: string,
    owed: unknown,
    deadline: unknown,
    context: CommandContext,
  ): Promise<void> {
    if (typeof owed !== 'string' || owed === '') return;
    await this.#index.touch(owed, name, context, String(deadline), '');
  }
}

/** What every method begins with. */
function contextOf(key: HistoryKey, { signal }: HistoryCallOptions): CommandContext {
  checkHistoryKey(key, { packageName });
  return { signal, sessionId: key.sessionId };
}

/** A record as the scripts take it. */
function valuesOf(record: NewHistoryRecord): string[] {
  return [record.id, record.group, record.kind === 'system' ? '1' : '', packRecord(record)];
}

function statusOf(reply: unknown): unknown {
  return Array.isArray(reply) ? reply[0] : undefined;
}

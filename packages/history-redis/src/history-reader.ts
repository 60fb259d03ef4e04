import { type DamagedRecord, type HistoryRecord, type LoadResult, StoreError } from '@minne/core';
import { unpackRecord } from './packed-record.js';
import type { CommandContext, RedisConnection } from './redis-connection.js';
import { redisErrorCode } from './redis-failure.js';
import { newerLayout, readReply } from './script-reply.js';
import { readScript } from './scripts/read-scripts.js';
import type { RedisScript } from './scripts/redis-script.js';
import { layout } from './scripts/write-scripts.js';

/** What to read besides the records. */
export interface ReadHistoryOptions {
  readonly limit: number | undefined;
  readonly before: number | undefined;
  readonly ids: readonly string[];
  /** A script on the same keys that goes first in the same step. */
  readonly first?: { readonly script: RedisScript; readonly values: readonly string[] } | undefined;
  readonly sessionId: string;
}

/** What was read, and what the script that went first answered. */
export interface ReadHistory extends LoadResult {
  readonly first: readonly unknown[];
}

/**
 * Reads a history in one step and one round trip. Its records do not pass through a script, where they would
 * be copied twice: Redis reads them as fast as a list.
 *
 * @param keys - Those of the history; more may follow, for `first`.
 */
export async function readHistory(
  connection: RedisConnection,
  keys: readonly string[],
  options: ReadHistoryOptions,
  context: CommandContext,
): Promise<ReadHistory> {
  const { ids, first, sessionId } = options;
  const replies = await readAll(connection, keys, options, context);
  const answered = first === undefined ? [] : readReply(replies.shift(), sessionId);
  const [[foundLayout, version], packed, ...known] = replies as [
    (string | null)[],
    unknown[],
    ...unknown[][],
  ];
  if (foundLayout === null || foundLayout === undefined) {
    // Whatever lies at the other keys is the rest of something that was deleted by hand.
    return { records: [], version: '0', knownIds: [], damaged: [], first: answered };
  }
  if (!(Number(foundLayout) <= layout)) throw newerLayout(foundLayout, sessionId);
  return {
    ...unpackAll(packed),
    version: String(version),
    knownIds: [
      ...new Set(ids.filter((_, index) => known.some((found) => (found[index] ?? null) !== null))),
    ],
    first: answered,
  };
}

async function readAll(
  connection: RedisConnection,
  keys: readonly string[],
  { limit, before, ids, first }: ReadHistoryOptions,
  context: CommandContext,
): Promise<unknown[]> {
  const [meta = '', records = '', stored = '', , , removed = ''] = keys;
  const range = [before === undefined ? '+inf' : `(${before}`, '-inf'] as const;
  const count = String(limit ?? -1);
  // The source and not its sum: the server may not know that yet, and a part cannot be made again.
  const firstCommand = first && [
    'eval',
    first.script.source,
    String(keys.length),
    ...keys,
    ...first.values,
  ];
  const commands = [
    ...(firstCommand === undefined ? [] : [firstCommand]),
    ['hmget', meta, 'layout', 'version'],
    ['zrevrangebyscore', records, ...range, 'LIMIT', '0', count],
    ...(ids.length === 0 ? [] : [['hmget', stored, ...ids]]),
    ...(ids.length === 0 ? [] : [['zmscore', removed, ...ids]]),
  ];
  try {
    return await connection.transaction(commands, keys, context);
  } catch (error) {
    if (!StoreError.isInstance(error) || redisErrorCode(error.cause) !== 'OOM') throw error;
  }
  // A server that is full refuses transactions, even to read, and lets scripts read.
  const answered = first && (await connection.run(first.script, keys, first.values, context));
  const read = await connection.run(readScript, keys, [range[0], count, ...ids], context);
  return [...(first === undefined ? [] : [answered]), ...(Array.isArray(read) ? read : [])];
}

/** @param newestFirst - As Redis gave them. */
function unpackAll(newestFirst: readonly unknown[]): Pick<LoadResult, 'records' | 'damaged'> {
  const records: HistoryRecord[] = [];
  const damaged: DamagedRecord[] = [];
  for (let index = newestFirst.length - 1; index >= 0; index--) {
    const record = unpackRecord(newestFirst[index]);
    if ('reason' in record) damaged.push(record);
    else records.push(record);
  }
  return { records, damaged };
}

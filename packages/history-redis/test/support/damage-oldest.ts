import { encodeHistoryKey, type HistoryKey } from '@minne/core';

/** A client that can be told any command. */
export interface AnyCommand {
  call(command: string, ...values: string[]): Promise<unknown>;
}

/** Cuts the oldest record of a history in the middle. */
export async function damageOldest(
  redis: AnyCommand,
  keyPrefix: string,
  key: HistoryKey,
): Promise<void> {
  const records = `${keyPrefix}{${encodeHistoryKey(key, { packageName: 'test' })}}:records`;
  const [oldest = ''] = (await redis.call('ZRANGE', records, '0', '0')) as string[];
  const sequence = oldest.slice(0, oldest.indexOf('\0'));
  await redis.call('ZREM', records, oldest);
  await redis.call('ZADD', records, sequence, oldest.slice(0, sequence.length + 8));
}

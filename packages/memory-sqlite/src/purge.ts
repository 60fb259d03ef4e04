import type { PurgeRequest, PurgeResult } from '@minne/memory-engine';
import type { SqliteTransaction } from '@minne/sqlite';
import { purgeExpired } from './entry-removal.js';
import { integerOf, textOf } from './row-values.js';

/** Removes expired entries and what deleted stores have left, up to about `limit` rows. */
export function purgeRows(transaction: SqliteTransaction, request: PurgeRequest): PurgeResult {
  let removed = purgeExpired(transaction, request.now, request.limit);
  while (removed < request.limit) {
    const store = transaction
      .statement('SELECT key FROM minne_memory_stores WHERE delete_time <= ? LIMIT 1')
      .get(request.deletedBefore);
    if (store === undefined) return { removed, more: false };
    removed += removePart(transaction, textOf(store, 'key'), request.limit - removed);
  }
  return { removed, more: true };
}

/** Removes some rows of a store, and in the end the store. @returns How many, at least one. */
function removePart(transaction: SqliteTransaction, storeKey: string, limit: number): number {
  const actor = transaction
    .statement('SELECT key FROM minne_memory_actors WHERE store_key = ? LIMIT 1')
    .get(storeKey);
  if (actor === undefined) {
    transaction.statement('DELETE FROM minne_memory_stores WHERE key = ?').run(storeKey);
    return 1;
  }
  const key = integerOf(actor, 'key');
  const { changes: entries } = transaction
    .statement(
      `DELETE FROM minne_memory_entries WHERE key IN (
         SELECT key FROM minne_memory_entries WHERE actor = ? LIMIT ?)`,
    )
    .run(key, limit);
  if (entries > 0) return Number(entries);
  const { changes: records } = transaction
    .statement(
      `DELETE FROM minne_memory_changes WHERE actor = ? AND (revision, entry_id) IN (
         SELECT revision, entry_id FROM minne_memory_changes WHERE actor = ? LIMIT ?)`,
    )
    .run(key, key, limit);
  if (records > 0) return Number(records);
  transaction.statement('DELETE FROM minne_memory_actors WHERE key = ?').run(key);
  return 1;
}

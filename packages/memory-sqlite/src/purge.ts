import type { PurgeRequest, PurgeResult } from '@minne/memory-engine';
import type { Connection } from './connection.js';
import { purgeExpired } from './entry-removal.js';
import { integerOf, textOf } from './row-values.js';

/** Removes expired entries and what deleted stores have left, up to about `limit` rows. */
export function purgeRows(connection: Connection, request: PurgeRequest): PurgeResult {
  return connection.write(() => {
    let removed = purgeExpired(connection, request.now, request.limit);
    while (removed < request.limit) {
      const store = connection
        .statement('SELECT key FROM minne_memory_stores WHERE delete_time <= ? LIMIT 1')
        .get(request.deletedBefore);
      if (store === undefined) return { removed, more: false };
      removed += removePart(connection, textOf(store, 'key'), request.limit - removed);
    }
    return { removed, more: true };
  });
}

/** Removes some rows of a store, and in the end the store. @returns How many, at least one. */
function removePart(connection: Connection, storeKey: string, limit: number): number {
  const actor = connection
    .statement('SELECT key FROM minne_memory_actors WHERE store_key = ? LIMIT 1')
    .get(storeKey);
  if (actor === undefined) {
    connection.statement('DELETE FROM minne_memory_stores WHERE key = ?').run(storeKey);
    return 1;
  }
  const key = integerOf(actor, 'key');
  const { changes: entries } = connection
    .statement(
      `DELETE FROM minne_memory_entries WHERE key IN (
         SELECT key FROM minne_memory_entries WHERE actor = ? LIMIT ?)`,
    )
    .run(key, limit);
  if (entries > 0) return Number(entries);
  const { changes: records } = connection
    .statement(
      `DELETE FROM minne_memory_changes WHERE actor = ? AND (revision, entry_id) IN (
         SELECT revision, entry_id FROM minne_memory_changes WHERE actor = ? LIMIT ?)`,
    )
    .run(key, key, limit);
  if (records > 0) return Number(records);
  connection.statement('DELETE FROM minne_memory_actors WHERE key = ?').run(key);
  return 1;
}

import { checkStoreId, type MemoryCallOptions } from '@minne/core/memory';
import { engineError, storeNotFound } from '../engine-error.js';
import type { Principal, StorePermission } from '../principal.js';
import type { StoragePort, StoreRow } from '../storage-port.js';

/**
 * Finds a store that is not deleted.
 * @throws MemoryError `NOT_FOUND`.
 */
export async function findStore(
  storage: StoragePort,
  id: string,
  options: MemoryCallOptions,
): Promise<StoreRow> {
  options.signal?.throwIfAborted();
  checkStoreId(id);
  const row = await storage.stores.get(id, options);
  if (row === undefined || row.deleteTime !== null) throw storeNotFound(id);
  return row;
}

/**
 * The one place that says who may read and write the entries of a store: its creator.
 * @throws MemoryError `PERMISSION_DENIED`.
 */
export function checkDataAccess(
  row: StoreRow,
  principal: Principal,
  permission: StorePermission,
): void {
  if (row.creator === principal.name) return;
  throw engineError(
    'PERMISSION_DENIED',
    `"${principal.name}" has no ${permission} permission on memory store "${row.id}". Its creator has.`,
  );
}

/**
 * The one place that says who may change and delete a store: its creator and every admin.
 * @throws MemoryError `PERMISSION_DENIED`.
 */
export function checkManagement(row: StoreRow, principal: Principal): void {
  if (row.creator === principal.name || principal.isAdmin) return;
  throw engineError(
    'PERMISSION_DENIED',
    `"${principal.name}" may not change memory store "${row.id}". Its creator or an admin may.`,
  );
}

import { checkPageSize, type MemoryCallOptions } from '@minne/core/memory';
import type { EngineContext } from '../engine-context.js';
import { decodePageToken, encodePageToken } from '../page-token.js';
import type { Principal } from '../principal.js';
import { type StoreInfo, toStoreInfo } from './store-info.js';

/** Which page of stores to list. */
export interface ListStoresOptions {
  /** How many stores at most, 1 to 100. Default 10. */
  readonly pageSize?: number;
  /** `nextPageToken` of the page before, listed by the same caller. */
  readonly pageToken?: string;
}

/** A page of stores. */
export interface StoreListing {
  readonly stores: readonly StoreInfo[];
  /** Absent on the last page. */
  readonly nextPageToken?: string;
}

/** A page of the stores that are not deleted, in the order of their ids. */
export async function listStores(
  { storage }: EngineContext,
  principal: Principal,
  page: ListStoresOptions,
  options: MemoryCallOptions,
): Promise<StoreListing> {
  options.signal?.throwIfAborted();
  const limit = checkPageSize(page.pageSize, 10);
  const binding = ['stores', principal.name];
  const [after] =
    page.pageToken === undefined ? [] : await decodePageToken(page.pageToken, binding, 1);
  const rows = await storage.stores.list(
    { ...(after === undefined ? {} : { after }), limit: limit + 1 },
    options,
  );
  const stores = rows.slice(0, limit).map(toStoreInfo);
  const last = rows.length > limit ? stores.at(-1) : undefined;
  return last === undefined
    ? { stores }
    : { stores, nextPageToken: await encodePageToken(binding, [last.id]) };
}

import { type Clock, ConfigurationError, type IdGenerator, systemClock, uuidv7 } from '@minne/core';
import { type MemoryCallOptions, MemoryError } from '@minne/core/memory';
import type { EngineContext } from './engine-context.js';
import { checkDuration, checkSize } from './engine-options.js';
import { EngineStore } from './engine-store.js';
import { KeyedQueue } from './keyed-queue.js';
import { localPrincipal, type Principal } from './principal.js';
import { IndexCache } from './search/index-cache.js';
import type { StoragePort } from './storage-port.js';
import { checkDataAccess, checkManagement, findStore } from './stores/access.js';
import {
  createStore,
  deleteStore,
  type NewStore,
  purgeStorage,
  type StoreChanges,
  updateStore,
} from './stores/change-store.js';
import { type ListStoresOptions, listStores, type StoreListing } from './stores/list-stores.js';
import { type StoreInfo, toStoreInfo } from './stores/store-info.js';

/** Options of {@link MemoryEngine}. */
export interface MemoryEngineOptions {
  /** Where the rows are kept. Stays its owner's: the engine never closes it. */
  readonly storage: StoragePort;
  /** Default: the time of this machine. */
  readonly clock?: Clock;
  /** Makes the ids of entries. Default: UUIDs of version 7. */
  readonly ids?: IdGenerator;
  /** How long a deleted store keeps its rows and its id, in milliseconds. Default 30 days. */
  readonly purgeAfter?: number;
  /** How long a write is tried again while others come in between, in milliseconds. Default 10,000. */
  readonly writeTimeout?: number;
  /**
   * About how much memory the search cache takes, in bytes, over all actors. Default 64 MiB: some
   * 80,000 short entries. The actor searched longest ago is dropped first, and read again when needed.
   */
  readonly searchCacheSize?: number;
}

/** Options of {@link MemoryEngine.openStore}. */
export interface OpenStoreOptions extends MemoryCallOptions {
  /** Default: the principal `local`, which is an admin. */
  readonly principal?: Principal;
  /** The description of the store if it is created. */
  readonly description?: string;
}

const defaultPurgeAfter = 30 * 24 * 60 * 60 * 1000;

/**
 * Memory stores over a storage. Values are checked here, so that in process and over HTTP the same is
 * refused. One engine per process is enough, and several processes may share a storage.
 */
export class MemoryEngine {
  readonly #context: EngineContext;
  readonly #purgeAfter: number;

  /** @throws ConfigurationError without a storage, and for numbers that make no sense. */
  constructor(options: MemoryEngineOptions) {
    if (typeof options?.storage?.entries !== 'object') {
      throw new ConfigurationError(
        'The memory engine has no storage. Give it one, such as new SqliteMemoryStorage({ path }) of @minne/memory-sqlite.',
        { packageName: '@minne/memory-engine', field: 'storage' },
      );
    }
    const { storage, clock = systemClock, ids = uuidv7 } = options;
    this.#purgeAfter = checkDuration(options.purgeAfter ?? defaultPurgeAfter, 'purgeAfter');
    this.#context = {
      storage,
      clock,
      ids,
      indexes: new IndexCache(
        storage.entries,
        checkSize(options.searchCacheSize ?? 64 * 1024 * 1024, 'searchCacheSize'),
      ),
      writes: new KeyedQueue(),
      writeTimeout: checkDuration(options.writeTimeout ?? 10_000, 'writeTimeout'),
    };
  }

  /**
   * Makes a store that belongs to the principal.
   * @throws MemoryError `ALREADY_EXISTS`, also while a deleted store of this id is not purged yet.
   */
  async createStore(
    principal: Principal,
    store: NewStore,
    options: MemoryCallOptions = {},
  ): Promise<StoreInfo> {
    const row = await createStore(this.#context, principal, store, this.#purgeAfter, options);
    return toStoreInfo(row);
  }

  /** Every principal may read what a store is, though not what is in it. */
  async getStore(
    _principal: Principal,
    id: string,
    options: MemoryCallOptions = {},
  ): Promise<StoreInfo> {
    return toStoreInfo(await findStore(this.#context.storage, id, options));
  }

  /** A page of all stores, in the order of their ids. */
  async listStores(
    principal: Principal,
    page: ListStoresOptions = {},
    options: MemoryCallOptions = {},
  ): Promise<StoreListing> {
    return listStores(this.#context, principal, page, options);
  }

  /** Changes the members that `changes` has as its own, and clears those that are `undefined`. */
  async updateStore(
    principal: Principal,
    id: string,
    changes: StoreChanges,
    options: MemoryCallOptions = {},
  ): Promise<StoreInfo> {
    return toStoreInfo(await updateStore(this.#context, principal, id, changes, options));
  }

  /** Hides a store and its entries at once. Its rows go, and its id is free, `purgeAfter` later. */
  async deleteStore(
    principal: Principal,
    id: string,
    options: MemoryCallOptions = {},
  ): Promise<void> {
    return deleteStore(this.#context, principal, id, options);
  }

  /**
   * Checks that the store is there and that the principal may change and delete it. Those verbs do so by
   * themselves; a server asks before it looks at a request any further.
   * @throws MemoryError `NOT_FOUND`, `PERMISSION_DENIED`.
   */
  async authorizeManagement(
    principal: Principal,
    id: string,
    options: MemoryCallOptions = {},
  ): Promise<void> {
    checkManagement(await findStore(this.#context.storage, id, options), principal);
  }

  /** The store as this principal sees it. Reads nothing: whether it exists is for each verb to say. */
  store(principal: Principal, storeId: string): EngineStore {
    return new EngineStore(this.#context, principal, storeId);
  }

  /** Opens a store for an application that embeds the engine, and makes it when there is none. */
  async openStore(storeId: string, options: OpenStoreOptions = {}): Promise<EngineStore> {
    const { principal = localPrincipal, description } = options;
    try {
      await this.createStore(
        principal,
        { id: storeId, ...(description === undefined ? {} : { description }) },
        options,
      );
    } catch (error) {
      if (!MemoryError.isInstance(error) || error.errorCode !== 'ALREADY_EXISTS') throw error;
      const existing = await this.#context.storage.stores.get(storeId, options);
      // One that is deleted but not purged: its creation says best what is in the way.
      if (existing === undefined || existing.deleteTime !== null) throw error;
      checkDataAccess(existing, principal, 'READ');
    }
    return this.store(principal, storeId);
  }

  /**
   * Removes for good what nobody can see any more: expired entries, and stores deleted longer than
   * `purgeAfter` ago. Nothing does so on its own, except that a write removes the expired entries of its
   * actor; call it at the start and once a day.
   */
  async purge(options: MemoryCallOptions = {}): Promise<{ readonly removed: number }> {
    return purgeStorage(this.#context, this.#purgeAfter, options);
  }

  /** Ends the use of the engine. The storage stays open: it is its owner's. */
  async close(): Promise<void> {
    await this.#context.writes.idle();
  }
}

import {
  checkPageSize,
  type DeleteMemoryOptions,
  type ListMemoryOptions,
  type ManagedMemoryStore,
  type MemoryCallOptions,
  type MemoryChanges,
  type MemoryEntry,
  type MemoryFilter,
  type MemoryHit,
  type MemoryQuery,
  type NewMemoryEntry,
  type PutMemoryOptions,
} from '@minne/core/memory';
import type { EngineContext, StoreScope } from './engine-context.js';
import { addEntry, deleteEntry, updateEntry } from './entries/change-entry.js';
import { toMemoryEntry } from './entries/entry-row.js';
import { type EntryListing, type ListPageOptions, listEntries } from './entries/list-entries.js';
import { putEntry } from './entries/put-entry.js';
import { getEntryRow } from './entries/read-entry.js';
import { hasContent } from './entries/view.js';
import type { Principal, StorePermission } from './principal.js';
import { searchEntries, type ViewOptions } from './search/search-entries.js';
import { checkDataAccess, findStore } from './stores/access.js';

/** Options of {@link EngineStore.add}. */
export interface AddMemoryOptions extends MemoryCallOptions {
  /** The id of the new entry: 1 to 64 of `A-Z a-z 0-9 _ -`. Default: one of the engine's. */
  readonly id?: string;
}

/**
 * One memory store, as one principal sees it. Every verb looks the store up and checks the access
 * anew, before anything else: `NOT_FOUND` for a store that is not there, `PERMISSION_DENIED` for one
 * of somebody else. A value that is not what it must be is `INVALID_PARAMETER_VALUE`.
 */
export class EngineStore implements ManagedMemoryStore {
  readonly specificationVersion = 'v1';
  /** The id of the store. */
  readonly id: string;
  readonly #context: EngineContext;
  readonly #principal: Principal;

  /** Made by `MemoryEngine.store` and `MemoryEngine.openStore`. */
  constructor(context: EngineContext, principal: Principal, id: string) {
    this.#context = context;
    this.#principal = principal;
    this.id = id;
  }

  /**
   * Ranks the entries of the actor by BM25 over path, description and content. The filters are applied
   * before the ranking is cut; the statistics are those of all the actor's entries, so that a score
   * does not depend on them. A query without any word, such as `***`, finds nothing.
   */
  async search(query: MemoryQuery, options: ViewOptions = {}): Promise<readonly MemoryHit[]> {
    return searchEntries(await this.#open('READ', options), query, options);
  }

  async *list(filter: MemoryFilter, options: ListMemoryOptions = {}): AsyncGenerator<MemoryEntry> {
    const pageSize = checkPageSize(options.pageSize, 100);
    let page = await this.listPage(filter, { ...options, pageSize });
    yield* page.entries;
    while (page.nextPageToken !== undefined) {
      const { nextPageToken: pageToken } = page;
      page = await this.listPage(filter, { ...options, pageSize, pageToken });
      yield* page.entries;
    }
  }

  /** A page of entries in the order of path, session (none first) and id, compared by code point. */
  async listPage(filter: MemoryFilter, options: ListPageOptions = {}): Promise<EntryListing> {
    return listEntries(await this.#open('READ', options), filter, options);
  }

  /**
   * Without `append` the entry becomes exactly what is given: what is left out is cleared. With
   * `append` the content is joined to what is there and only the other fields given are changed.
   * An entry whose `expireTime` has passed is gone at once, and its place free.
   */
  async put(entry: NewMemoryEntry, options: PutMemoryOptions = {}): Promise<MemoryEntry> {
    return putEntry(await this.#open('WRITE', options), entry, options);
  }

  /** @throws MemoryError `ALREADY_EXISTS` when the place or the id is taken; its details name the entry. */
  async add(entry: NewMemoryEntry, options: AddMemoryOptions = {}): Promise<MemoryEntry> {
    return addEntry(await this.#open('WRITE', options), entry, options);
  }

  async get(id: string, options: ViewOptions = {}): Promise<MemoryEntry> {
    const scope = await this.#open('READ', options);
    return toMemoryEntry(await getEntryRow(scope, id, hasContent(options.view), options));
  }

  async update(
    id: string,
    changes: MemoryChanges,
    options: DeleteMemoryOptions = {},
  ): Promise<MemoryEntry> {
    return updateEntry(await this.#open('WRITE', options), id, changes, options);
  }

  async delete(id: string, options: DeleteMemoryOptions = {}): Promise<void> {
    return deleteEntry(await this.#open('WRITE', options), id, options);
  }

  /**
   * Checks that the store is there and that the principal may do this. Every verb does so by itself;
   * a server asks before it looks at a request any further.
   * @throws MemoryError `NOT_FOUND`, `PERMISSION_DENIED`.
   */
  async authorize(permission: StorePermission, options: MemoryCallOptions = {}): Promise<void> {
    await this.#open(permission, options);
  }

  async #open(permission: StorePermission, options: MemoryCallOptions): Promise<StoreScope> {
    const store = await findStore(this.#context.storage, this.id, options);
    checkDataAccess(store, this.#principal, permission);
    return { context: this.#context, store, caller: this.#principal.name };
  }
}

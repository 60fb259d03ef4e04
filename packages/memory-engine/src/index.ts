export { type AddMemoryOptions, EngineStore } from './engine-store.js';
export type { EntryListing, ListPageOptions } from './entries/list-entries.js';
export type { MemoryView } from './entries/view.js';
export { MemoryEngine, type MemoryEngineOptions, type OpenStoreOptions } from './memory-engine.js';
export { localPrincipal, type Principal, type StorePermission } from './principal.js';
export type { ViewOptions } from './search/search-entries.js';
export type {
  ActorChanges,
  ChangesRequest,
  CommitConflict,
  CommitResult,
  EntryCommit,
  EntryDelete,
  EntryLookup,
  EntryPage,
  EntryPlace,
  EntryPut,
  EntryRow,
  EntryTable,
  PathRange,
  PurgeRequest,
  PurgeResult,
  SearchRecordRow,
  StoragePort,
  StorePage,
  StoreRow,
  StoreTable,
} from './storage-port.js';
export type { NewStore, StoreChanges } from './stores/change-store.js';
export type { ListStoresOptions, StoreListing } from './stores/list-stores.js';
export type { StoreInfo } from './stores/store-info.js';

import type { Clock, IdGenerator } from '@minne/core';
import type { KeyedQueue } from './keyed-queue.js';
import type { IndexCache } from './search/index-cache.js';
import type { StoragePort, StoreRow } from './storage-port.js';

/** What the verbs of one engine share. */
export interface EngineContext {
  readonly storage: StoragePort;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly indexes: IndexCache;
  /** Writes to one entry take turns, so that only other processes can come in between. */
  readonly writes: KeyedQueue;
  /** Milliseconds for which a write that others come in between is tried again. */
  readonly writeTimeout: number;
}

/** One store of an engine, opened by a principal that may. */
export interface StoreScope {
  readonly context: EngineContext;
  readonly store: StoreRow;
  /** The name of the principal. */
  readonly caller: string;
}

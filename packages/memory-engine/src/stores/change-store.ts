import { timestamp, uuidv7 } from '@minne/core';
import {
  checkDescription,
  checkIdentifier,
  checkMetadata,
  checkStoreId,
  invalidParameter,
  type MemoryCallOptions,
} from '@minne/core/memory';
import type { EngineContext } from '../engine-context.js';
import { engineError } from '../engine-error.js';
import { pause } from '../pause.js';
import type { Principal } from '../principal.js';
import type { StoreRow } from '../storage-port.js';
import { timeAfter } from '../time.js';
import { checkManagement, findStore } from './access.js';

/** A store to be made. */
export interface NewStore {
  /** 3 to 56 of `a-z 0-9 -`, a letter first, a letter or digit last. */
  readonly id: string;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** What of a store can change; `undefined` clears. */
export interface StoreChanges {
  readonly description?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Makes a store, after purging a deleted one of the same id whose time has come. */
export async function createStore(
  context: EngineContext,
  principal: Principal,
  store: NewStore,
  purgeAfter: number,
  options: MemoryCallOptions,
): Promise<StoreRow> {
  options.signal?.throwIfAborted();
  const id = checkStoreId(store.id);
  const now = timestamp(context.clock);
  const row: StoreRow = {
    id,
    key: uuidv7(),
    description: store.description === undefined ? null : checkDescription(store.description),
    metadata: store.metadata === undefined ? {} : checkMetadata(store.metadata),
    // A store of nobody would be everybody's.
    creator: checkIdentifier(principal.name, 'principal.name'),
    createTime: now,
    updateTime: now,
    deleteTime: null,
    revision: 1,
  };
  const existing = await context.storage.stores.get(id, options);
  const purgeable = existing?.deleteTime != null && existing.deleteTime <= before(now, purgeAfter);
  if (purgeable) await purgeStorage(context, purgeAfter, options);
  const free = existing === undefined || purgeable;
  if (free && (await context.storage.stores.write(row, null, options))) return row;
  throw engineError(
    'ALREADY_EXISTS',
    existing?.deleteTime == null
      ? `There is already a memory store "${id}". Choose another id.`
      : `Memory store "${id}" was deleted and its id is not free yet. Choose another id.`,
    { details: [{ managed_memory_store: `memory-stores/${id}` }] },
  );
}

/** Changes a store. */
export async function updateStore(
  context: EngineContext,
  principal: Principal,
  id: string,
  changes: StoreChanges,
  options: MemoryCallOptions,
): Promise<StoreRow> {
  return changeStore(context, principal, id, () => checkChanges(changes), options);
}

/** Marks a store as deleted. */
export async function deleteStore(
  context: EngineContext,
  principal: Principal,
  id: string,
  options: MemoryCallOptions,
): Promise<void> {
  const deletion = () => ({ deleteTime: timestamp(context.clock) });
  await changeStore(context, principal, id, deletion, options);
}

/** Rows that are purged at a time. A storage may hold up the process for as long as that takes. */
const purgeLimit = 200;

/** Removes what nobody can see any more, part by part, letting others have their turn in between. */
export async function purgeStorage(
  context: EngineContext,
  purgeAfter: number,
  options: MemoryCallOptions,
): Promise<{ readonly removed: number }> {
  const now = timestamp(context.clock);
  const request = { now, deletedBefore: before(now, purgeAfter), limit: purgeLimit };
  for (let removed = 0; ; ) {
    options.signal?.throwIfAborted();
    const result = await context.storage.purge(request, options);
    removed += result.removed;
    if (!result.more) return { removed };
    await pause(0);
  }
}

/** Reads a store and writes it changed until nobody came in between, which ends soon: stores change rarely. */
async function changeStore(
  context: EngineContext,
  principal: Principal,
  id: string,
  change: () => Partial<StoreRow>,
  options: MemoryCallOptions,
): Promise<StoreRow> {
  for (;;) {
    const stored = await findStore(context.storage, id, options);
    checkManagement(stored, principal);
    const row: StoreRow = {
      ...stored,
      ...change(),
      updateTime: timeAfter(stored.updateTime, timestamp(context.clock)),
      revision: stored.revision + 1,
    };
    if (await context.storage.stores.write(row, stored.revision, options)) return row;
  }
}

function checkChanges(changes: StoreChanges): Partial<StoreRow> {
  const names = Object.keys(changes);
  const other = names.find((name) => name !== 'description' && name !== 'metadata');
  if (other !== undefined || names.length === 0) {
    throw invalidParameter(
      other ?? 'update_mask',
      'cannot be updated. Name description, metadata or both.',
    );
  }
  const { description, metadata } = changes;
  return {
    ...('description' in changes
      ? { description: description === undefined ? null : checkDescription(description) }
      : {}),
    ...('metadata' in changes
      ? { metadata: metadata === undefined ? {} : checkMetadata(metadata) }
      : {}),
  };
}

function before(now: string, milliseconds: number): string {
  return new Date(Date.parse(now) - milliseconds).toISOString();
}

import { timestamp } from '@minne/core';
import { invalidParameter, type MemoryCallOptions } from '@minne/core/memory';
import type { StoreScope } from '../engine-context.js';
import { entryNotFound } from '../engine-error.js';
import type { EntryRow } from '../storage-port.js';
import type { EntryKey } from './entry-fields.js';
import { type FullEntryRow, withContent } from './entry-row.js';

/** What the id of an entry is made of. */
const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** @throws MemoryError `INVALID_PARAMETER_VALUE` unless an entry may have this id. */
export function checkEntryId(value: unknown): string {
  if (typeof value === 'string' && idPattern.test(value)) return value;
  throw invalidParameter(
    'managed_memory_entry_id',
    'must be 1 to 64 characters of A-Z, a-z, 0-9, "_" and "-".',
  );
}

/**
 * The row of an entry; its content only if asked.
 * @throws MemoryError `NOT_FOUND`; `INVALID_PARAMETER_VALUE` for what is no text at all.
 */
export async function getEntryRow(
  { context, store }: StoreScope,
  id: string,
  withContent: boolean,
  options: MemoryCallOptions,
): Promise<EntryRow> {
  if (typeof id !== 'string') throw invalidParameter('id', 'must be the id of one entry.');
  if (!idPattern.test(id)) throw entryNotFound(store.id, id);
  const now = timestamp(context.clock);
  const request = { storeKey: store.key, ids: [id], now, withContent };
  const [row] = await context.storage.entries.get(request, options);
  if (row === undefined) throw entryNotFound(store.id, id);
  return row;
}

/** The row at this actor, session and path. */
export async function findEntryRow(
  { context, store }: StoreScope,
  { actorId, sessionId, path }: EntryKey,
  options: MemoryCallOptions,
): Promise<FullEntryRow | undefined> {
  const now = timestamp(context.clock);
  const [row] = await context.storage.entries.list(
    { storeKey: store.key, actorId, sessionId, path, limit: 1, now, withContent: true },
    options,
  );
  return row === undefined ? undefined : withContent(row);
}

import { timestamp } from '@minne/core';
import type { MemoryCallOptions } from '@minne/core/memory';
import type { StoreScope } from '../engine-context.js';
import { storeNotFound } from '../engine-error.js';
import type { CommitConflict, EntryCommit, EntryRow } from '../storage-port.js';
import { type FullEntryRow, searchRecordOf } from './entry-row.js';

/**
 * Writes a row, with what search keeps of it.
 * @param expected - The revision of the stored row; `null` for none.
 * @returns What was in the way, if anything.
 * @throws MemoryError `NOT_FOUND` when the store has been deleted.
 */
export function writeEntryRow(
  scope: StoreScope,
  row: FullEntryRow,
  expected: number | null,
  options: MemoryCallOptions,
): Promise<CommitConflict | undefined> {
  const put = { row, searchRecord: searchRecordOf(row), expected };
  return commit(scope, row.actorId, { puts: [put], deletes: [] }, options);
}

/** Removes a row if nobody has changed it; otherwise like {@link writeEntryRow}. */
export function removeEntryRow(
  scope: StoreScope,
  row: EntryRow,
  options: MemoryCallOptions,
): Promise<CommitConflict | undefined> {
  const removal = { id: row.id, expected: row.revision };
  return commit(scope, row.actorId, { puts: [], deletes: [removal] }, options);
}

async function commit(
  { context, store }: StoreScope,
  actorId: string,
  changes: Pick<EntryCommit, 'puts' | 'deletes'>,
  options: MemoryCallOptions,
): Promise<CommitConflict | undefined> {
  const now = timestamp(context.clock);
  const request = { storeKey: store.key, actorId, now, ...changes };
  const result = await context.storage.entries.commit(request, options);
  if (result.committed) return undefined;
  if (result.conflict.kind === 'store') throw storeNotFound(store.id);
  return result.conflict;
}

import { timestamp } from '@minne/core';
import type {
  DeleteMemoryOptions,
  MemoryCallOptions,
  MemoryChanges,
  MemoryEntry,
  NewMemoryEntry,
} from '@minne/core/memory';
import type { StoreScope } from '../engine-context.js';
import { engineError, preconditionFailed } from '../engine-error.js';
import type { EntryRow } from '../storage-port.js';
import { removeEntryRow, writeEntryRow } from './commit-entry.js';
import {
  checkEntryChanges,
  checkEntryFields,
  checkEntryKey,
  checkPrecondition,
  emptyFields,
  hasFields,
  holds,
} from './entry-fields.js';
import { changedEntryRow, newEntryRow, toMemoryEntry, withContent } from './entry-row.js';
import { retry, writeOptimistically } from './optimistic-write.js';
import { checkEntryId, getEntryRow } from './read-entry.js';

/** Makes an entry where there is none, under an id of the caller's if it gives one. */
export async function addEntry(
  scope: StoreScope,
  entry: NewMemoryEntry,
  options: MemoryCallOptions & { readonly id?: string },
): Promise<MemoryEntry> {
  const { context, store } = scope;
  const id = checkEntryId(options.id ?? context.ids());
  const key = checkEntryKey(entry);
  const fields = { ...emptyFields, ...checkEntryFields(entry) };
  const row = await newEntryRow(id, key, fields, timestamp(context.clock));
  const conflict = await writeEntryRow(scope, row, null, options);
  if (conflict === undefined) return toMemoryEntry(row);
  const existing = conflict.entryId ?? id;
  throw engineError(
    'ALREADY_EXISTS',
    conflict.kind === 'id'
      ? `There is already an entry "${id}". Give another id, or none.`
      : `There is already an entry at ${key.path} for this actor and session. Put or update it instead.`,
    { details: [{ managed_memory_entry: `memory-stores/${store.id}/entries/${existing}` }] },
  );
}

/** Changes the fields of an entry that are named in `changes`. */
export async function updateEntry(
  scope: StoreScope,
  id: string,
  changes: MemoryChanges,
  options: DeleteMemoryOptions,
): Promise<MemoryEntry> {
  const fields = checkEntryChanges(changes);
  const precondition = checkPrecondition(options.precondition);
  const { context } = scope;
  const key = keyOf(await getEntryRow(scope, id, false, options));
  return writeOptimistically(scope, key, attempt, options);

  async function attempt(): Promise<MemoryEntry | typeof retry> {
    const stored = withContent(await getEntryRow(scope, id, true, options));
    if (!holds(precondition, stored)) {
      if (hasFields(stored, fields)) return toMemoryEntry(stored);
      throw preconditionFailed();
    }
    const row = await changedEntryRow(stored, fields, timestamp(context.clock));
    const conflict = await writeEntryRow(scope, row, stored.revision, options);
    return conflict === undefined ? toMemoryEntry(row) : retry;
  }
}

/** Removes an entry. */
export async function deleteEntry(
  scope: StoreScope,
  id: string,
  options: DeleteMemoryOptions,
): Promise<void> {
  const precondition = checkPrecondition(options.precondition);
  const key = keyOf(await getEntryRow(scope, id, false, options));
  await writeOptimistically(scope, key, attempt, options);

  async function attempt(): Promise<'deleted' | typeof retry> {
    const stored = await getEntryRow(scope, id, false, options);
    if (!holds(precondition, stored)) throw preconditionFailed();
    const conflict = await removeEntryRow(scope, stored, options);
    return conflict === undefined ? 'deleted' : retry;
  }
}

function keyOf(row: EntryRow): readonly (string | null)[] {
  return [row.actorId, row.sessionId, row.path];
}

import { timestamp } from '@minne/core';
import {
  checkContent,
  type MemoryEntry,
  type NewMemoryEntry,
  type PutMemoryOptions,
} from '@minne/core/memory';
import type { StoreScope } from '../engine-context.js';
import { preconditionFailed } from '../engine-error.js';
import { appendContent, isAppended } from './append-content.js';
import { writeEntryRow } from './commit-entry.js';
import {
  checkEntryFields,
  checkEntryKey,
  checkPrecondition,
  type EntryFields,
  emptyFields,
  hasFields,
  holds,
} from './entry-fields.js';
import { changedEntryRow, type FullEntryRow, newEntryRow, toMemoryEntry } from './entry-row.js';
import { retry, writeOptimistically } from './optimistic-write.js';
import { checkEntryId, findEntryRow } from './read-entry.js';

/** Writes the entry of this actor, session and path, whether or not there is one. */
export async function putEntry(
  scope: StoreScope,
  entry: NewMemoryEntry,
  options: PutMemoryOptions,
): Promise<MemoryEntry> {
  const { context } = scope;
  const key = checkEntryKey(entry);
  const given = checkEntryFields(entry);
  const precondition = checkPrecondition(options.precondition);
  const append = options.append === true;
  const queueKey = [key.actorId, key.sessionId, key.path];
  return writeOptimistically(scope, queueKey, attempt, options);

  async function attempt(): Promise<MemoryEntry | typeof retry> {
    const stored = await findEntryRow(scope, key, options);
    if (!holds(precondition, stored)) {
      if (stored !== undefined && (await isDone(stored))) return toMemoryEntry(stored);
      throw preconditionFailed();
    }
    const now = timestamp(context.clock);
    const row =
      stored === undefined
        ? await newEntryRow(checkEntryId(context.ids()), key, { ...emptyFields, ...given }, now)
        : await changedEntryRow(stored, fieldsOver(stored), now);
    const conflict = await writeEntryRow(scope, row, stored?.revision ?? null, options);
    return conflict === undefined ? toMemoryEntry(row) : retry;
  }

  function fieldsOver(stored: EntryFields): Partial<EntryFields> {
    if (!append) return { ...emptyFields, ...given };
    const content = checkContent(appendContent(stored.content, given.content ?? ''));
    return { ...given, content };
  }

  // A repeated put finds what the first one made, and has succeeded.
  async function isDone(stored: FullEntryRow): Promise<boolean> {
    if (!append) return hasFields(stored, { ...emptyFields, ...given });
    const { content = '', ...others } = given;
    return (
      precondition !== undefined &&
      hasFields(stored, others) &&
      (await isAppended(stored.content, content, precondition))
    );
  }
}

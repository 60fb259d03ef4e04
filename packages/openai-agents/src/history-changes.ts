import {
  ConflictError,
  type HistoryRecord,
  InvalidInputError,
  type NewHistoryRecord,
  toJsonValue,
} from '@minne/core';
import type {
  AgentInputItem,
  SessionHistoryMutation,
  SessionHistoryTransaction,
} from '@openai/agents';
import { ItemGroups } from './item-groups.js';
import type { LoadedItems, Rewrite, StoredItem } from './item-history.js';
import { type EncodedItem, encodeItems, toRecords } from './item-record.js';
import { canonicalJson, isNoteOf, itemIdOf, type Operation, operationNote } from './operation.js';
import { packageName } from './package-name.js';

/** A transaction whose items are checked. */
export interface CheckedTransaction {
  /** What the newest items must be; they are taken away. */
  readonly expectedSuffix: readonly EncodedItem[];
  readonly added: readonly EncodedItem[];
}

/** @throws InvalidInputError for a type that this version does not know, and for items that cannot be kept. */
export function checkTransaction(transaction: SessionHistoryTransaction): CheckedTransaction {
  switch (transaction?.type) {
    case 'append_items':
      return { expectedSuffix: [], added: encodeItems(transaction.items, 'transaction.items') };
    case 'replace_suffix':
      return {
        expectedSuffix: encodeItems(transaction.expectedSuffix, 'transaction.expectedSuffix'),
        added: encodeItems(transaction.replacement, 'transaction.replacement'),
      };
    default:
      throw unknownType('transaction', transaction);
  }
}

/** @throws InvalidInputError for what is no list of mutations of a type that this version knows. */
export function checkMutations(mutations: readonly SessionHistoryMutation[]): void {
  if (!Array.isArray(mutations)) {
    throw new InvalidInputError('mutations is no array. Give an array of mutations.', {
      packageName,
      field: 'mutations',
    });
  }
  for (const mutation of mutations) {
    if (mutation?.type !== 'replace_function_call') throw unknownType('mutation', mutation);
  }
}

/**
 * The history with a transaction applied, and with a note of it; as it was when it is applied already.
 *
 * @throws ConflictError when the operation was applied with other content, or the suffix is another.
 */
export function withTransaction(
  { stored, knownIds }: LoadedItems,
  operation: Operation,
  { expectedSuffix, added }: CheckedTransaction,
): Rewrite<undefined> {
  if (isApplied(stored, knownIds, operation, added)) return { result: undefined };
  const suffix = newestItems(stored, expectedSuffix.length);
  const matches = expectedSuffix.every(
    ({ payload }, index) => comparable(suffix[index]?.record.payload) === comparable(payload),
  );
  if (!matches) {
    throw conflict(
      'The newest items of the session are not the ones that the transaction expects. Read them and make a new transaction.',
      'transaction.expectedSuffix',
    );
  }
  const left = stored.filter((entry) => !suffix.includes(entry));
  const ids = added.map((_, index) => itemIdOf(operation, index));
  const records = toRecords(added, ids, groupsAfter(left));
  return {
    records: [
      ...left.map(({ record }) => record),
      operationNote(operation, records[0]?.group),
      ...records,
    ],
    result: undefined,
  };
}

/** The mutations of a history: what they are about keeps its place. */
export function withMutations(
  { stored }: LoadedItems,
  mutations: readonly SessionHistoryMutation[],
): Rewrite<undefined> {
  let entries = [...stored];
  for (const [index, mutation] of mutations.entries()) {
    const [encoded] = encodeItems([mutation.replacement], `mutations[${index}].replacement`);
    let isFirst = true;
    entries = entries.flatMap((entry) => {
      const { item, record } = entry;
      const isMeant = item?.type === 'function_call' && item.callId === mutation.callId;
      if (!isMeant || encoded === undefined) return [entry];
      // Calls are told apart by their id alone: the first takes the replacement, the others go.
      if (!isFirst) return [];
      isFirst = false;
      return [{ item: encoded.item, record: { ...record, payload: encoded.payload } }];
    });
  }
  const isSame = entries.every((entry, index) => entry === stored[index]);
  if (isSame && entries.length === stored.length) return { result: undefined };
  return { records: entries.map(({ record }) => record), result: undefined };
}

/** A history that holds a compaction and what comes with it, and behind them what others have added since. */
export function withCompaction(
  { stored }: LoadedItems,
  items: readonly EncodedItem[],
  ids: readonly string[],
  isOfOthers: (record: HistoryRecord) => boolean,
): Rewrite<undefined> {
  const isDone = stored.some(({ record }) => record.id === ids[0]);
  if (isDone) return { result: undefined };
  const others = stored
    .filter(({ record }) => isOfOthers(record))
    .map(({ record: { v, id, group, kind, payload } }): NewHistoryRecord => {
      return { v, id, group, kind, payload };
    });
  return { records: [...toRecords(items, ids, new ItemGroups()), ...others], result: undefined };
}

/** A history without its newest item. */
export function withoutNewest({ stored }: LoadedItems): Rewrite<AgentInputItem | undefined> {
  const newest = stored.findLast(({ item }) => item !== undefined);
  if (newest === undefined) return { result: undefined };
  const left = stored.filter((entry) => entry !== newest);
  return { records: left.map(({ record }) => record), result: newest.item };
}

/** What new items are grouped by. */
export function groupsAfter(stored: readonly StoredItem[]): ItemGroups {
  const groups = new ItemGroups();
  for (const { item, record } of stored) {
    if (item !== undefined) groups.stored(item, record.group);
  }
  return groups;
}

function isApplied(
  stored: readonly StoredItem[],
  knownIds: readonly string[],
  operation: Operation,
  added: readonly EncodedItem[],
): boolean {
  if (!knownIds.includes(operation.noteId)) return false;
  const note = stored.find(({ record }) => record.id === operation.noteId)?.record;
  // A note that was trimmed went with the first item, whose id tells the content.
  const isSame =
    note === undefined
      ? added.length === 0 || knownIds.includes(itemIdOf(operation, 0))
      : isNoteOf(note.payload, operation);
  if (isSame) return true;
  throw conflict(
    'An operation of this operationId was applied with another transaction. Give each transaction an id of its own.',
    'operationId',
  );
}

function newestItems(stored: readonly StoredItem[], count: number): readonly StoredItem[] {
  if (count === 0) return [];
  return stored.filter(({ item }) => item !== undefined).slice(-count);
}

/** The same text for equal items, whatever the order of their members. */
function comparable(payload: string | undefined): string | undefined {
  return payload === undefined ? undefined : canonicalJson(toJsonValue(JSON.parse(payload)));
}

function conflict(text: string, field: string): ConflictError {
  return new ConflictError(text, { packageName, field });
}

function unknownType(
  what: string,
  value: { readonly type: string } | undefined,
): InvalidInputError {
  return new InvalidInputError(
    `The ${what} is of type ${JSON.stringify(value?.type)}, which this version does not know. Update ${packageName}.`,
    { packageName, field: `${what}.type` },
  );
}

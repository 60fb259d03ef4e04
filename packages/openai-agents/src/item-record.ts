import {
  type HistoryRecord,
  InvalidInputError,
  isJsonObject,
  type NewHistoryRecord,
  type RecordKind,
  recordVersion,
  toJsonValue,
} from '@minne/core';
import type { AgentInputItem } from '@openai/agents';
import { placeOf } from './item-correlation.js';
import type { ItemGroups } from './item-groups.js';
import { isOperationId } from './operation.js';
import { packageName } from './package-name.js';

/** An item on its way to the store. */
export interface EncodedItem {
  readonly item: AgentInputItem;
  /** The item as JSON. */
  readonly payload: string;
}

/**
 * The items as JSON, all checked before any is used.
 *
 * @param at - What errors call the array.
 * @throws InvalidInputError with the path to what is no item or cannot be JSON.
 */
export function encodeItems(items: unknown, at = 'items'): EncodedItem[] {
  if (!Array.isArray(items)) throw refused(at, `is no array. Give an array of items.`);
  return Array.from(items, (given: unknown, index) => {
    const value: unknown = toJsonValue(given, `${at}[${index}]`);
    if (!isItem(value)) {
      throw refused(`${at}[${index}]`, 'is no item. Give an object with a `type` or a `role`.');
    }
    return { item: value, payload: JSON.stringify(value) };
  });
}

/**
 * The records of items.
 *
 * @param ids - The id of each record.
 * @param groups - Has been told what is stored before them, as far as that decides groups.
 */
export function toRecords(
  items: readonly EncodedItem[],
  ids: readonly string[],
  groups: ItemGroups,
): NewHistoryRecord[] {
  return items.flatMap(({ item, payload }, index) => {
    const id = ids[index];
    if (id === undefined) return [];
    const group = groups.add(item, id);
    return [{ v: recordVersion, id, group, kind: kindOf(item), payload }];
  });
}

/** What a stored record was found to be. */
export type DecodedRecord =
  | { readonly item: AgentInputItem }
  /** Notes that a transaction was applied; no item. */
  | { readonly operation: true }
  | { readonly damage: string };

/**
 * The item of a record.
 *
 * @throws InvalidInputError when it is a message of an agent of Minne.
 */
export function decodeRecord({ v, id, payload }: HistoryRecord, sessionId: string): DecodedRecord {
  if (isOperationId(id)) return { operation: true };
  if (v > recordVersion) {
    return { damage: `was written in layout ${v}, and this version reads up to ${recordVersion}` };
  }
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return { damage: 'is not JSON' };
  }
  if (isItem(value)) return { item: value };
  if (isJsonObject(value) && Array.isArray(value['contents'])) {
    throw new InvalidInputError(
      `The history of session ${sessionId} was written by an agent of Minne, whose messages are no items of OpenAI Agents. Give the session another sourceId.`,
      { packageName, field: 'sourceId', sessionId },
    );
  }
  return { damage: 'is no item' };
}

/** Items of types that this version does not know are items too, so no more is looked at. */
function isItem(value: unknown): value is AgentInputItem {
  if (!isJsonObject(value)) return false;
  if (typeof value['type'] === 'string') return true;
  return typeof value['role'] === 'string' && !('contents' in value);
}

function kindOf(item: AgentInputItem): RecordKind {
  const { role } = placeOf(item);
  if (role === 'result') return 'tool';
  if (role === 'compaction') return 'summary';
  if (role !== 'input') return 'assistant';
  return 'role' in item && item.role === 'user' ? 'user' : 'system';
}

function refused(field: string, text: string): InvalidInputError {
  return new InvalidInputError(`${field} ${text}`, { packageName, field });
}

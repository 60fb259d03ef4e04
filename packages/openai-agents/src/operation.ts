import { type JsonValue, type NewHistoryRecord, recordVersion, toJsonValue } from '@minne/core';

/** A transaction that may be given more than once and is applied once. */
export interface Operation {
  /** The id of the record that notes that it was applied. */
  readonly noteId: string;
  /** Differs for every content of the transaction. */
  readonly digest: string;
}

/** The operation of a transaction. Members of objects may come in any order. */
export async function toOperation(operationId: string, transaction: unknown): Promise<Operation> {
  const content = canonicalJson(toJsonValue(transaction, 'transaction'));
  return { noteId: `operation:${await sha256(operationId)}`, digest: await sha256(content) };
}

/** Whether a record with this id notes an operation. */
export function isOperationId(id: string): boolean {
  return /^operation:[0-9a-f]{64}$/.test(id);
}

/** The id of the record of the item at `index` that an operation adds. */
export function itemIdOf({ noteId, digest }: Operation, index: number): string {
  return `${noteId}:${digest}:${index}`;
}

/**
 * The record that notes an operation. It stands in front of the first item that the operation adds, and
 * goes when that is trimmed.
 */
export function operationNote(
  { noteId, digest }: Operation,
  group: string | undefined,
): NewHistoryRecord {
  const payload = JSON.stringify({ type: 'minne.operation', digest });
  return { v: recordVersion, id: noteId, group: group ?? noteId, kind: 'assistant', payload };
}

/** Whether a note, as it is stored, is of this operation with this content. */
export function isNoteOf(payload: string, { digest }: Operation): boolean {
  return payload === JSON.stringify({ type: 'minne.operation', digest });
}

/** JSON with the members of objects in the order of their names: the same text for equal values. */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => sorted(member) ?? null);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

import {
  type HistoryKey,
  type LoadResult,
  type NewHistoryRecord,
  recordVersion,
} from '@minne/core';
import { expect } from 'vitest';

/** A key of the kit's own session, unless told otherwise. */
export function keyOf(sessionId = 'session', sourceId = 'history'): HistoryKey {
  return { sessionId, sourceId };
}

/** A record of a user's message with this id, in a group of its own. */
export function recordOf(id: string, parts: Partial<NewHistoryRecord> = {}): NewHistoryRecord {
  return {
    v: recordVersion,
    id,
    group: id,
    kind: 'user',
    payload: payloadOf(id, `text of ${id}`),
    ...parts,
  };
}

/** A message as the text that a record carries. */
export function payloadOf(id: string, text: string): string {
  return JSON.stringify({
    id,
    role: 'user',
    contents: [{ type: 'text', text }],
    createdAt: '2026-05-01T10:00:00.000Z',
  });
}

/** Records with these ids. */
export function recordsOf(...ids: readonly string[]): NewHistoryRecord[] {
  return ids.map((id) => recordOf(id));
}

/** `prefix1` to `prefixCount`. */
export function idsUpTo(count: number, prefix = 'm'): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
}

/** The ids of what was loaded, in its order. */
export function idsIn(loaded: Pick<LoadResult, 'records'>): string[] {
  return loaded.records.map(({ id }) => id);
}

/** What was loaded, as it was handed in. */
export function withoutSequence(loaded: LoadResult): NewHistoryRecord[] {
  return loaded.records.map(({ v, id, group, kind, payload }) => ({ v, id, group, kind, payload }));
}

/** Expects whole numbers that count up. */
export function expectAscending(loaded: Pick<LoadResult, 'records'>): void {
  let last = 0;
  for (const { sequence } of loaded.records) {
    expect(Number.isSafeInteger(sequence), `sequence ${sequence} is a whole number`).toBe(true);
    expect(sequence, 'sequences count up').toBeGreaterThan(last);
    last = sequence;
  }
}

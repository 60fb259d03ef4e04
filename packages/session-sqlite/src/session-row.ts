import type { SQLOutputValue } from 'node:sqlite';
import {
  checkSerializedSession,
  InvalidInputError,
  type SessionListing,
  type StorableSession,
} from '@minne/core';
import { packageName } from './package-name.js';

type Row = Readonly<Record<string, SQLOutputValue>>;

/** The session in a row, or why it cannot be read. */
export type ReadSession = { readonly session: StorableSession } | { readonly problem: string };

/** Reads the session of a row, selected as a blob so that text which is no UTF-8 shows. */
export function readSession(row: Row, sessionId: string): ReadSession {
  const { session: bytes } = row;
  if (!(bytes instanceof Uint8Array)) return { problem: 'it is no text' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const session = checkSerializedSession(JSON.parse(text), { packageName });
    return session.sessionId === sessionId ? { session } : { problem: 'it is another session' };
  } catch (error) {
    // A TypeError tells of bytes that are no UTF-8, a SyntaxError of text that is no JSON.
    const expected = [TypeError, SyntaxError, InvalidInputError].some(
      (kind) => error instanceof kind,
    );
    if (!expected || !(error instanceof Error)) throw error;
    return { problem: error.message };
  }
}

/** What a list tells of a row. */
export function listingOf(row: Row): SessionListing {
  const { session_id: sessionId, actor_id: actorId } = row;
  return {
    sessionId: String(sessionId),
    ...(actorId === null ? {} : { actorId: String(actorId) }),
    ...stampOf(row),
  };
}

/** Version and time of a row. */
export function stampOf(row: Row): { readonly version: string; readonly updatedAt: string } {
  const { version, updated_at: updatedAt } = row;
  return { version: String(version), updatedAt: new Date(Number(updatedAt)).toISOString() };
}

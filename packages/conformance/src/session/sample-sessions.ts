import type {
  JsonObject,
  SerializedSession,
  SessionFilter,
  SessionListing,
  SessionStore,
  StoredSession,
} from '@minne/core';
import { hasErrorCode } from '@minne/core';
import { expect } from 'vitest';
import { settle } from '../shared/outcomes.js';

/** A serialised session with this state; of the kit's own id unless told otherwise. */
export function sessionOf(
  sessionId = 'session',
  state: JsonObject = { notes: { text: `text of ${sessionId}` } },
  actorId?: string,
): SerializedSession {
  return {
    type: 'minne.session',
    v: 1,
    sessionId,
    ...(actorId === undefined ? {} : { actorId }),
    state,
  };
}

/** A session with a number in it. */
export function countOf(count: number, sessionId = 'session'): SerializedSession {
  return sessionOf(sessionId, { counter: { count } });
}

/** The number in what was read. */
export function countIn(stored: StoredSession | undefined): number {
  const state = stored?.session['state'] as JsonObject | undefined;
  const counter = state?.['counter'] as JsonObject | undefined;
  return Number(counter?.['count'] ?? 0);
}

/** Reads a session that must be there. */
export async function read(store: SessionStore, sessionId = 'session'): Promise<StoredSession> {
  const stored = await store.get(sessionId);
  if (stored === undefined) expect.fail(`There is no session ${JSON.stringify(sessionId)}.`);
  return stored;
}

/** All that a store lists, in its order. */
export async function list(store: SessionStore, filter?: SessionFilter): Promise<SessionListing[]> {
  const listings: SessionListing[] = [];
  for await (const listing of store.list(filter)) listings.push(listing);
  return listings;
}

/** The ids of what a store lists, in its order. */
export async function listIds(store: SessionStore, filter?: SessionFilter): Promise<string[]> {
  return (await list(store, filter)).map(({ sessionId }) => sessionId);
}

/** `prefix1` to `prefixCount`. */
export function idsUpTo(count: number, prefix = 'session'): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
}

/**
 * Adds one to the number in a session, again as long as others are faster.
 * @returns How often they were.
 */
export async function increment(store: SessionStore, attempts: number): Promise<number> {
  for (let lost = 0; lost < attempts; lost++) {
    const stored = await store.get('session');
    const session = countOf(countIn(stored) + 1);
    const outcome = await settle(store.set(session, { version: stored?.version ?? null }));
    if (outcome.status === 'fulfilled') return lost;
    if (!hasErrorCode(outcome.reason, 'conflict')) throw outcome.reason;
  }
  return expect.fail(`No write under the version just read came through in ${attempts} attempts.`);
}

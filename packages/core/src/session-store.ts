import type { SerializedSession } from './session-codec.js';

/** A session as a store keeps it. */
export interface StoredSession {
  readonly session: SerializedSession;
  /** Give it to {@link SessionStore.set}: nothing is overwritten that was not seen. */
  readonly version: string;
  /** RFC 3339, UTC. Advances with every write. */
  readonly updatedAt: string;
}

/** A session that a store knows, without what is in it. */
export interface SessionListing {
  readonly sessionId: string;
  readonly actorId?: string;
  readonly version: string;
  readonly updatedAt: string;
}

/** Options of every call to a session store. */
export interface SessionStoreCallOptions {
  readonly signal?: AbortSignal;
}

/** What a session is written under. */
export interface SetSessionOptions extends SessionStoreCallOptions {
  /**
   * The version that was read; `null` when there must be none yet. Without it the last writer wins.
   */
  readonly version?: string | null;
}

/** Which sessions to list. */
export interface SessionFilter {
  /** Only sessions of this actor. Default: all. */
  readonly actorId?: string;
}

/**
 * Keeps serialised sessions. Prove an implementation with `testSessionStore` of
 * `@minne/conformance/session`.
 */
export interface SessionStore {
  readonly specificationVersion: 'v1';
  /** Reads one; `undefined` when there is none, or when what was there is damaged and was set aside. */
  get(sessionId: string, options?: SessionStoreCallOptions): Promise<StoredSession | undefined>;
  /**
   * Writes one, whole or not at all.
   * @throws ConflictError when the stored version is another than `options.version`.
   */
  set(session: SerializedSession, options?: SetSessionOptions): Promise<SessionListing>;
  /** Forgets one. @returns Whether there was one. */
  delete(sessionId: string, options?: SessionStoreCallOptions): Promise<boolean>;
  /** Most recently written first. */
  list(filter?: SessionFilter, options?: SessionStoreCallOptions): AsyncIterable<SessionListing>;
}

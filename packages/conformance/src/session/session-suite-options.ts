import type { SessionStore } from '@minne/core';
import type { SuiteOptions } from '../shared/register-cases.js';

/** A session store, with what ends it if it holds anything open. */
export interface OpenedSessionStore extends SessionStore {
  close?(): void | Promise<void>;
}

/** A place of its own for the sessions of one case, empty when it is handed over. */
export interface SessionTestPlace {
  /**
   * A session store on this place. Called several times when `durable` is declared: all stores of a
   * place see the same sessions, one after the other and at the same time.
   */
  open(): OpenedSessionStore | Promise<OpenedSessionStore>;
  /**
   * Spoils a session in the way that is most likely to happen in this place. Needed when `damage` is
   * declared.
   */
  damage?(sessionId: string): void | Promise<void>;
  /** Called at the end of the case, when the kit has closed every store it opened. */
  remove?(): void | Promise<void>;
}

/** What a session store can do beside its contract. Each is false when not declared. */
export interface SessionStoreAbilities {
  /** What it acknowledged is found by a store opened later, or beside it, on the same place. */
  readonly durable?: boolean;
  /** The test place has `damage`. */
  readonly damage?: boolean;
}

/** Options of {@link testSessionStore}. */
export interface SessionSuiteOptions extends SuiteOptions<SessionStoreAbilities> {
  /** Makes an empty place. Called once for each case. */
  create(): SessionTestPlace | Promise<SessionTestPlace>;
}

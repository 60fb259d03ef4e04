import type { DatabaseSync } from 'node:sqlite';
import type { Clock, Warning } from '@minne/core';

/** Options of {@link SqliteSessionStore}. Exactly one of `path` and `database` is needed. */
export interface SqliteSessionStoreOptions {
  /**
   * The file, absolute or from the working directory, or `:memory:` for sessions that are gone with
   * the store. Opened at the first call; it and its folder are made when they are not there, for their
   * owner only. Must not lie inside `node_modules`. May be the file of other packages of Minne.
   */
  readonly path?: string;
  /**
   * A connection of your own. It stays yours: you choose its pragmas, so durability is what its
   * `synchronous` makes of it, and you close it. Do not call the store while you are in a transaction on it.
   */
  readonly database?: DatabaseSync;
  /** Milliseconds to wait for another connection that is writing. Default 5,000. */
  readonly busyTimeout?: number;
  /**
   * Told when a session cannot be read and was moved to the table `minne_damaged_sessions`
   * (`damaged_session`). Default: a warning of the process (`process.emitWarning`).
   */
  readonly onDiagnostic?: (warning: Warning) => void;
  /** Tells when a session was written. Default: the time of this machine. */
  readonly clock?: Clock;
}

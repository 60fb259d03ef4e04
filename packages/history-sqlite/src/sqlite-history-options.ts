import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@minne/core';

/** Options of {@link SqliteHistoryBackend}. Exactly one of `path` and `database` is needed. */
export interface SqliteHistoryBackendOptions {
  /**
   * The file, absolute or from the working directory, or `:memory:` for one that is gone with the
   * backend. It and its folder are made when they are not there; a new file is readable by its owner
   * only. Must not lie inside `node_modules`.
   */
  readonly path?: string;
  /**
   * A connection of your own. It stays yours: you choose its pragmas, so durability is what its
   * `synchronous` makes of it, and you close it. Do not call the backend while you are in a transaction on it.
   */
  readonly database?: DatabaseSync;
  /**
   * The most messages that a session keeps; the oldest groups go first. System messages count and
   * stay, and so does the newest group, even when that makes more. Default: no limit.
   */
  readonly maxMessages?: number;
  /** Milliseconds to wait for another connection that is writing. Default 5,000. */
  readonly busyTimeout?: number;
  /** Tells when a history was written. Default: the time of this machine. */
  readonly clock?: Clock;
}

import type { Clock } from '@minne/core';
import type { SqliteOptions } from '@minne/sqlite';

/** Options of {@link SqliteHistoryBackend}. Exactly one of `path` and `database` is needed. */
export type SqliteHistoryBackendOptions = SqliteOptions & {
  /**
   * The most messages that a session keeps; the oldest groups go first. System messages count and
   * stay, and so does the newest group, even when that makes more. Default: no limit.
   */
  readonly maxMessages?: number;
  /** Tells when a history was written. Default: the time of this machine. */
  readonly clock?: Clock;
};

import type { Clock, HistoryExpiryOptions } from '@minne/core';
import type { SqliteOptions } from '@minne/sqlite';

/** Options of {@link SqliteHistoryBackend}. Exactly one of `path` and `database` is needed. */
export type SqliteHistoryBackendOptions = SqliteOptions &
  HistoryExpiryOptions & {
    /**
     * The most messages that a session keeps; the oldest groups go first. System messages count and
     * stay, and so does the newest group, even when that makes more. Default: no limit.
     */
    readonly maxMessages?: number;
    /**
     * Tells when a history was written, and whether it has expired: the time of a call is the time at
     * which it was made. Default: the time of this machine.
     */
    readonly clock?: Clock;
    /**
     * Whether the file is opened and read in a thread of its own, so that no query blocks the event loop.
     * Not together with `database`, which no other thread can use. Default false.
     */
    readonly worker?: boolean;
  };

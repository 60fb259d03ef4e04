import type { Clock, Warning } from '@minne/core';
import type { SqliteOptions } from '@minne/sqlite';

/**
 * Options of {@link SqliteSessionStore}. Exactly one of `path` and `database` is needed. A file is opened
 * at the first call.
 */
export type SqliteSessionStoreOptions = SqliteOptions & {
  /**
   * Told when a session cannot be read and was moved to the table `minne_damaged_sessions`
   * (`damaged_session`). Default: a warning of the process (`process.emitWarning`).
   */
  readonly onDiagnostic?: (warning: Warning) => void;
  /** Tells when a session was written. Default: the time of this machine. */
  readonly clock?: Clock;
};

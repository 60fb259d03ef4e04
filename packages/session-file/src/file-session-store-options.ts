import type { Clock, Warning } from '@minne/core';

/** Options of {@link FileSessionStore}. */
export interface FileSessionStoreOptions {
  /**
   * The folder that holds the sessions, absolute or from the working directory, on a file system of
   * this machine. Made, for its owner only, at the first write. Must not lie inside `node_modules`.
   */
  readonly folder: string;
  /**
   * Told when a session cannot be read: `damaged_session` was set aside, `unknown_folder` was left
   * out of a list. Default: a warning of the process (`process.emitWarning`).
   */
  readonly onDiagnostic?: (warning: Warning) => void;
  /** Tells when a session was written. Default: the time of this machine. */
  readonly clock?: Clock;
}

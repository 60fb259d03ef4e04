import { ConfigurationError, MinneError, StoreError } from '@minne/core';
import { mayPass, remedyFor } from './result-code.js';
import type { SqliteOwner } from './sqlite-owner.js';

/** Why a database could not be used. */
export interface SqliteFailure {
  /** Where, what, and what helps. */
  readonly message: string;
  /** Whether the same call may succeed later, as when another connection was in the way, or the disk was full. */
  readonly retryable: boolean;
  /** The option that it comes from, where it comes from one. */
  readonly field?: 'path' | 'database';
  /** The session that was being worked on, where the call named one. */
  readonly sessionId?: string;
  /** The error of SQLite or of the file system, where there is one. */
  readonly cause?: unknown;
}

/** Words the failures of one owner's database, and makes them errors of the owner. */
export class Failures {
  readonly #owner: SqliteOwner;

  constructor(owner: SqliteOwner) {
    this.#owner = owner;
  }

  closed(): Error {
    return this.#error({ message: `The ${this.#owner.what} is closed. Open another one.` });
  }

  insideTransaction(): Error {
    return this.#error({
      message: `The connection is in a transaction that was begun elsewhere. End it before the ${this.#owner.what} is used.`,
      field: 'database',
    });
  }

  lostFile(): Error {
    const { what } = this.#owner;
    return this.#error({
      message: `The file of the ${what} was removed, or another was put in its place, while it was in use. Put it back, or open another ${what} on what is there now.`,
      field: 'path',
    });
  }

  unknownLayout(found: unknown): Error {
    const { what, packageName, schema } = this.#owner;
    const isNewer = typeof found === 'number' && found > schema.version;
    return this.#error({
      message: isNewer
        ? `The ${what} has layout ${found}, and this version of ${packageName} reads up to ${schema.version}. Update ${packageName}.`
        : `The tables of the ${what} have no layout that is known (${String(found)}). Set path to another file.`,
      field: 'path',
    });
  }

  /** The error for a log that still holds what was deleted. */
  logNotEmptied(error: unknown): unknown {
    if (!(error instanceof Error)) return error;
    return this.#error({
      message: `The log of the ${this.#owner.what} could not be emptied: ${error.message}. What was deleted is read no more, but its text stays on the disk until a later write, or the same call again, has emptied the log. Make room on the disk.`,
      retryable: true,
      cause: error,
    });
  }

  /** The error for one of SQLite or of the file system. Others stay as they are. */
  convert(error: unknown, sessionId?: string): unknown {
    if (MinneError.isInstance(error) || !(error instanceof Error) || !('code' in error)) {
      return error;
    }
    const session = sessionId === undefined ? '' : ` for session ${sessionId}`;
    return this.#error({
      message: `The ${this.#owner.what} could not be used${session}: ${error.message}. ${remedyFor(error)}`,
      retryable: mayPass(error),
      cause: error,
      ...(sessionId === undefined ? {} : { sessionId }),
    });
  }

  /** The error for a path at which there can be no database. */
  unusablePath(path: string, cause: unknown): ConfigurationError {
    const text = cause instanceof Error ? cause.message : String(cause);
    return new ConfigurationError(
      `No database can be opened at path ${JSON.stringify(path)}: ${text}. Give a file in a folder that this process may write to.`,
      { packageName: this.#owner.packageName, field: 'path', cause },
    );
  }

  #error(failure: Partial<SqliteFailure> & Pick<SqliteFailure, 'message'>): Error {
    const { packageName, toError } = this.#owner;
    if (toError !== undefined) return toError({ retryable: false, ...failure });
    return new StoreError(failure.message, { ...failure, packageName });
  }
}

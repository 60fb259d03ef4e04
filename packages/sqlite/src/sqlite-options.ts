import { resolve, sep } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '@minne/core';

/** The path of a database that is in no file. */
export const inMemory = ':memory:';

const defaultBusyTimeout = 5_000;

/** Where the tables are: in a file, or in a database that is open already. */
export type SqliteLocation =
  | {
      /**
       * The file, absolute or from the working directory, or `:memory:` for what is gone when it is
       * closed. It and its folder are made when they are not there, for their owner only. Must not lie
       * inside `node_modules`. May be the file of other packages of Minne.
       */
      readonly path: string;
      readonly database?: never;
    }
  | {
      /**
       * A connection of your own. It stays yours: you choose its pragmas, so durability is what its
       * `synchronous` makes of it, and you close it. Make no call while you are in a transaction on it.
       */
      readonly database: DatabaseSync;
      readonly path?: never;
    };

/** What users of a SQLite package say of the database. */
export type SqliteOptions = SqliteLocation & {
  /** Milliseconds to wait for another connection that is writing. Default 5,000. */
  readonly busyTimeout?: number;
};

/** What {@link SqliteOptions} say, with defaults. */
export interface CheckedSqliteOptions {
  /** `:memory:`, an absolute path, or a database. */
  readonly target: string | DatabaseSync;
  readonly busyTimeout: number;
}

/**
 * Checks options without opening anything.
 *
 * @throws ConfigurationError, in the name of `packageName`, for options that cannot work.
 */
export function checkSqliteOptions(
  options: SqliteOptions,
  packageName: string,
): CheckedSqliteOptions {
  const { path, database, busyTimeout = defaultBusyTimeout } = options;
  const wrong = (field: string, message: string) =>
    new ConfigurationError(message, { packageName, field });
  if (!Number.isSafeInteger(busyTimeout) || busyTimeout < 0) {
    throw wrong(
      'busyTimeout',
      `busyTimeout is ${String(busyTimeout)}. Give it a whole number of milliseconds, 0 or more.`,
    );
  }
  if (database !== undefined && path === undefined) return { target: database, busyTimeout };
  if (typeof path !== 'string' || database !== undefined) {
    throw wrong('path', 'Give either path or database, and not both.');
  }
  const problem = pathProblem(path);
  if (problem !== undefined) throw wrong('path', `path ${JSON.stringify(path)} ${problem}.`);
  return { target: path === inMemory ? path : resolve(path), busyTimeout };
}

/** Why nothing can be kept at a path. */
function pathProblem(path: string): string | undefined {
  if (path === '' || path.includes('\0') || /^file:/i.test(path)) {
    return 'is no path of a file. Give one such as data/minne.db, in a folder that this process may write to, or :memory:';
  }
  if (path !== inMemory && resolve(path).split(sep).includes('node_modules')) {
    return 'lies inside node_modules, which the next install may empty. Give another';
  }
  return undefined;
}

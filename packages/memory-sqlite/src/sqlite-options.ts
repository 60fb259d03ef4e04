import { resolve, sep } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '@minne/core';

/** Options of `SqliteMemoryStorage`: a file or a database. */
export type SqliteMemoryStorageOptions = SqliteFileOptions | SqliteDatabaseOptions;

interface CommonOptions {
  /** How long a database that others have locked is waited for, in milliseconds. Default 5,000. */
  readonly busyTimeout?: number;
}

/** A file that the storage opens, and closes with `close`. */
export interface SqliteFileOptions extends CommonOptions {
  /**
   * Absolute or from the working directory, or `:memory:` for what is gone with this storage. The file
   * and its folder are made when they are missing; a new file is readable by its owner only. Must not
   * lie inside `node_modules`.
   */
  readonly path: string;
  readonly database?: never;
}

/** A database that is open already, and stays open. */
export interface SqliteDatabaseOptions extends CommonOptions {
  /**
   * A connection that is in no transaction of yours while the storage is called. Its settings are left
   * alone: set `journal_mode = WAL`, `synchronous = FULL` and `secure_delete = ON` for what a file gets.
   */
  readonly database: DatabaseSync;
  readonly path?: never;
}

/** What the options say, with defaults. */
export interface CheckedOptions {
  /** `:memory:`, an absolute path, or a database. */
  readonly target: string | DatabaseSync;
  readonly busyTimeout: number;
}

/** @throws ConfigurationError for options that make no storage. */
export function checkOptions(options: SqliteMemoryStorageOptions): CheckedOptions {
  const { path, database, busyTimeout = 5_000 } = options;
  if (!Number.isSafeInteger(busyTimeout) || busyTimeout < 0) {
    throw wrong('busyTimeout', 'must be a whole number of milliseconds, 0 or more.');
  }
  if ((path === undefined) === (database === undefined)) {
    throw wrong('path', 'or database must be given, and not both.');
  }
  return { target: database ?? checkPath(path ?? ''), busyTimeout };
}

function checkPath(path: string): string {
  if (path === ':memory:') return path;
  if (path === '' || /^file:/i.test(path)) {
    throw wrong('path', 'must be the path of a file, such as data/memory.db, or :memory:.');
  }
  const absolute = resolve(path);
  if (absolute.split(sep).includes('node_modules')) {
    throw wrong(
      'path',
      'lies inside node_modules, which the next install may empty. Give another.',
    );
  }
  return absolute;
}

function wrong(field: string, problem: string): ConfigurationError {
  return new ConfigurationError(`${field} ${problem}`, {
    packageName: '@minne/memory-sqlite',
    field,
  });
}

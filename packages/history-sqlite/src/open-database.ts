import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '@minne/core';
import { ensureSchema } from './history-schema.js';
import { type HistoryStatements, prepareStatements } from './history-sql.js';
import { packageName } from './package-name.js';
import { isBusy, isUnusable, toStoreError } from './sqlite-error.js';

/** The path of a database that is in no file. */
export const inMemory = ':memory:';

/**
 * Opens the file at `path`, made when it is not there.
 *
 * @param busyTimeout - Milliseconds to wait for processes that start at the same time.
 * @throws ConfigurationError when there can be no database at `path`; StoreError when what is there
 * cannot be used.
 */
export function openDatabase(path: string, busyTimeout: number): DatabaseSync {
  const file = path === inMemory ? path : prepareFile(path);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    preparePragmas(database, busyTimeout);
    return database;
  } catch (error) {
    database?.close();
    if (database === undefined || isUnusable(error)) throw unusablePath(path, error);
    throw toStoreError(error);
  }
}

/**
 * Makes the tables when they are not there, and the statements that work on them.
 *
 * @throws StoreError when the tables are of a newer version or cannot be made.
 */
export function prepareDatabase(database: DatabaseSync, busyTimeout: number): HistoryStatements {
  try {
    return waitWhileBusy(busyTimeout, () => {
      ensureSchema(database);
      return prepareStatements(database);
    });
  } catch (error) {
    throw toStoreError(error);
  }
}

function preparePragmas(database: DatabaseSync, busyTimeout: number): void {
  // Changing the journal mode does not wait by itself, whatever SQLite's own busy timeout is.
  waitWhileBusy(busyTimeout, () => database.exec('PRAGMA journal_mode = WAL'));
  database.exec('PRAGMA synchronous = FULL');
  // What was cleared or erased is overwritten, not only unlinked.
  database.exec('PRAGMA secure_delete = ON');
}

function prepareFile(path: string): string {
  if (path === '' || /^file:/i.test(path)) {
    throw refusedPath(path, 'is no path of a file; give one such as data/history.db, or :memory:');
  }
  const file = resolve(path);
  if (file.split(sep).includes('node_modules')) {
    throw refusedPath(
      path,
      'lies inside node_modules, which the next install may empty; give another',
    );
  }
  try {
    mkdirSync(dirname(file), { recursive: true });
    // Only a file that was not there may be opened beside SQLite: closing it drops the process's locks.
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!isExisting(error, file)) throw unusablePath(path, error);
  }
  return file;
}

function isExisting(error: unknown, file: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'EEXIST' &&
    'path' in error &&
    error.path === file
  );
}

/** Blocks while another connection is in the way: opening is synchronous. */
function waitWhileBusy<T>(busyTimeout: number, work: () => T): T {
  const deadline = performance.now() + busyTimeout;
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
    Atomics.wait(never, 0, 0, 1 + Math.random() * 10);
  }
}

function refusedPath(path: string, problem: string): ConfigurationError {
  return new ConfigurationError(`path ${JSON.stringify(path)} ${problem}.`, {
    packageName,
    field: 'path',
  });
}

function unusablePath(path: string, cause: unknown): ConfigurationError {
  const text = cause instanceof Error ? cause.message : String(cause);
  return new ConfigurationError(
    `No database can be opened at path ${JSON.stringify(path)}: ${text}. Give a file in a folder that this process may write to.`,
    { packageName, field: 'path', cause },
  );
}

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '@minne/core';
import { packageName } from './package-name.js';

const inMemory = ':memory:';

/** The file to open. @throws ConfigurationError when no file can be kept there. */
export function checkPath(path: string): string {
  if (path === inMemory) return path;
  if (path === '' || path.includes('\0') || /^file:/i.test(path)) {
    throw wrongPath(
      'The option path must be the path of a file, such as data/sessions.db, or :memory:.',
    );
  }
  const file = resolve(path);
  if (file.split(sep).includes('node_modules')) {
    throw wrongPath(
      `The path ${path} lies inside node_modules, which the next install may empty. Give another.`,
    );
  }
  return file;
}

/**
 * Opens a file, made when it is not there, so that what is committed survives a loss of power.
 * @throws An error of SQLite or of the file system.
 */
export function openDatabase(file: string): DatabaseSync {
  if (file !== inMemory) makeFile(file);
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    // What was deleted or replaced is overwritten, not only unlinked.
    database.exec('PRAGMA secure_delete = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A file that is there is not touched: closing it would drop the locks that this process has on it. */
function makeFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function wrongPath(message: string): ConfigurationError {
  return new ConfigurationError(message, { packageName, field: 'path' });
}

import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inMemory } from './sqlite-options.js';

/**
 * Opens a file, made when it is not there, so that what is committed survives a loss of power and what
 * is deleted is overwritten.
 *
 * @throws An error of SQLite or of the file system.
 */
export function openFile(file: string): DatabaseSync {
  if (file !== inMemory) makeFile(file);
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
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

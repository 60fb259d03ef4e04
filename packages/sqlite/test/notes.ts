import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import {
  SqliteDatabase,
  type SqliteOptions,
  type SqliteOwner,
  type SqliteSchema,
} from '../src/index.js';

/** Tables of one text in each row. */
const notesSchema: SqliteSchema = {
  version: 2,
  table: 'notes_meta',
  selectVersion: 'SELECT layout AS version FROM notes_meta',
  definition: `
    CREATE TABLE notes_meta (layout INTEGER NOT NULL) STRICT;
    INSERT INTO notes_meta VALUES (2);
    CREATE TABLE notes (note INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
  `,
};

export const owner: SqliteOwner = {
  packageName: '@minne/notes',
  what: 'note store',
  schema: notesSchema,
};

/** A database that is closed when the test ends. */
export function openNotes(
  options: SqliteOptions,
  { toError }: Pick<SqliteOwner, 'toError'> = {},
): SqliteDatabase {
  const given = toError === undefined ? owner : { ...owner, toError };
  const database = new SqliteDatabase(options, given);
  onTestFinished(() => database.close());
  return database;
}

/** Writes a note. */
export function write(database: SqliteDatabase, text: string, signal?: AbortSignal): Promise<void> {
  return database.write({ signal, sessionId: 'chat-7' }, (transaction) => {
    transaction.statement('INSERT INTO notes (text) VALUES (?)').run(text);
  });
}

/** Reads every note. */
export function readAll(database: SqliteDatabase): Promise<string[]> {
  return database.read({}, (transaction) =>
    transaction
      .statement('SELECT text FROM notes ORDER BY note')
      .all()
      .map((row) => String(row['text'])),
  );
}

/** The path of a file that is not there yet, in a folder that is gone after the test. */
export function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'minne-sqlite-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'notes.db');
}

/** A connection of the application's, closed when the test ends. */
export function applicationDatabase(
  path = ':memory:',
  settings: ConstructorParameters<typeof DatabaseSync>[1] = {},
): DatabaseSync {
  const database = new DatabaseSync(path, settings);
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  return database;
}

/** Another connection that holds the right to write. */
export function lock(path: string): DatabaseSync {
  const database = applicationDatabase(path);
  database.exec('BEGIN IMMEDIATE');
  return database;
}

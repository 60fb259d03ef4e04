import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '@minne/core';
import { packageName } from './package-name.js';

/** The layout of the tables that this version makes and reads. */
const schemaVersion = 1;

/**
 * A session's row is made anew by every write, so that `version` is the place of the write among all
 * writes: it orders lists, and AUTOINCREMENT never gives it out twice.
 */
const schema = `
CREATE TABLE minne_session_meta (
  name TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE minne_session (
  version INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL UNIQUE,
  actor_id TEXT,
  updated_at INTEGER NOT NULL,
  session TEXT NOT NULL
) STRICT;
CREATE INDEX minne_session_of_actor ON minne_session (actor_id) WHERE actor_id IS NOT NULL;
CREATE TABLE minne_damaged_sessions (
  version INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  actor_id TEXT,
  updated_at INTEGER NOT NULL,
  session TEXT NOT NULL,
  problem TEXT NOT NULL
) STRICT;
CREATE INDEX minne_damaged_sessions_by_id ON minne_damaged_sessions (session_id);
INSERT INTO minne_session_meta VALUES ('schema_version', ${schemaVersion});
`;

/**
 * Makes the tables when they are not there. Safe when many processes start at once.
 *
 * @throws StoreError when a newer version made the tables; an error of SQLite when another connection
 * stands in the way.
 */
export function ensureSchema(database: DatabaseSync): void {
  if (hasSchema(database)) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have made them while this one waited.
    if (!hasSchema(database)) database.exec(schema);
    database.exec('COMMIT');
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}

function hasSchema(database: DatabaseSync): boolean {
  const table = database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'minne_session_meta'")
    .get();
  if (table === undefined) return false;
  const found = database
    .prepare("SELECT value FROM minne_session_meta WHERE name = 'schema_version'")
    .get()?.['value'];
  if (found === schemaVersion) return true;
  throw new StoreError(
    typeof found === 'number' && found > schemaVersion
      ? `The session tables have layout ${found}, and this version reads up to ${schemaVersion}. Update ${packageName}.`
      : `The session tables have no layout that is known (${String(found)}). Set path to another file.`,
    { packageName, field: 'path' },
  );
}

import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '@minne/core';
import { packageName } from './package-name.js';
import { prepareStatement } from './prepare-statement.js';

/** The layout of the tables that this version makes and reads. */
const schemaVersion = 1;

const schema = `
CREATE TABLE minne_history_meta (
  name TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE minne_history_session (
  history INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  actor_id TEXT,
  version INTEGER NOT NULL,
  last_sequence INTEGER NOT NULL,
  record_count INTEGER NOT NULL,
  removed_count INTEGER NOT NULL,
  activity INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (session_id, source_id)
) STRICT;
CREATE INDEX minne_history_session_of_actor
  ON minne_history_session (actor_id, activity) WHERE actor_id IS NOT NULL;
CREATE TABLE minne_history_record (
  history INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  v INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  tool_group TEXT NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  UNIQUE (history, sequence),
  UNIQUE (history, message_id)
) STRICT;
CREATE INDEX minne_history_record_of_group ON minne_history_record (history, tool_group);
CREATE TABLE minne_history_removed (
  history INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  PRIMARY KEY (history, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX minne_history_removed_in_order ON minne_history_removed (history, sequence);
INSERT INTO minne_history_meta VALUES ('schema_version', ${schemaVersion}), ('floor', 0);
`;

/**
 * Makes the tables when they are not there. Safe when many processes start at once.
 *
 * @throws StoreError when the tables were made by a newer version, or by nothing of ours; an error of
 * SQLite when another connection stands in the way.
 */
export function ensureSchema(database: DatabaseSync): void {
  if (foundVersion(database) === schemaVersion) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have made them while this one waited.
    if (foundVersion(database) === 0) database.exec(schema);
    database.exec('COMMIT');
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}

/** The version of the tables that are there; 0 when there are none. */
function foundVersion(database: DatabaseSync): number {
  const table = prepareStatement(
    database,
    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'minne_history_meta'",
  ).get();
  if (table === undefined) return 0;
  const row = prepareStatement(
    database,
    "SELECT value FROM minne_history_meta WHERE name = 'schema_version'",
  ).get();
  const found = row?.['value'];
  if (found === schemaVersion) return schemaVersion;
  throw new StoreError(
    typeof found === 'number' && found > schemaVersion
      ? `The history tables have layout ${found}, and this version reads up to ${schemaVersion}. Update ${packageName}.`
      : `The history tables have no layout that is known (${String(found)}). Give the path of another file.`,
    { packageName, field: 'path' },
  );
}

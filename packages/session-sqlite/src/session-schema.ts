import type { SqliteSchema } from '@minne/sqlite';

/** The layout of the tables that this version makes and reads. */
const version = 1;

/**
 * A session's row is made anew by every write, so that `version` is the place of the write among all
 * writes: it orders lists, and AUTOINCREMENT never gives it out twice.
 */
export const sessionSchema: SqliteSchema = {
  version,
  table: 'minne_session_meta',
  selectVersion: "SELECT value AS version FROM minne_session_meta WHERE name = 'schema_version'",
  definition: `
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
INSERT INTO minne_session_meta VALUES ('schema_version', ${version});
`,
};

import type { SqliteSchema } from '@minne/sqlite';

/** The layout of the tables that this version makes and reads. */
const version = 1;

/** The tables of the histories. */
export const historySchema: SqliteSchema = {
  version,
  table: 'minne_history_meta',
  selectVersion: "SELECT value AS version FROM minne_history_meta WHERE name = 'schema_version'",
  definition: `
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
INSERT INTO minne_history_meta VALUES ('schema_version', ${version}), ('floor', 0);
`,
};

import type { SqliteSchema } from '@minne/sqlite';

/** The layout of the tables that this version makes and reads. */
const version = 2;

const expiringIndex = `CREATE INDEX minne_history_session_expiring
  ON minne_history_session (expires_at) WHERE expires_at IS NOT NULL;`;

/** Layout 2 knows when a history began and when it expires. What layout 1 knows best is the last write. */
const fromLayout1 = `
ALTER TABLE minne_history_session ADD COLUMN began_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE minne_history_session ADD COLUMN expires_at INTEGER;
UPDATE minne_history_session SET began_at = coalesce(
  CAST(strftime('%s', updated_at) AS INTEGER) * 1000 + CAST(substr(updated_at, 21, 3) AS INTEGER), 0);
${expiringIndex}
UPDATE minne_history_meta SET value = 2 WHERE name = 'schema_version';
`;

/**
 * The tables of the histories.
 *
 * `began_at` and `expires_at` are milliseconds since 1970; a history without `expires_at` is kept for ever.
 */
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
  began_at INTEGER NOT NULL,
  expires_at INTEGER,
  UNIQUE (session_id, source_id)
) STRICT;
CREATE INDEX minne_history_session_of_actor
  ON minne_history_session (actor_id, activity) WHERE actor_id IS NOT NULL;
${expiringIndex}
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
  migrations: new Map([[1, fromLayout1]]),
};

import type { SqliteSchema } from '@minne/sqlite';

/** The layout that this version reads and writes. */
const version = 1;

/**
 * - Session `''` stands for none: NULLs would not collide in a unique index.
 * - `content` comes last, so that what does not need it never reads its pages.
 * - `changes` has one row per entry that is or was there: its search record, or NULL once it is removed,
 *   under the revision of the actor at which that happened. One range of its primary key is an actor's
 *   index, and the end of that range is what changed lately.
 * - `complete_since` of an actor: removals up to this revision have been forgotten.
 */
export const memorySchema: SqliteSchema = {
  version,
  table: 'minne_memory_schema',
  selectVersion: 'SELECT version FROM minne_memory_schema',
  definition: `
CREATE TABLE minne_memory_schema (version INTEGER NOT NULL) STRICT;
INSERT INTO minne_memory_schema (version) VALUES (${version});

CREATE TABLE minne_memory_stores (
  id TEXT PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  description TEXT,
  metadata TEXT NOT NULL,
  creator TEXT NOT NULL,
  create_time TEXT NOT NULL,
  update_time TEXT NOT NULL,
  delete_time TEXT,
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE minne_memory_actors (
  key INTEGER PRIMARY KEY,
  store_key TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  complete_since INTEGER NOT NULL,
  UNIQUE (store_key, actor_id)
) STRICT;

CREATE TABLE minne_memory_entries (
  key INTEGER PRIMARY KEY,
  store_key TEXT NOT NULL,
  id TEXT NOT NULL,
  actor INTEGER NOT NULL,
  path TEXT NOT NULL,
  session TEXT NOT NULL,
  description TEXT,
  metadata TEXT NOT NULL,
  source TEXT NOT NULL,
  create_time TEXT NOT NULL,
  update_time TEXT NOT NULL,
  expire_time TEXT,
  content_sha256 TEXT NOT NULL,
  revision INTEGER NOT NULL,
  actor_revision INTEGER NOT NULL,
  content TEXT NOT NULL,
  UNIQUE (store_key, id),
  UNIQUE (actor, path, session)
) STRICT;

CREATE INDEX minne_memory_expiring ON minne_memory_entries (actor, expire_time)
  WHERE expire_time IS NOT NULL;

CREATE TABLE minne_memory_changes (
  actor INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  entry_id TEXT NOT NULL,
  record BLOB,
  PRIMARY KEY (actor, revision, entry_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX minne_memory_removed ON minne_memory_changes (actor, revision)
  WHERE record IS NULL;
`,
};

/**
 * The tables of layout 1. Ids are compared byte by byte (`COLLATE "C"`), so that no change of the system's
 * collations can spoil an index. There are no foreign keys: rows are changed by the functions only, under
 * the lock of their history.
 *
 * @param schema - The quoted name of the schema.
 */
export function tables(schema: string): string {
  return `
CREATE TABLE ${schema}.history_meta (
  name text COLLATE "C" PRIMARY KEY,
  value bigint NOT NULL
);
CREATE SEQUENCE ${schema}.history_activity;
CREATE TABLE ${schema}.history_session (
  history bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id text COLLATE "C" NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  actor_id text COLLATE "C",
  version bigint NOT NULL DEFAULT 0,
  last_sequence bigint NOT NULL DEFAULT 0,
  record_count bigint NOT NULL DEFAULT 0,
  removed_count bigint NOT NULL DEFAULT 0,
  -- The place among the histories of the actor, by their last write. 0 until the first write is done.
  activity bigint NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz,
  UNIQUE (session_id, source_id)
) WITH (fillfactor = 80);
CREATE INDEX history_session_of_actor
  ON ${schema}.history_session (actor_id, activity) WHERE actor_id IS NOT NULL;
CREATE INDEX history_session_expiry
  ON ${schema}.history_session (expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE ${schema}.history_record (
  history bigint NOT NULL,
  sequence bigint NOT NULL,
  v bigint NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  tool_group text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  payload text COLLATE "C" NOT NULL,
  PRIMARY KEY (history, sequence),
  UNIQUE (history, message_id)
);
CREATE INDEX history_record_of_group ON ${schema}.history_record (history, tool_group);
CREATE TABLE ${schema}.history_removed (
  history bigint NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  PRIMARY KEY (history, message_id)
);
CREATE INDEX history_removed_in_order ON ${schema}.history_removed (history, sequence);
INSERT INTO ${schema}.history_meta VALUES ('layout', 1), ('floor', 0);
`;
}

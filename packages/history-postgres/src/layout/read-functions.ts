import { settings } from './settings.js';

/**
 * The functions of layout 1 by which histories are read.
 *
 * @param schema - The quoted name of the schema.
 */
export function readFunctions(schema: string): string {
  const loaded = `TABLE (
  part text, sequence bigint, v bigint, id text, tool_group text, kind text, payload text
)`;
  return `
-- No row for a history that is not there. Else the first has the version in the place of the sequence;
-- then the known ids, then the records, the newest first. STABLE: all of its queries see one moment.
CREATE FUNCTION ${schema}.history_load(
  given_session text, given_source text, most bigint, before bigint, ids text[]
) RETURNS ${loaded} LANGUAGE plpgsql STABLE${settings} AS $$
DECLARE
  stored ${schema}.history_session;
BEGIN
  SELECT session.* INTO stored FROM ${schema}.history_session session
    WHERE session.session_id = given_session AND session.source_id = given_source;
  IF NOT FOUND OR stored.expires_at <= clock_timestamp() THEN
    RETURN;
  END IF;
  part := 'history';
  sequence := stored.version;
  RETURN NEXT;
  part := 'known';
  FOREACH id IN ARRAY ids LOOP
    IF EXISTS (SELECT FROM ${schema}.history_record record
        WHERE record.history = stored.history AND record.message_id = id)
      OR stored.removed_count > 0 AND EXISTS (SELECT FROM ${schema}.history_removed removed
        WHERE removed.history = stored.history AND removed.message_id = id)
    THEN
      RETURN NEXT;
    END IF;
  END LOOP;
  RETURN QUERY SELECT 'record', record.sequence, record.v, record.message_id, record.tool_group,
      record.kind, record.payload
    FROM ${schema}.history_record record
    WHERE record.history = stored.history AND record.sequence < coalesce(before, 9223372036854775807)
    ORDER BY record.sequence DESC LIMIT most;
END $$;

-- A load that counts as a write does. It waits for no writer: that one refreshes, too.
CREATE FUNCTION ${schema}.history_load_refreshing(
  given_session text, given_source text, most bigint, before bigint, ids text[], ttl bigint
) RETURNS ${loaded} LANGUAGE plpgsql${settings} AS $$
DECLARE
  stored ${schema}.history_session;
BEGIN
  SELECT session.* INTO stored FROM ${schema}.history_session session
    WHERE session.session_id = given_session AND session.source_id = given_source
    FOR UPDATE SKIP LOCKED;
  IF FOUND AND (stored.expires_at <= clock_timestamp()) IS NOT TRUE THEN
    UPDATE ${schema}.history_session session
      SET expires_at = clock_timestamp() + ttl * interval '1 millisecond'
      WHERE session.history = stored.history;
  END IF;
  RETURN QUERY SELECT * FROM ${schema}.history_load(given_session, given_source, most, before, ids);
END $$;

CREATE FUNCTION ${schema}.history_list(given_actor text, before bigint, most integer)
RETURNS TABLE (session_id text, source_id text, activity bigint, updated_at text)
LANGUAGE plpgsql STABLE${settings} AS $$
BEGIN
  RETURN QUERY SELECT session.session_id, session.source_id, session.activity,
      to_char(session.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    FROM ${schema}.history_session session
    WHERE session.actor_id = given_actor AND session.activity < before
      AND (session.expires_at <= clock_timestamp()) IS NOT TRUE
    ORDER BY session.activity DESC LIMIT most;
END $$;
`;
}

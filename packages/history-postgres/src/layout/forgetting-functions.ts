import { settings } from './settings.js';

/**
 * The functions of layout 1 by which many histories are forgotten, some at a time.
 *
 * @param schema - The quoted name of the schema.
 */
export function forgettingFunctions(schema: string): string {
  return `
-- Takes away what has expired: at most so many rows, of at most so many histories, so that one call is short
-- however much there is. seen counts the histories that were worked on, gone those that are gone. One that is
-- in use is passed over.
CREATE FUNCTION ${schema}.history_purge(most integer, most_rows bigint)
RETURNS TABLE (seen integer, gone integer) LANGUAGE plpgsql${settings} AS $$
DECLARE
  stored ${schema}.history_session;
  moment timestamptz := clock_timestamp();
  height bigint := 0;
  room bigint := most_rows;
  changed bigint;
BEGIN
  seen := 0;
  gone := 0;
  FOR stored IN SELECT session.* FROM ${schema}.history_session session
    WHERE session.expires_at <= moment ORDER BY session.expires_at LIMIT most FOR UPDATE SKIP LOCKED
  LOOP
    seen := seen + 1;
    DELETE FROM ${schema}.history_record record
      WHERE record.history = stored.history AND record.sequence IN (
        SELECT oldest.sequence FROM ${schema}.history_record oldest
          WHERE oldest.history = stored.history ORDER BY oldest.sequence LIMIT room);
    GET DIAGNOSTICS changed = ROW_COUNT;
    room := room - changed;
    DELETE FROM ${schema}.history_removed removed
      WHERE removed.history = stored.history AND removed.message_id IN (
        SELECT oldest.message_id FROM ${schema}.history_removed oldest
          WHERE oldest.history = stored.history ORDER BY oldest.message_id LIMIT room);
    GET DIAGNOSTICS changed = ROW_COUNT;
    room := room - changed;
    IF room <= 0 THEN
      -- What is left must not be taken for a whole history, by a clock that is behind.
      UPDATE ${schema}.history_session session SET expires_at = '-infinity'
        WHERE session.history = stored.history;
      EXIT;
    END IF;
    PERFORM ${schema}.history_remove(stored.history);
    height := greatest(height, stored.version, stored.last_sequence);
    gone := gone + 1;
  END LOOP;
  PERFORM ${schema}.history_raise_floor(height);
  RETURN NEXT;
END $$;

-- Takes away at most so many histories of an actor, and no further one once so many rows are gone, of those that
-- were there at the first call: top is NULL then, and what it returned in the calls that follow. seen is 0 when
-- none is left. erased counts those that had not expired.
CREATE FUNCTION ${schema}.history_erase(
  given_actor text, top bigint, most integer, most_rows bigint, wait integer
)
RETURNS TABLE (upmost bigint, seen integer, erased integer) LANGUAGE plpgsql${settings} AS $$
DECLARE
  stored ${schema}.history_session;
  height bigint := 0;
  room bigint := most_rows;
BEGIN
  PERFORM set_config('lock_timeout', wait::text, true);
  seen := 0;
  erased := 0;
  upmost := coalesce(top, (SELECT max(session.history) FROM ${schema}.history_session session));
  FOR stored IN SELECT session.* FROM ${schema}.history_session session
    WHERE session.actor_id = given_actor AND session.history <= upmost
    ORDER BY session.activity LIMIT most FOR UPDATE
  LOOP
    seen := seen + 1;
    IF (stored.expires_at <= clock_timestamp()) IS NOT TRUE THEN
      erased := erased + 1;
    END IF;
    PERFORM ${schema}.history_remove(stored.history);
    height := greatest(height, stored.version, stored.last_sequence);
    room := room - stored.record_count - stored.removed_count;
    EXIT WHEN room <= 0;
  END LOOP;
  PERFORM ${schema}.history_raise_floor(height);
  RETURN NEXT;
END $$;
`;
}

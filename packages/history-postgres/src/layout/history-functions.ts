import { rememberedIdCount } from '@minne/core';

/**
 * What the other functions of layout 1 have in common: taking a history, and putting it back.
 *
 * @param schema - The quoted name of the schema.
 */
export function historyFunctions(schema: string): string {
  return `
-- Locks the row of a history until the end of the transaction, and makes it when there is none. One that
-- has expired is emptied. activity is 0 in one that is to be treated as never written.
CREATE FUNCTION ${schema}.history_lock(given_session text, given_source text, wait integer)
RETURNS ${schema}.history_session LANGUAGE plpgsql AS $$
DECLARE
  stored ${schema}.history_session;
BEGIN
  PERFORM set_config('lock_timeout', wait::text, true);
  LOOP
    SELECT session.* INTO stored FROM ${schema}.history_session session
      WHERE session.session_id = given_session AND session.source_id = given_source FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO ${schema}.history_session AS session (session_id, source_id)
      VALUES (given_session, given_source)
      ON CONFLICT (session_id, source_id) DO NOTHING RETURNING session.* INTO stored;
    IF FOUND THEN
      -- A statement of its own: it sees what was committed while the insertion waited.
      SELECT meta.value INTO stored.version FROM ${schema}.history_meta meta WHERE meta.name = 'floor';
      stored.last_sequence := stored.version;
      RETURN stored;
    END IF;
  END LOOP;
  IF stored.expires_at <= clock_timestamp() THEN
    DELETE FROM ${schema}.history_record record WHERE record.history = stored.history;
    DELETE FROM ${schema}.history_removed removed WHERE removed.history = stored.history;
    stored.actor_id := NULL;
    stored.record_count := 0;
    stored.removed_count := 0;
    stored.activity := 0;
  END IF;
  IF stored.record_count = 0 THEN
    stored.started_at := clock_timestamp();
  END IF;
  RETURN stored;
END $$;

-- Takes a locked history away. Raise the floor afterwards, as the last step: its row is locked last.
CREATE FUNCTION ${schema}.history_remove(given_history bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM ${schema}.history_record record WHERE record.history = given_history;
  DELETE FROM ${schema}.history_removed removed WHERE removed.history = given_history;
  DELETE FROM ${schema}.history_session session WHERE session.history = given_history;
END $$;

-- A history that begins counts on from the floor, so that no version or sequence comes again.
CREATE FUNCTION ${schema}.history_raise_floor(height bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ${schema}.history_meta meta SET value = height WHERE meta.name = 'floor' AND meta.value < height;
END $$;

-- Trims a locked history, writes its row, and returns its new version.
CREATE FUNCTION ${schema}.history_save(
  stored ${schema}.history_session, given_actor text, maximum bigint, ttl bigint, is_fixed boolean
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  owner text := coalesce(given_actor, stored.actor_id);
  place bigint := 0;
  excess bigint := stored.record_count - maximum;
  newest text;
  candidate text;
  changed bigint;
  latest bigint;
BEGIN
  IF excess > 0 THEN
    SELECT record.tool_group INTO newest FROM ${schema}.history_record record
      WHERE record.history = stored.history AND record.kind <> 'system'
      ORDER BY record.sequence DESC LIMIT 1;
  END IF;
  WHILE excess > 0 LOOP
    SELECT record.sequence, record.tool_group INTO place, candidate
      FROM ${schema}.history_record record
      WHERE record.history = stored.history AND record.sequence > place
        AND record.kind <> 'system' AND record.tool_group <> newest
      ORDER BY record.sequence LIMIT 1;
    EXIT WHEN NOT FOUND;
    WITH gone AS (
      DELETE FROM ${schema}.history_record record
        WHERE record.history = stored.history AND record.tool_group = candidate
          AND record.kind <> 'system'
        RETURNING record.message_id, record.sequence
    )
    INSERT INTO ${schema}.history_removed (history, message_id, sequence)
      SELECT stored.history, gone.message_id, gone.sequence FROM gone;
    GET DIAGNOSTICS changed = ROW_COUNT;
    excess := excess - changed;
    stored.record_count := stored.record_count - changed;
    stored.removed_count := stored.removed_count + changed;
  END LOOP;
  excess := stored.removed_count - ${rememberedIdCount};
  IF excess > 0 THEN
    DELETE FROM ${schema}.history_removed removed
      WHERE removed.history = stored.history AND removed.message_id IN (
        SELECT oldest.message_id FROM ${schema}.history_removed oldest
          WHERE oldest.history = stored.history ORDER BY oldest.sequence LIMIT excess);
    GET DIAGNOSTICS changed = ROW_COUNT;
    stored.removed_count := stored.removed_count - changed;
  END IF;
  SELECT max(session.activity) INTO latest FROM ${schema}.history_session session
    WHERE session.actor_id = owner;
  -- What is its actor's latest stays so: the row is written without touching an index.
  IF stored.activity = 0 OR owner IS DISTINCT FROM stored.actor_id OR stored.activity < latest THEN
    stored.activity := nextval('${schema}.history_activity');
  END IF;
  UPDATE ${schema}.history_session session SET
      version = stored.version + 1,
      last_sequence = stored.last_sequence,
      record_count = stored.record_count,
      removed_count = stored.removed_count,
      actor_id = owner,
      activity = stored.activity,
      started_at = stored.started_at,
      updated_at = clock_timestamp(),
      expires_at = CASE WHEN is_fixed THEN stored.started_at ELSE clock_timestamp() END
        + ttl * interval '1 millisecond'
    WHERE session.history = stored.history;
  RETURN stored.version + 1;
END $$;
`;
}

import { settings } from './settings.js';

/** How much of what has expired an append takes away that begins a history. */
const passingPurge = { histories: 2, rows: 1000 } as const;

/**
 * The functions of layout 1 by which histories are written.
 *
 * @param schema - The quoted name of the schema.
 */
export function writeFunctions(schema: string): string {
  return `
-- The first row has the version, each further one an id that was known.
CREATE FUNCTION ${schema}.history_append(
  given_session text, given_source text, given_actor text,
  versions bigint[], ids text[], groups text[], kinds text[], payloads text[],
  maximum bigint, ttl bigint, is_fixed boolean, wait integer
) RETURNS TABLE (saved bigint, duplicate text) LANGUAGE plpgsql${settings} AS $$
DECLARE
  stored ${schema}.history_session := ${schema}.history_lock(given_session, given_source, wait);
  is_fresh boolean := stored.activity = 0;
  is_new boolean;
  duplicates text[] := '{}';
BEGIN
  FOR place IN 1 .. cardinality(ids) LOOP
    is_new := stored.removed_count = 0 OR NOT EXISTS (
      SELECT FROM ${schema}.history_removed removed
        WHERE removed.history = stored.history AND removed.message_id = ids[place]);
    IF is_new THEN
      INSERT INTO ${schema}.history_record (history, sequence, v, message_id, tool_group, kind, payload)
        VALUES (stored.history, stored.last_sequence + 1,
          versions[place], ids[place], groups[place], kinds[place], payloads[place])
        ON CONFLICT (history, message_id) DO NOTHING;
      is_new := FOUND;
    END IF;
    IF is_new THEN
      stored.last_sequence := stored.last_sequence + 1;
      stored.record_count := stored.record_count + 1;
    ELSE
      duplicates := duplicates || ids[place];
    END IF;
  END LOOP;
  saved := stored.version;
  IF cardinality(duplicates) < cardinality(ids) THEN
    saved := ${schema}.history_save(stored, given_actor, maximum, ttl, is_fixed);
  END IF;
  IF is_fresh AND ttl IS NOT NULL THEN
    PERFORM ${schema}.history_purge(${passingPurge.histories}, ${passingPurge.rows});
  END IF;
  RETURN NEXT;
  FOREACH duplicate IN ARRAY duplicates LOOP
    RETURN NEXT;
  END LOOP;
END $$;

-- sequences holds NULL for a record that is to be numbered. Without a new version, present is another
-- than the expected one.
CREATE FUNCTION ${schema}.history_replace(
  given_session text, given_source text, given_actor text, expected text,
  sequences bigint[], versions bigint[], ids text[], groups text[], kinds text[], payloads text[],
  maximum bigint, ttl bigint, is_fixed boolean, wait integer
) RETURNS TABLE (saved bigint, present bigint) LANGUAGE plpgsql${settings} AS $$
DECLARE
  stored ${schema}.history_session := ${schema}.history_lock(given_session, given_source, wait);
  changed bigint;
BEGIN
  present := CASE WHEN stored.activity = 0 THEN 0 ELSE stored.version END;
  IF present::text <> expected THEN
    IF stored.activity = 0 THEN
      PERFORM ${schema}.history_remove(stored.history);
      PERFORM ${schema}.history_raise_floor(greatest(stored.version, stored.last_sequence));
    END IF;
    RETURN NEXT;
    RETURN;
  END IF;
  FOR place IN 1 .. cardinality(ids) LOOP
    stored.last_sequence := greatest(stored.last_sequence, sequences[place]);
  END LOOP;
  FOR place IN 1 .. cardinality(ids) LOOP
    IF sequences[place] IS NULL THEN
      stored.last_sequence := stored.last_sequence + 1;
      sequences[place] := stored.last_sequence;
    END IF;
  END LOOP;
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest(sequences, versions, ids, groups, kinds, payloads)
      AS record (sequence, v, message_id, tool_group, kind, payload)
  ), gone AS (
    DELETE FROM ${schema}.history_record record
      WHERE record.history = stored.history AND NOT EXISTS (
        SELECT FROM given WHERE given.sequence = record.sequence
          AND given.message_id = record.message_id AND given.v = record.v
          AND given.tool_group = record.tool_group AND given.kind = record.kind
          AND given.payload = record.payload)
      RETURNING record.message_id, record.sequence
  )
  INSERT INTO ${schema}.history_removed (history, message_id, sequence)
    SELECT stored.history, gone.message_id, gone.sequence FROM gone
      WHERE NOT EXISTS (SELECT FROM given WHERE given.message_id = gone.message_id)
    ON CONFLICT (history, message_id) DO NOTHING;
  GET DIAGNOSTICS changed = ROW_COUNT;
  stored.removed_count := stored.removed_count + changed;
  DELETE FROM ${schema}.history_removed removed
    WHERE removed.history = stored.history AND removed.message_id = ANY (ids);
  GET DIAGNOSTICS changed = ROW_COUNT;
  stored.removed_count := stored.removed_count - changed;
  -- What stayed as it was is there already.
  INSERT INTO ${schema}.history_record (history, sequence, v, message_id, tool_group, kind, payload)
    SELECT stored.history, given.* FROM unnest(sequences, versions, ids, groups, kinds, payloads) AS given
    ON CONFLICT (history, sequence) DO NOTHING;
  stored.record_count := cardinality(ids);
  saved := ${schema}.history_save(stored, given_actor, maximum, ttl, is_fixed);
  RETURN NEXT;
END $$;

CREATE FUNCTION ${schema}.history_clear(given_session text, given_source text, wait integer)
RETURNS void LANGUAGE plpgsql${settings} AS $$
DECLARE
  stored ${schema}.history_session;
BEGIN
  PERFORM set_config('lock_timeout', wait::text, true);
  SELECT session.* INTO stored FROM ${schema}.history_session session
    WHERE session.session_id = given_session AND session.source_id = given_source FOR UPDATE;
  IF FOUND THEN
    PERFORM ${schema}.history_remove(stored.history);
    PERFORM ${schema}.history_raise_floor(greatest(stored.version, stored.last_sequence));
  END IF;
END $$;
`;
}

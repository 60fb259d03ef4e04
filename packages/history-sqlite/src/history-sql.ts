/** Every statement of the backend. None of them reads a table from end to end. */
export const historySql = {
  findHistory: `SELECT history, version, last_sequence, record_count, removed_count, actor_id, activity,
    began_at, expires_at FROM minne_history_session WHERE session_id = ? AND source_id = ?`,
  createHistory: `INSERT INTO minne_history_session (session_id, source_id, version, last_sequence,
    began_at, record_count, removed_count, activity, updated_at) VALUES (?, ?, ?, ?, ?, 0, 0, 0, '')`,
  updateHistory: `UPDATE minne_history_session SET version = ?, last_sequence = ?, record_count = ?,
    removed_count = ?, actor_id = ?, activity = ?, began_at = ?, expires_at = ?, updated_at = ?
    WHERE history = ?`,
  setExpiry: 'UPDATE minne_history_session SET expires_at = ? WHERE history = ?',
  deleteHistory: 'DELETE FROM minne_history_session WHERE history = ?',

  floor: "SELECT value FROM minne_history_meta WHERE name = 'floor'",
  raiseFloor: "UPDATE minne_history_meta SET value = max(value, ?) WHERE name = 'floor'",

  latestActivity: 'SELECT max(activity) AS activity FROM minne_history_session WHERE actor_id = ?',
  listActor: `SELECT session_id, source_id, activity, updated_at FROM minne_history_session
    WHERE actor_id = ? AND activity < ? AND coalesce(expires_at > ?, 1)
    ORDER BY activity DESC LIMIT ?`,
  historiesOfActor: `SELECT history, version, last_sequence, expires_at FROM minne_history_session
    WHERE actor_id = ?`,
  nextExpired: `SELECT history, version, last_sequence, removed_count FROM minne_history_session
    WHERE expires_at <= ? ORDER BY expires_at LIMIT 1`,

  insertRecord: `INSERT INTO minne_history_record
    (history, sequence, v, message_id, tool_group, kind, payload) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (history, message_id) DO NOTHING`,
  newestRecords: `SELECT sequence, v, message_id AS id, tool_group AS "group", kind, payload
    FROM minne_history_record WHERE history = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?`,
  newestSequences: `SELECT sequence FROM minne_history_record
    WHERE history = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?`,
  recordAt: `SELECT sequence, v, message_id AS id, tool_group AS "group", kind, payload
    FROM minne_history_record WHERE history = ? AND sequence = ?`,
  storedIds: `SELECT sequence, message_id AS id FROM minne_history_record
    WHERE history = ? ORDER BY sequence`,
  oldestSizes: `SELECT sequence, octet_length(payload) AS size FROM minne_history_record
    WHERE history = ? ORDER BY sequence LIMIT ?`,
  hasRecord: 'SELECT 1 FROM minne_history_record WHERE history = ? AND message_id = ?',
  deleteRecord: 'DELETE FROM minne_history_record WHERE history = ? AND sequence = ?',
  deleteRecordsUpTo: 'DELETE FROM minne_history_record WHERE history = ? AND sequence <= ?',
  deleteRecords: 'DELETE FROM minne_history_record WHERE history = ?',

  oldestTrimmable: `SELECT kind, tool_group AS "group" FROM minne_history_record
    WHERE history = ? AND kind <> 'system' ORDER BY sequence`,
  newestGroup: `SELECT tool_group AS "group" FROM minne_history_record
    WHERE history = ? AND kind <> 'system' ORDER BY sequence DESC LIMIT 1`,
  groupSize: `SELECT count(*) AS size FROM minne_history_record
    WHERE history = ? AND tool_group = ? AND kind <> 'system'`,
  rememberGroup: `INSERT OR IGNORE INTO minne_history_removed (history, message_id, sequence)
    SELECT history, message_id, sequence FROM minne_history_record
    WHERE history = ? AND tool_group = ? AND kind <> 'system'`,
  deleteGroup: `DELETE FROM minne_history_record
    WHERE history = ? AND tool_group = ? AND kind <> 'system'`,

  hasRemoved: 'SELECT 1 FROM minne_history_removed WHERE history = ? AND message_id = ?',
  rememberRemoved: `INSERT OR IGNORE INTO minne_history_removed (history, message_id, sequence)
    VALUES (?, ?, ?)`,
  forgetRemoved: 'DELETE FROM minne_history_removed WHERE history = ? AND message_id = ?',
  forgetOldestRemoved: `DELETE FROM minne_history_removed WHERE history = ?1 AND message_id IN
    (SELECT message_id FROM minne_history_removed WHERE history = ?1 ORDER BY sequence LIMIT ?2)`,
  deleteRemoved: 'DELETE FROM minne_history_removed WHERE history = ?',
} as const;

/** Every statement of the store. Only listing without an actor goes through a whole table. */
export const sessionSql = {
  find: `SELECT version, updated_at, CAST(session AS BLOB) AS session FROM minne_session
    WHERE session_id = ?`,
  stamp: 'SELECT version, updated_at FROM minne_session WHERE session_id = ?',
  write: `INSERT OR REPLACE INTO minne_session (session_id, actor_id, updated_at, session)
    VALUES (?, ?, ?, ?) RETURNING version, session_id, actor_id, updated_at`,
  remove: 'DELETE FROM minne_session WHERE session_id = ?',
  listAll: `SELECT version, session_id, actor_id, updated_at FROM minne_session
    ORDER BY version DESC`,
  listActor: `SELECT version, session_id, actor_id, updated_at FROM minne_session
    WHERE actor_id = ? ORDER BY version DESC`,
  setAside: `INSERT INTO minne_damaged_sessions
    (version, session_id, actor_id, updated_at, session, problem)
    SELECT version, session_id, actor_id, updated_at, session, ? FROM minne_session
    WHERE version = ?`,
  removeVersion: 'DELETE FROM minne_session WHERE version = ?',
  removeDamaged: 'DELETE FROM minne_damaged_sessions WHERE session_id = ?',
} as const;

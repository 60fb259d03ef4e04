import { DatabaseSync } from 'node:sqlite';

/** Cuts the end off what is stored of a session. */
export function damageSession(path: string, sessionId: string): void {
  editSession(path, sessionId, 'substr(session, 1, length(session) - 10)');
}

/** Puts what an SQL expression gives in place of what is stored of a session. */
export function editSession(path: string, sessionId: string, expression: string): void {
  const database = new DatabaseSync(path);
  const { changes } = database
    .prepare(`UPDATE minne_session SET session = ${expression} WHERE session_id = ?`)
    .run(sessionId);
  database.close();
  if (changes !== 1) throw new Error(`There is no session ${sessionId} to damage.`);
}

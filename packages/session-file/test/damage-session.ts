import { globSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** The path of the file that holds a session. */
export function sessionFile(folder: string, sessionId: string): string {
  const files = globSync('*/*.json', { cwd: folder }).map((file) => join(folder, file));
  const text = JSON.stringify(sessionId);
  const found = files.find((file) => readFileSync(file, 'utf8').includes(`"sessionId":${text}`));
  if (found === undefined) throw new Error(`There is no file of the session ${sessionId}.`);
  return found;
}

/** Cuts the end off the file of a session, as a full or failing disk does. */
export function damageSession(folder: string, sessionId: string): void {
  const file = sessionFile(folder, sessionId);
  truncateSync(file, readFileSync(file).length - 10);
}

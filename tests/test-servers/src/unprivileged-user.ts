import { readFileSync } from 'node:fs';

/** A user of this machine. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Whom to run a server as that refuses to be run by root: the user that PostgreSQL's packages bring, else
 * `nobody`. `undefined` when these tests are not run by root.
 */
export function unprivilegedUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('There is no user postgres or nobody to run a server as.');
}

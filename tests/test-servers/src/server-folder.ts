import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SystemUser } from './unprivileged-user.js';

/** A new folder for the data of a server, owned by `user` when one is given. */
export function serverFolder(name: string, user?: SystemUser): string {
  const folder = mkdtempSync(join(tmpdir(), `minne-${name}-`));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

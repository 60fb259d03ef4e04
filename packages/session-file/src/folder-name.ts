import { createHash } from 'node:crypto';

const folderName = /^(?:[a-z0-9-]{1,32}-)?[0-9a-f]{40}$/;

/**
 * The name of a session's folder: what can be read of the id, then 160 bits of its SHA-256. Ids never
 * share one, and each is a file name everywhere: at most 73 characters of `a-z 0-9 -`, which is the same
 * in either case, never the name of a device and never a path.
 */
export function folderNameOf(sessionId: string): string {
  const readable = sessionId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 32);
  const digest = createHash('sha256').update(sessionId).digest('hex').slice(0, 40);
  return readable === '' ? digest : `${readable}-${digest}`;
}

/** Whether {@link folderNameOf} makes such names. */
export function isFolderName(name: string): boolean {
  return folderName.test(name);
}

import { execFile } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/**
 * Whether a person can press Enter here. A process in the background must not read from its
 * terminal: the system would stop it until it comes to the front.
 */
export async function canReadEnter(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  if (process.platform === 'win32') return true;
  try {
    const ids = ['-o', 'pgid=,tpgid=', '-p', String(process.pid)];
    const { stdout } = await promisify(execFile)('ps', ids);
    const [group, foregroundGroup] = stdout.trim().split(/\s+/);
    return group === foregroundGroup;
  } catch {
    // Without `ps` nobody can tell; the link can still be had by the route.
    return false;
  }
}

/** Calls `onEnter` for each line that is typed. */
export function readEnter(onEnter: () => void): () => void {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', onEnter);
  return () => lines.close();
}

import { randomBytes } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from './file-error.js';

/** Milliseconds after which a folder that is being made or removed is taken for a killed process's. */
const patience = 600_000;

const leftover = /^\.(?:new|trash)-(\d+)-[0-9a-f]{16}$/;

/** A name for a folder that is being made, or that is on its way out. */
export function leftoverName(kind: 'new' | 'trash'): string {
  return `.${kind}-${Date.now()}-${randomBytes(8).toString('hex')}`;
}

/** Removes what killed processes left half made or half removed. */
export async function tidy(root: string): Promise<void> {
  for (const name of await namesIn(root)) {
    const [, time] = leftover.exec(name) ?? [];
    if (time === undefined || Number(time) > Date.now() - patience) continue;
    // Renamed first: a slow process that is still making it fails as a whole, and makes it anew.
    const trash = join(root, leftoverName('trash'));
    try {
      await rename(join(root, name), trash);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) continue;
      throw error;
    }
    await rm(trash, { recursive: true, force: true });
  }
}

/** The names in a folder; none when it is not there. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

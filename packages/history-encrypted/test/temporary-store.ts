import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own for one test. */
export interface TemporaryStore {
  readonly folder: string;
  /** A file in it that does not exist yet. */
  readonly path: string;
  remove(): void;
}

/** Makes a folder for one test. */
export function temporaryStore(): TemporaryStore {
  const folder = mkdtempSync(join(tmpdir(), 'minne-history-'));
  return {
    folder,
    path: join(folder, 'history.db'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own that is gone after the test; the store makes the one inside it. */
export function temporaryFolder(): string {
  const { folder, remove } = makeFolder();
  onTestFinished(remove);
  return folder;
}

export function makeFolder(): { readonly folder: string; remove(): void } {
  const parent = mkdtempSync(join(tmpdir(), 'minne-session-file-'));
  return {
    folder: join(parent, 'sessions'),
    remove: () => rmSync(parent, { recursive: true }),
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The path of a file that is not there yet, in a folder that is gone after the test. */
export function temporaryFile(): string {
  const { path, remove } = makeFile();
  onTestFinished(remove);
  return path;
}

export function makeFile(): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'minne-session-sqlite-'));
  return { path: join(folder, 'sessions.db'), remove: () => rmSync(folder, { recursive: true }) };
}

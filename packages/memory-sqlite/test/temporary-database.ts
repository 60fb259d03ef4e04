import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { SqliteMemoryStorage, type SqliteMemoryStorageOptions } from '../src/index.js';

/** The path of a file that does not exist yet, in a folder that is removed when the test ends. */
export function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'minne-memory-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'memory.db');
}

/** A storage that is closed when the test ends. */
export function testStorage(options: SqliteMemoryStorageOptions): SqliteMemoryStorage {
  const storage = new SqliteMemoryStorage(options);
  onTestFinished(() => storage.close());
  return storage;
}

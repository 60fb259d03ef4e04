import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryBackend, Warning } from '@minne/core';
import { SqliteHistoryBackend, type SqliteHistoryBackendOptions } from '@minne/history-sqlite';
import { onTestFinished } from 'vitest';
import { MinneSession } from '../src/index.js';

/** A SQLite file that goes with the test, and sessions in it. */
export interface SessionStore {
  readonly path: string;
  readonly backend: SqliteHistoryBackend;
  readonly warnings: readonly Warning[];
  open(sessionId?: string, backend?: HistoryBackend): MinneSession;
}

/** A new SQLite file. */
export function sessionStore(
  options: Omit<SqliteHistoryBackendOptions, 'path' | 'database'> = {},
): SessionStore {
  const folder = mkdtempSync(join(tmpdir(), 'minne-agents-'));
  const path = join(folder, 'history.db');
  const backend = new SqliteHistoryBackend({ ...options, path });
  onTestFinished(async () => {
    await backend.close();
    rmSync(folder, { recursive: true });
  });
  const warnings: Warning[] = [];
  return {
    path,
    backend,
    warnings,
    open: (sessionId = 'session', over = backend) =>
      new MinneSession({ backend: over, sessionId, onDiagnostic: (w) => warnings.push(w) }),
  };
}

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { startProcess } from '@minne/store-process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteSessionStore } from '../src/index.js';
import { countIn } from './processes/counted-session.js';
import { temporaryFile } from './temporary-file.js';

describe('several processes', () => {
  it('add to one session of a fresh file under the version they read, and no addition is lost', async () => {
    const path = temporaryFile();
    const [count, times] = [8, 10];
    const processes = Array.from({ length: count }, () =>
      startProcess(new URL('processes/increment-loop.ts', import.meta.url), path, String(times)),
    );
    const ends = await Promise.all(processes.map((one) => one.ended()));
    expect(ends).toEqual(ends.map(() => ({ code: 0, complaint: '' })));
    const store = openStore(path);
    expect(countIn(await store.get('session'))).toBe(count * times);
  }, 60_000);

  it('are killed at any moment, and what was acknowledged is there, never a half of anything', async () => {
    const path = temporaryFile();
    const diagnostics: unknown[] = [];
    const store = openStore(path, diagnostics);
    let lines: readonly string[] = [];
    for (let kill = 0; kill < 10; kill++) {
      const writer = startProcess(new URL('processes/write-loop.ts', import.meta.url), path);
      await writer.begun();
      await delay(Math.random() * 40);
      writer.process.kill('SIGKILL');
      expect(await writer.ended()).toEqual({ code: null, complaint: '' });
      lines = [...lines, ...writer.lines()];
      const kept = countIn(await store.get('kept'));
      expect([lastOf(lines, 'kept'), lastOf(lines, 'kept') + 1]).toContain(kept);
      // What was under way when it was killed has happened or has not.
      const passing = countIn(await store.get('passing'));
      expect([lastOf(lines, 'passing'), 0, kept]).toContain(passing);
      const listed = await Array.fromAsync(store.list());
      expect(listed.length).toBe(passing === 0 ? 1 : 2);
      if (passing !== 0) expect(await store.delete('passing')).toBe(true);
      lines = [...lines, 'passing 0'];
    }
    expect(lines.length).toBeGreaterThan(20);
    expect(diagnostics).toEqual([]);
    const database = new DatabaseSync(path);
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.close();
  }, 60_000);
});

function openStore(path: string, diagnostics: unknown[] = []): SqliteSessionStore {
  const onDiagnostic = (warning: unknown) => diagnostics.push(warning);
  const store = new SqliteSessionStore({ path, onDiagnostic });
  onTestFinished(() => store.close());
  return store;
}

/** The number in the last line about a session. */
function lastOf(lines: readonly string[], sessionId: string): number {
  return Number(lines.findLast((line) => line.startsWith(`${sessionId} `))?.split(' ')[1] ?? 0);
}

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startProcess } from '@minne/store-process';
import { describe, expect, it } from 'vitest';
import { FileSessionStore } from '../src/index.js';
import { countedSession, countIn } from './processes/counted-session.js';
import { temporaryFolder } from './temporary-folder.js';

describe('several processes', () => {
  it('add to one session under the version they read, and no addition is lost', async () => {
    const folder = temporaryFolder();
    const [count, times] = [8, 10];
    const processes = Array.from({ length: count }, () =>
      startProcess(new URL('processes/increment-loop.ts', import.meta.url), folder, String(times)),
    );
    const ends = await Promise.all(processes.map((one) => one.ended()));
    expect(ends).toEqual(ends.map(() => ({ code: 0, complaint: '' })));
    const store = new FileSessionStore({ folder });
    expect(countIn(await store.get('session'))).toBe(count * times);
    await store.set(countedSession('session', 0));
    expect(filesIn(folder).length, 'a pointer and a session').toBe(2);
  }, 60_000);

  it('are killed at any moment, and what was acknowledged is there, never a half of anything', async () => {
    const folder = temporaryFolder();
    const diagnostics: unknown[] = [];
    const store = new FileSessionStore({ folder, onDiagnostic: (one) => diagnostics.push(one) });
    let lines: readonly string[] = [];
    for (let kill = 0; kill < 10; kill++) {
      const writer = startProcess(new URL('processes/write-loop.ts', import.meta.url), folder);
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
    await store.set(countedSession('kept', 0));
    expect(filesIn(folder).length, 'a pointer and a session').toBe(2);
  }, 60_000);
});

/** The number in the last line about a session. */
function lastOf(lines: readonly string[], sessionId: string): number {
  return Number(lines.findLast((line) => line.startsWith(`${sessionId} `))?.split(' ')[1] ?? 0);
}

/** The files of the only session. */
function filesIn(folder: string): readonly string[] {
  const [name = '', ...others] = readdirSync(folder).filter((entry) => !entry.startsWith('.'));
  expect(others).toEqual([]);
  return readdirSync(join(folder, name));
}

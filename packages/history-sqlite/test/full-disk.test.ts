import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteHistoryBackend, type SqliteHistoryBackendOptions } from '../src/index.js';
import { turnOf } from './processes/turn.js';
import { temporaryStore } from './temporary-store.js';
import './worker-on-sources.js';

const key = { sessionId: 's', sourceId: 'history', actorId: 'kim' };
const full = { code: 'store_failed', message: expect.stringMatching(/full.*Make room/) };
const noDisk = whyNoDisk();

describe('a database that may not grow', () => {
  it('is written a turn whole or not at all, says so, and goes on once there is room', async () => {
    const database = new DatabaseSync(':memory:');
    onTestFinished(() => database.close());
    const backend = open({ database });
    database.exec('PRAGMA max_page_count = 60');
    const written = await fill(backend);
    await expectWhole(backend, written);
    database.exec('PRAGMA max_page_count = 1000');
    await backend.append(key, longTurnOf(`t${written}`));
    await expectWhole(backend, written + 1);
  });
});

describe.skipIf(noDisk !== undefined).each([{ worker: false }, { worker: true }])(
  `a disk of a megabyte: %j${noDisk ?? ''}`,
  ({ worker }) => {
    it('that is full takes a turn whole or not at all, and goes on once there is room', async () => {
      const disk = smallDisk();
      const backend = open({ path: join(disk, 'history.db'), worker });
      await backend.append(key, longTurnOf('t0'));
      const ballast = join(disk, 'ballast');
      writeFileSync(ballast, Buffer.alloc(300_000));
      const written = await fill(backend, 1);
      await expectWhole(backend, written);
      rmSync(ballast);
      await backend.append(key, longTurnOf(`t${written}`));
      await expectWhole(backend, written + 1);
      // There is room for the deletion, but not to move the log into the file.
      await expect(backend.clear(key)).rejects.toMatchObject({
        retryable: true,
        message: expect.stringMatching(/log.*could not be emptied.*read no more/),
      });
      expect((await backend.load(key)).records).toEqual([]);
      execFileSync('mount', ['-o', 'remount,size=8m', disk]);
      await backend.clear(key);
      expect(statSync(join(disk, 'history.db-wal')).size).toBe(0);
      await backend.close();
      const database = new DatabaseSync(join(disk, 'history.db'));
      onTestFinished(() => database.close());
      expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    }, 60_000);

    it('that may not be written is read, and refuses a turn with a clear error', async () => {
      const disk = smallDisk();
      const path = join(disk, 'history.db');
      const writer = open({ path });
      await writer.append(key, turnOf('t'));
      await writer.close();
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      onTestFinished(() => void execFileSync('mount', ['-o', 'remount,rw', disk]));
      const outcome = await attempt({ path, worker });
      expect(outcome).toMatchObject({
        message: expect.stringMatching(/right to write|may write to/),
      });
      expect(outcome).toMatchObject({ packageName: '@minne/history-sqlite', retryable: false });
      execFileSync('mount', ['-o', 'remount,rw', disk]);
      const again = open({ path, worker });
      await again.append(key, turnOf('u'));
      expect((await again.load(key)).records.length).toBe(4);
    }, 60_000);
  },
);

describe.skipIf(process.getuid?.() === 0)(
  'a file that may not be written (root may write any)',
  () => {
    it('is a clear error, and is written once it may be', async () => {
      const { path, folder, remove } = temporaryStore();
      onTestFinished(remove);
      const writer = open({ path });
      await writer.append(key, turnOf('t'));
      await writer.close();
      for (const [target, forbidden, allowed] of [
        [path, 0o400, 0o600],
        [folder, 0o500, 0o700],
      ] as const) {
        chmodSync(target, forbidden);
        const outcome = await attempt({ path });
        chmodSync(target, allowed);
        expect(outcome).toMatchObject({
          message: expect.stringMatching(/right to write|may write to/),
        });
      }
      await open({ path }).append(key, turnOf('u'));
    });
  },
);

/** Appends turns until the disk is full, and gives how many are written then. */
async function fill(backend: SqliteHistoryBackend, from = 0): Promise<number> {
  for (let written = from; written < 1000; written++) {
    const [outcome] = await Promise.allSettled([backend.append(key, longTurnOf(`t${written}`))]);
    if (outcome.status === 'fulfilled') continue;
    expect(outcome.reason).toMatchObject(full);
    return written;
  }
  return expect.fail('The disk was never full.');
}

async function expectWhole(backend: SqliteHistoryBackend, turns: number): Promise<void> {
  const { records, damaged } = await backend.load(key);
  expect(damaged).toEqual([]);
  expect(records.map(({ id }) => id)).toEqual(
    Array.from({ length: turns }, (_, turn) => turnOf(`t${turn}`).map(({ id }) => id)).flat(),
  );
}

/** The error of opening a file and appending to it. */
async function attempt(options: SqliteHistoryBackendOptions): Promise<unknown> {
  try {
    await open(options).append(key, turnOf('u'));
  } catch (error) {
    return error;
  }
  return expect.fail('It was written.');
}

/** A disk of its own for one test. */
function smallDisk(): string {
  const { folder, remove } = temporaryStore();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  onTestFinished(() => {
    execFileSync('umount', [folder]);
    remove();
  });
  return folder;
}

/** Why no disk can be made here. */
function whyNoDisk(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return ' (skipped: only root may make a disk, on Linux)';
  }
  const { folder, remove } = temporaryStore();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'pipe' });
    execFileSync('umount', [folder]);
    return undefined;
  } catch {
    return ' (skipped: this root may not make a disk)';
  } finally {
    if (existsSync(folder)) remove();
  }
}

function open(options: SqliteHistoryBackendOptions): SqliteHistoryBackend {
  const backend = new SqliteHistoryBackend(options);
  onTestFinished(() => backend.close());
  return backend;
}

function longTurnOf(name: string) {
  const payload = JSON.stringify({ text: 'x'.repeat(3000) });
  return turnOf(name).map((record) => ({ ...record, payload }));
}

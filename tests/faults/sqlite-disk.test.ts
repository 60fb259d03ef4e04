import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteHistoryBackend } from '../../packages/history-sqlite/src/index.js';
import { makeSmallDisk, smallDiskMissing } from './small-disk.js';
import { startSqliteFile } from './stores.js';
import {
  expectAgentKeepsItsAnswer,
  expectNothingHalf,
  expectRefusal,
  expectWorksAgain,
  fill,
} from './suites/refused-writes.js';

describe('history in SQLite', () => {
  it('refuses what the file has no page for, and takes it when there is one', async () => {
    const { address, remove } = await startSqliteFile();
    onTestFinished(remove);
    const database = new DatabaseSync(address);
    onTestFinished(() => database.close());
    const backend = new SqliteHistoryBackend({ database });
    database.exec('PRAGMA max_page_count = 300');
    const filled = await fill(backend, 'full');
    expectRefusal(filled.refusal, 'full', /full.*Make room/, true);
    await expectNothingHalf(backend, filled);
    database.exec('PRAGMA max_page_count = 100000');
    await expectWorksAgain(backend, filled);
  });

  it.skipIf(smallDiskMissing() !== undefined)(
    'refuses what a full disk has no room for, and takes it when there is room',
    { timeout: 60_000 },
    async () => {
      const disk = makeSmallDisk(1024);
      onTestFinished(disk.remove);
      const backend = new SqliteHistoryBackend({ path: join(disk.path, 'history.db') });
      onTestFinished(() => backend.close());
      const filled = await fill(backend, 'full');
      expectRefusal(filled.refusal, 'full', /full|disk/, true);
      await expectNothingHalf(backend, filled);
      await expectAgentKeepsItsAnswer(backend, () => disk.resize(8192));
      await expectWorksAgain(backend, filled);
    },
  );

  it.skipIf(smallDiskMissing() !== undefined)(
    'says that a disk is read-only, and works when it no longer is',
    async () => {
      const disk = makeSmallDisk(1024);
      onTestFinished(disk.remove);
      const path = join(disk.path, 'history.db');
      await new SqliteHistoryBackend({ path }).close();
      disk.setReadOnly(true);
      expect(() => new SqliteHistoryBackend({ path })).toThrow(/history\.db.*may write to/);
      disk.setReadOnly(false);
      const backend = new SqliteHistoryBackend({ path });
      onTestFinished(() => backend.close());
      await expectWorksAgain(backend, {
        sessionId: 's',
        names: [],
        refused: 'a.0',
        refusal: undefined,
      });
    },
  );

  it('says that a connection may only read, and reads', async () => {
    const { address, remove } = await startSqliteFile();
    onTestFinished(remove);
    const writable = new SqliteHistoryBackend({ path: address });
    onTestFinished(() => writable.close());
    const filled = { sessionId: 'read', names: [], refused: 'a.0', refusal: undefined };
    await expectWorksAgain(writable, filled);
    const database = new DatabaseSync(address, { readOnly: true });
    onTestFinished(() => database.close());
    const backend = new SqliteHistoryBackend({ database });
    const { refusal, refused } = await fill(backend, 'read');
    expectRefusal(refusal, 'read', /readonly.*right to write/, false);
    await expectNothingHalf(backend, { sessionId: 'read', names: ['a.0'], refusal, refused });
  });
});

import { renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteHistoryBackend, type SqliteHistoryBackendOptions } from '../src/index.js';
import { turnOf } from './processes/turn.js';
import { temporaryStore } from './temporary-store.js';

const key = { sessionId: 's', sourceId: 'history', actorId: 'kim' };
const lost = {
  code: 'store_failed',
  field: 'path',
  retryable: false,
  message: expect.stringContaining('was removed, or another was put in its place'),
};

describe('a history whose file is gone', () => {
  it('acknowledges nothing, and goes on when the file is put back', async () => {
    const { path, backend } = open();
    await backend.append(key, turnOf('t'));
    renameSync(path, `${path}.elsewhere`);
    await expect(backend.append(key, turnOf('u'))).rejects.toMatchObject(lost);
    await expect(backend.load(key)).rejects.toMatchObject(lost);
    await expect(backend.clear(key)).rejects.toMatchObject(lost);
    renameSync(`${path}.elsewhere`, path);
    await backend.append(key, turnOf('u'));
    expect((await backend.load(key)).records.length).toBe(4);
  });

  it('does not write over what another process has begun there', async () => {
    const { path, backend } = open();
    await backend.append(key, turnOf('t'));
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix);
    const other = reopen({ path });
    await other.append(key, turnOf('other'));
    await expect(backend.append(key, turnOf('u'))).rejects.toMatchObject(lost);
    await backend.close();
    expect((await other.load(key)).records.map(({ group }) => group)).toEqual(['other', 'other']);
  });
});

describe('a database that gives rows in another form', () => {
  it.each([{ readBigInts: true }, { returnArrays: true }])(
    'is read all the same: %j',
    async (settings) => {
      const database = new DatabaseSync(':memory:', settings);
      onTestFinished(() => database.close());
      await reopen({ database, maxMessages: 2 }).append(key, turnOf('t'));
      const backend = reopen({ database, maxMessages: 2 });
      await backend.append(key, turnOf('u'));
      const { records, damaged, knownIds } = await backend.load(key, {
        ids: [turnOf('t')[0]?.id ?? ''],
      });
      expect(records.map(({ group }) => group)).toEqual(['u', 'u']);
      expect([damaged, knownIds.length]).toEqual([[], 1]);
      expect((await Array.fromAsync(backend.list({ actorId: 'kim' }))).length).toBe(1);
    },
  );
});

function open() {
  const { path, remove } = temporaryStore();
  onTestFinished(remove);
  return { path, backend: reopen({ path }) };
}

function reopen(options: SqliteHistoryBackendOptions): SqliteHistoryBackend {
  const backend = new SqliteHistoryBackend(options);
  onTestFinished(() => backend.close());
  return backend;
}

import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { SqliteHistoryBackend } from '../src/index.js';
import { temporaryStore } from './temporary-store.js';

const key = { sessionId: 's', sourceId: 'history' };

// One fixture for every layout that was ever released.
it('reads a file of layout 1 and goes on with it', async () => {
  const { path, remove } = temporaryStore();
  onTestFinished(remove);
  const database = new DatabaseSync(path);
  database.exec(readFileSync(new URL('fixtures/schema-1.sql', import.meta.url), 'utf8'));
  database.close();
  const backend = new SqliteHistoryBackend({ path });
  onTestFinished(() => backend.close());
  expect(await backend.load(key, { ids: ['m1', 'm2', 'm4'] })).toEqual({
    version: '6',
    knownIds: ['m1', 'm2'],
    damaged: [],
    records: [
      { v: 1, sequence: 4, id: 'm2', group: 'm2', kind: 'user', payload: '{"id":"m2"}' },
      { v: 1, sequence: 5, id: 'm3', group: 'm3', kind: 'assistant', payload: '{"id":"m3"}' },
    ],
  });
  const record = { v: 1, id: 'm4', group: 'm4', kind: 'user', payload: '{}' } as const;
  await backend.append(key, [{ ...record, id: 'm1' }, record]);
  const loaded = await backend.load(key);
  expect(loaded.records.map(({ id, sequence }) => [id, sequence])).toEqual([
    ['m2', 4],
    ['m3', 5],
    ['m4', 6],
  ]);
  const [listing] = await Array.fromAsync(backend.list({ actorId: 'kim' }));
  expect(listing?.key).toEqual({ ...key, actorId: 'kim' });
});

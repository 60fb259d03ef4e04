import { DatabaseSync } from 'node:sqlite';
import { type EngineStore, MemoryEngine } from '@minne/memory-engine';
import { expect, it, onTestFinished } from 'vitest';
import { testStorage } from './temporary-database.js';

it('a write that finds no room leaves everything as it was, and works once there is room', async () => {
  const database = new DatabaseSync(':memory:');
  onTestFinished(() => database.close());
  const store = await new MemoryEngine({ storage: testStorage({ database }) }).openStore('notes');
  // SQLite fails in the same way when a file may not grow.
  database.exec('PRAGMA max_page_count = 60');
  const { written, error } = await fill(store);
  expect(error).toMatchObject({
    errorCode: 'TEMPORARILY_UNAVAILABLE',
    message: expect.stringMatching(/full.*Make room/),
  });
  expect(written).toBeGreaterThan(0);
  const listed = await Array.fromAsync(store.list({ actorId: 'kim' }));
  expect(listed.map(({ revision }) => revision)).toEqual(listed.map(() => 1));
  expect(listed.length).toBe(written);
  expect((await store.search({ actorId: 'kim', query: 'token', limit: 100 })).length).toBe(written);
  database.exec('PRAGMA max_page_count = 10000');
  await store.put(entryAt(written));
  expect((await store.search({ actorId: 'kim', query: `entry${written}` })).length).toBe(1);
});

async function fill(store: EngineStore): Promise<{ written: number; error: unknown }> {
  for (let written = 0; ; written++) {
    try {
      await store.put(entryAt(written));
    } catch (error) {
      return { written, error };
    }
  }
}

function entryAt(index: number) {
  const content = `token entry${index} ${'filling '.repeat(500)}`;
  return { actorId: 'kim', path: `/${index}`, content };
}

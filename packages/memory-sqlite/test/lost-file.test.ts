import { renameSync, rmSync } from 'node:fs';
import { MemoryEngine } from '@minne/memory-engine';
import { expect, it } from 'vitest';
import { temporaryPath, testStorage } from './temporary-database.js';

const entry = { actorId: 'kim', path: '/a', content: 'token' };
const lost = {
  errorCode: 'INTERNAL_ERROR',
  message: expect.stringContaining('was removed, or another was put in its place'),
};

const openStore = (path: string) =>
  new MemoryEngine({ storage: testStorage({ path }) }).openStore('notes');

it('acknowledges nothing once its file has been removed', async () => {
  const path = temporaryPath();
  const store = await openStore(path);
  await store.put(entry);
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix);
  for (const verb of [
    () => store.put(entry),
    () => store.search({ actorId: 'kim', query: 'token' }),
    () => store.listPage({ actorId: 'kim' }),
    () => store.put(entry),
  ]) {
    await expect(verb()).rejects.toMatchObject(lost);
  }
  const fresh = await openStore(path);
  expect(await Array.fromAsync(fresh.list({ actorId: 'kim' }))).toEqual([]);
});

it('acknowledges nothing once another file is in the place of its own, and leaves that one alone', async () => {
  const [path, otherPath] = [temporaryPath(), temporaryPath()];
  const other = testStorage({ path: otherPath });
  await (await new MemoryEngine({ storage: other }).openStore('notes')).put({
    ...entry,
    content: 'of the other',
  });
  await other.close();
  const storage = testStorage({ path });
  const store = await new MemoryEngine({ storage }).openStore('notes');
  await store.put(entry);
  renameSync(otherPath, path);
  await expect(store.put({ ...entry, content: 'lost' })).rejects.toMatchObject(lost);
  await storage.close();
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  const listed = await Array.fromAsync((await openStore(path)).list({ actorId: 'kim' }));
  expect(listed.map(({ content }) => content)).toEqual(['of the other']);
});

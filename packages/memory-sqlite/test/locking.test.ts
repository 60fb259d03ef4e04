import { DatabaseSync } from 'node:sqlite';
import { MemoryEngine } from '@minne/memory-engine';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryPath, testStorage } from './temporary-database.js';

it('waits for a lock without holding up the process', async () => {
  const { store, lock } = await lockedStore(10_000);
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
    if (ticks === 20) lock.exec('COMMIT');
  }, 2);
  await store.put({ actorId: 'kim', path: '/a', content: 'x' });
  clearInterval(ticking);
  expect(ticks).toBeGreaterThanOrEqual(20);
});

it('reads while another process writes', async () => {
  const { store } = await lockedStore(0);
  expect(await Array.fromAsync(store.list({ actorId: 'kim' }))).toEqual([]);
  expect(await store.search({ actorId: 'kim', query: 'token' })).toEqual([]);
});

it('gives up after the time that was set, and works again afterwards', async () => {
  const { store, lock } = await lockedStore(30);
  const entry = { actorId: 'kim', path: '/a', content: 'x' };
  await expect(store.put(entry)).rejects.toMatchObject({
    errorCode: 'TEMPORARILY_UNAVAILABLE',
    retryable: true,
  });
  lock.exec('ROLLBACK');
  expect((await store.put(entry)).revision).toBe(1);
});

it('stops waiting when the caller does', async () => {
  const { store } = await lockedStore(10_000);
  const signal = AbortSignal.timeout(20);
  const put = store.put({ actorId: 'kim', path: '/a', content: 'x' }, { signal });
  await expect(put).rejects.toMatchObject({ name: 'TimeoutError' });
});

/** A store, and another connection that holds the right to write. */
async function lockedStore(busyTimeout: number) {
  const path = temporaryPath();
  const storage = testStorage({ path, busyTimeout });
  const store = await new MemoryEngine({ storage }).openStore('notes');
  const lock = new DatabaseSync(path);
  onTestFinished(() => lock.close());
  lock.exec('BEGIN IMMEDIATE');
  return { store, lock };
}

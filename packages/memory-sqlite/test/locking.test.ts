import { DatabaseSync } from 'node:sqlite';
import { type EngineStore, MemoryEngine } from '@minne/memory-engine';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryPath, testStorage } from './temporary-database.js';

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

it('loses nothing between two storages on one file in one process', async () => {
  const path = temporaryPath();
  const stores = await Promise.all(
    [1, 2].map(() => new MemoryEngine({ storage: testStorage({ path }) }).openStore('notes')),
  );
  const at = { actorId: 'kim', path: '/a' };
  const fifty = <T>(verb: (store: EngineStore, index: number) => Promise<T>) =>
    Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => {
        const store = stores[index % 2];
        if (store === undefined) throw new Error('No store.');
        return verb(store, index);
      }),
    );
  const codesOf = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
    outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [String(outcome.reason.errorCode)] : [],
    );
  const appended = await fifty((store, index) =>
    store.put({ ...at, content: `line ${index}` }, { append: true }),
  );
  expect(codesOf(appended)).toEqual([]);
  const [entry] = await Array.fromAsync(stores[0]?.list(at) ?? []);
  if (entry === undefined) throw new Error('No entry.');
  expect(new Set(entry.content?.split('\n')).size).toBe(50);
  const { id, contentSha256 } = entry;
  const patched = await fifty((store, index) => store.update(id, { description: `${index}` }));
  expect(codesOf(patched)).toEqual([]);
  expect((await stores[1]?.get(id))?.revision).toBe(100);
  const conditional = await fifty((store, index) =>
    store.put({ ...at, content: `version ${index}` }, { precondition: { contentSha256 } }),
  );
  expect(codesOf(conditional)).toEqual(Array(49).fill('ABORTED'));
  const deleted = await fifty((store) => store.delete(id));
  expect(codesOf(deleted)).toEqual(Array(49).fill('NOT_FOUND'));
  const added = await fifty((store, index) => store.add({ ...at, content: `${index}` }));
  expect(codesOf(added)).toEqual(Array(49).fill('ALREADY_EXISTS'));
});

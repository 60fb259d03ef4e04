import type { EntryPut, EntryTable, StoreRow } from '@minne/memory-engine';
import { describe, expect, it } from 'vitest';
import { testStorage } from './temporary-database.js';

const now = '2026-05-01T10:00:00.000Z';
const of = { storeKey: 'key', actorId: 'kim', now };
const store: StoreRow = {
  id: 'notes',
  key: 'key',
  description: null,
  metadata: {},
  creator: 'alma',
  createTime: now,
  updateTime: now,
  deleteTime: null,
  revision: 1,
};

describe('a commit', () => {
  it('makes all changes, deletes before puts, in one revision', async () => {
    const { entries } = await testTables();
    await entries.commit({ ...of, puts: [put('a', '/a'), put('b', '/b')], deletes: [] });
    const before = await entries.changes(of);
    // `b` moves to where `a` was, and an `a` is made anew elsewhere.
    const moved = { ...put('b', '/a', 1), row: { ...put('b', '/a').row, revision: 2 } };
    const result = await entries.commit({
      ...of,
      puts: [moved, put('a', '/c')],
      deletes: [{ id: 'a', expected: 1 }],
    });
    expect(result).toEqual({ committed: true });
    expect(await places(entries)).toEqual([
      ['/a', 'b', 2],
      ['/c', 'a', 1],
    ]);
    const after = await entries.changes({ ...of, since: before.revision });
    expect(after).toMatchObject({ revision: before.revision + 1, complete: false, removed: [] });
    expect(after.records.map(({ entryId }) => entryId).toSorted()).toEqual(['a', 'b']);
  });

  it('makes no change at all when one cannot be made', async () => {
    const { entries } = await testTables();
    await entries.commit({ ...of, puts: [put('a', '/a'), put('b', '/b')], deletes: [] });
    const before = await entries.changes(of);
    const refused = [
      { puts: [put('c', '/c'), put('d', '/b')], conflict: { kind: 'key', entryId: 'b' } },
      { puts: [put('c', '/c'), put('a', '/d')], conflict: { kind: 'id', entryId: 'a' } },
      { puts: [put('c', '/c'), put('a', '/a', 2)], conflict: { kind: 'revision', entryId: 'a' } },
      { puts: [put('c', '/c'), put('x', '/x', 1)], conflict: { kind: 'revision', entryId: 'x' } },
      { puts: [put('c', '/c'), put('a', '/b', 1)], conflict: { kind: 'key', entryId: 'b' } },
    ];
    for (const { puts, conflict } of refused) {
      const deletes = [{ id: 'b', expected: conflict.kind === 'key' ? 9 : 1 }];
      const result = await entries.commit({
        ...of,
        puts,
        deletes: conflict.kind === 'key' ? [] : deletes,
      });
      expect(result).toEqual({ committed: false, conflict });
    }
    const stale = await entries.commit({
      ...of,
      puts: [put('c', '/c')],
      deletes: [{ id: 'b', expected: 2 }],
    });
    expect(stale).toEqual({ committed: false, conflict: { kind: 'revision', entryId: 'b' } });
    expect(await places(entries)).toEqual([
      ['/a', 'a', 1],
      ['/b', 'b', 1],
    ]);
    expect(await entries.changes(of)).toEqual(before);
  });

  it('touches no entry of another actor', async () => {
    const { entries } = await testTables();
    await entries.commit({ ...of, puts: [put('a', '/a')], deletes: [] });
    const pat = { ...of, actorId: 'pat' };
    const conflict = { kind: 'revision', entryId: 'a' };
    const asPat = { ...put('a', '/a', 1), row: { ...put('a', '/a').row, actorId: 'pat' } };
    expect(await entries.commit({ ...pat, puts: [asPat], deletes: [] })).toMatchObject({
      conflict,
    });
    expect(
      await entries.commit({ ...pat, puts: [], deletes: [{ id: 'a', expected: 1 }] }),
    ).toMatchObject({ conflict });
    expect(await places(entries)).toEqual([['/a', 'a', 1]]);
    expect(await entries.changes(pat)).toEqual({
      revision: 0,
      complete: true,
      records: [],
      removed: [],
    });
  });

  it('is refused for a store that is deleted or was never there', async () => {
    const { entries, stores } = await testTables();
    const conflict = { committed: false, conflict: { kind: 'store' } };
    const commit = { ...of, puts: [put('a', '/a')], deletes: [] };
    expect(await entries.commit({ ...commit, storeKey: 'other' })).toEqual(conflict);
    await stores.write({ ...store, deleteTime: now, revision: 2 }, 1);
    expect(await entries.commit(commit)).toEqual(conflict);
  });
});

describe('the changes of an actor', () => {
  it('are what was written and removed since a revision, each entry once', async () => {
    const { entries } = await testTables();
    await entries.commit({ ...of, puts: [put('a', '/a'), put('b', '/b')], deletes: [] });
    const { revision: since } = await entries.changes(of);
    await entries.commit({ ...of, puts: [], deletes: [{ id: 'a', expected: 1 }] });
    await entries.commit({ ...of, puts: [put('a', '/a')], deletes: [] });
    await entries.commit({ ...of, puts: [put('c', '/c')], deletes: [{ id: 'b', expected: 1 }] });
    const changes = await entries.changes({ ...of, since });
    expect(changes).toMatchObject({ complete: false, removed: ['b'] });
    expect(changes.records.map(({ entryId }) => entryId)).toEqual(['a', 'c']);
    expect(await entries.changes({ ...of, since: changes.revision })).toEqual({
      ...changes,
      records: [],
      removed: [],
    });
  });

  it('are all there are for a revision that this database never had', async () => {
    const { entries } = await testTables();
    await entries.commit({ ...of, puts: [put('a', '/a')], deletes: [] });
    expect(await entries.changes({ ...of, since: 100 })).toMatchObject({
      revision: 1,
      complete: true,
      records: [{ entryId: 'a', record: new Uint8Array([1, 2, 3]) }],
    });
  });
});

describe('a store row', () => {
  it('is written only over the one that was read', async () => {
    const { stores } = await testTables();
    expect(await stores.write(store, null)).toBe(false);
    const next = { ...store, description: 'd', revision: 2 };
    expect(await stores.write(next, 2)).toBe(false);
    expect(await stores.write({ ...next, key: 'another' }, 1)).toBe(false);
    expect(await stores.write(next, 1)).toBe(true);
    expect(await stores.get('notes')).toEqual(next);
  });
});

async function testTables() {
  const storage = testStorage({ path: ':memory:' });
  await storage.stores.write(store, null);
  return storage;
}

function put(id: string, path: string, expected: number | null = null): EntryPut {
  return {
    row: {
      id,
      actorId: 'kim',
      sessionId: null,
      path,
      content: 'text',
      description: null,
      metadata: {},
      source: 'AGENT',
      createTime: now,
      updateTime: now,
      expireTime: null,
      contentSha256: '0'.repeat(64),
      revision: 1,
    },
    searchRecord: new Uint8Array([1, 2, 3]),
    expected,
  };
}

async function places(entries: EntryTable) {
  const rows = await entries.list({ ...of, limit: 100, withContent: false });
  return rows.map(({ path, id, revision }) => [path, id, revision]);
}

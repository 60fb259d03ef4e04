import { describe, expect, it } from 'vitest';
import { localPrincipal, MemoryEngine } from '../src/index.js';
import { manualClock, testEngine, testStorage } from './engine-fixture.js';

const alma = { name: 'alma', isAdmin: false };
const bert = { name: 'bert', isAdmin: false };
const admin = { name: 'root', isAdmin: true };
const day = 24 * 60 * 60 * 1000;

describe('a store', () => {
  it('is made once, and everyone may read what it is', async () => {
    const engine = testEngine({ clock: manualClock() });
    const store = await engine.createStore(alma, {
      id: 'notes',
      description: 'd',
      metadata: { k: 'v' },
    });
    expect(store).toEqual({
      id: 'notes',
      description: 'd',
      metadata: { k: 'v' },
      creator: 'alma',
      createTime: '2026-05-01T10:00:00.000Z',
      updateTime: '2026-05-01T10:00:00.000Z',
    });
    expect(await engine.getStore(bert, 'notes')).toEqual(store);
    await expect(engine.createStore(bert, { id: 'notes' })).rejects.toMatchObject({
      errorCode: 'ALREADY_EXISTS',
    });
    await expect(engine.getStore(alma, 'other')).rejects.toMatchObject({ errorCode: 'NOT_FOUND' });
  });

  it('needs a storage to be kept in', () => {
    for (const options of [undefined, {}, { storage: 'memory.db' }]) {
      expect(() => new MemoryEngine(options as never)).toThrow(
        expect.objectContaining({ code: 'configuration', field: 'storage' }),
      );
    }
  });

  it('has an id of 3 to 56 characters', async () => {
    const engine = testEngine();
    for (const id of [
      'ab',
      'Notes',
      '1notes',
      'notes-',
      'a_b',
      `a${'b'.repeat(56)}`,
      '',
      '%',
      "a'b",
    ]) {
      await expect(engine.createStore(alma, { id })).rejects.toMatchObject({
        field: 'managed_memory_store_id',
      });
    }
  });

  it('changes what is named, by its creator or an admin', async () => {
    const engine = testEngine({ clock: manualClock() });
    const first = await engine.createStore(alma, {
      id: 'notes',
      description: 'd',
      metadata: { k: 'v' },
    });
    const second = await engine.updateStore(alma, 'notes', { metadata: { other: 'x' } });
    expect(second).toMatchObject({
      description: 'd',
      metadata: { other: 'x' },
      createTime: first.createTime,
    });
    expect(second.updateTime > first.updateTime).toBe(true);
    const third = await engine.updateStore(admin, 'notes', { description: undefined });
    expect(third).not.toHaveProperty('description');
    expect(await engine.getStore(alma, 'notes')).toEqual(third);
    await expect(engine.updateStore(bert, 'notes', { description: 'x' })).rejects.toMatchObject({
      errorCode: 'PERMISSION_DENIED',
    });
    await expect(engine.updateStore(alma, 'notes', {})).rejects.toMatchObject({
      errorCode: 'INVALID_PARAMETER_VALUE',
    });
  });

  it('is listed in pages by id, to every principal', async () => {
    const engine = testEngine();
    for (const id of ['ccc', 'aaa', 'bbb']) await engine.createStore(alma, { id });
    const first = await engine.listStores(bert, { pageSize: 2 });
    expect(first.stores.map(({ id }) => id)).toEqual(['aaa', 'bbb']);
    const { nextPageToken: pageToken = '' } = first;
    const second = await engine.listStores(bert, { pageSize: 2, pageToken });
    expect(second.stores.map(({ id }) => id)).toEqual(['ccc']);
    expect(second).not.toHaveProperty('nextPageToken');
    await expect(engine.listStores(alma, { pageToken })).rejects.toMatchObject({
      field: 'page_token',
    });
  });

  it('shows its entries to its creator alone', async () => {
    const engine = testEngine();
    await engine.createStore(alma, { id: 'notes' });
    const { id } = await engine
      .store(alma, 'notes')
      .put({ actorId: 'kim', path: '/a', content: 'token' });
    for (const other of [bert, admin]) {
      const store = engine.store(other, 'notes');
      const verbs = [
        () => store.get(id),
        () => store.put({ actorId: 'kim', path: '/a' }),
        () => store.add({ actorId: 'kim', path: '/b' }),
        () => store.update(id, { content: '' }),
        () => store.delete(id),
        () => store.listPage({ actorId: 'kim' }),
        () => Array.fromAsync(store.list({ actorId: 'kim' })),
        () => store.search({ actorId: 'kim', query: 'token' }),
        // Access comes before the values.
        () => store.search({ actorId: '', query: '' }),
        () => store.authorize('READ'),
      ];
      for (const verb of verbs)
        await expect(verb()).rejects.toMatchObject({ errorCode: 'PERMISSION_DENIED', status: 403 });
    }
    await engine.store(alma, 'notes').authorize('WRITE');
  });
});

describe('a deleted store', () => {
  it('is gone at once with all that is in it, and its id is free after the purge time', async () => {
    const clock = manualClock();
    const engine = testEngine({ clock });
    await engine.createStore(alma, { id: 'notes' });
    const store = engine.store(alma, 'notes');
    await store.put({ actorId: 'kim', path: '/a', content: 'token' });
    await store.search({ actorId: 'kim', query: 'token' });
    await expect(engine.deleteStore(bert, 'notes')).rejects.toMatchObject({
      errorCode: 'PERMISSION_DENIED',
    });
    await engine.deleteStore(alma, 'notes');
    const gone = { errorCode: 'NOT_FOUND', message: 'There is no memory store "notes".' };
    const verbs = [
      () => engine.getStore(alma, 'notes'),
      () => engine.deleteStore(alma, 'notes'),
      () => engine.updateStore(alma, 'notes', { description: 'x' }),
      () => store.search({ actorId: 'kim', query: 'token' }),
      () => store.put({ actorId: 'kim', path: '/a' }),
    ];
    for (const verb of verbs) await expect(verb()).rejects.toMatchObject(gone);
    expect((await engine.listStores(alma)).stores).toEqual([]);
    clock.advance(30 * day - 1);
    await expect(engine.createStore(bert, { id: 'notes' })).rejects.toMatchObject({
      errorCode: 'ALREADY_EXISTS',
    });
    clock.advance(1);
    await engine.createStore(bert, { id: 'notes' });
    const next = engine.store(bert, 'notes');
    expect(await Array.fromAsync(next.list({ actorId: 'kim' }))).toEqual([]);
    expect(await next.search({ actorId: 'kim', query: 'token' })).toEqual([]);
  });

  it('is purged with everything in it when its time has come', async () => {
    const clock = manualClock();
    const engine = testEngine({ clock, purgeAfter: day });
    const [gone, kept] = [await engine.openStore('gone'), await engine.openStore('kept')];
    for (const store of [gone, kept]) {
      for (let index = 0; index < 1200; index++) {
        await store.put({ actorId: `actor${index % 2}`, path: `/${index}` });
      }
    }
    await engine.deleteStore(localPrincipal, 'gone');
    expect(await engine.purge()).toEqual({ removed: 0 });
    clock.advance(day);
    // 1,200 entries with a search record each, 2 actors and the store.
    expect(await engine.purge()).toEqual({ removed: 2403 });
    expect(await engine.purge()).toEqual({ removed: 0 });
    expect((await Array.fromAsync(kept.list({ actorId: 'actor0' }))).length).toBe(600);
  });
});

describe('openStore', () => {
  it('makes the store once, however many open it at once', async () => {
    const storage = testStorage();
    const engines = Array.from({ length: 5 }, () => new MemoryEngine({ storage }));
    const stores = await Promise.all(
      engines.map((engine) => engine.openStore('notes', { description: 'd' })),
    );
    await stores[0]?.put({ actorId: 'kim', path: '/a', content: 'token' });
    for (const store of stores) {
      expect((await store.search({ actorId: 'kim', query: 'token' })).length).toBe(1);
    }
    expect(await engines[0]?.getStore(localPrincipal, 'notes')).toMatchObject({
      creator: 'local',
      description: 'd',
    });
  });

  it('refuses a store of somebody else, and one that is deleted', async () => {
    const engine = testEngine();
    await engine.createStore(alma, { id: 'notes' });
    await expect(engine.openStore('notes')).rejects.toMatchObject({
      errorCode: 'PERMISSION_DENIED',
    });
    await engine.openStore('notes', { principal: alma });
    await engine.deleteStore(alma, 'notes');
    await expect(engine.openStore('notes', { principal: alma })).rejects.toMatchObject({
      errorCode: 'ALREADY_EXISTS',
    });
    await expect(engine.openStore('No id')).rejects.toMatchObject({
      errorCode: 'INVALID_PARAMETER_VALUE',
    });
  });
});

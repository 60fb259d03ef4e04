import { describe, expect, it } from 'vitest';
import type { EngineStore } from '../src/index.js';
import { manualClock, testStore } from './engine-fixture.js';

const at = { actorId: 'kim', path: '/notes' };
const notFound = { errorCode: 'NOT_FOUND', status: 404 };
const invalid = { errorCode: 'INVALID_PARAMETER_VALUE' };

describe('add', () => {
  it('makes an entry under an id of the caller', async () => {
    const store = await testStore();
    const entry = await store.add({ ...at, content: 'a' }, { id: 'My_id-1' });
    expect(entry).toMatchObject({ id: 'My_id-1', revision: 1 });
    expect(await store.get('My_id-1')).toEqual(entry);
  });

  it('refuses a place or an id that is taken, and names the entry that has it', async () => {
    const store = await testStore();
    await store.add({ ...at, content: 'a' }, { id: 'one' });
    const taken = {
      errorCode: 'ALREADY_EXISTS',
      details: [{ managed_memory_entry: 'memory-stores/notes/entries/one' }],
    };
    await expect(store.add({ ...at, content: 'b' })).rejects.toMatchObject(taken);
    await expect(store.add({ ...at, path: '/other' }, { id: 'one' })).rejects.toMatchObject(taken);
    expect((await store.get('one')).content).toBe('a');
  });

  it('lets one of many at the same place through', async () => {
    const store = await testStore();
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => store.add({ ...at, content: `${index}` })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  });

  it('refuses ids that are more than letters, digits, "_" and "-"', async () => {
    const store = await testStore();
    for (const id of ['', 'a b', '../../evil', '/etc/x', 'a/b', 'é', 'x'.repeat(65)]) {
      await expect(store.add(at, { id })).rejects.toMatchObject(invalid);
    }
  });
});

describe('get', () => {
  it('leaves the content out of the basic view only', async () => {
    const store = await testStore();
    const { content, ...basic } = await store.put({ ...at, content: 'text', description: 'd' });
    expect(content).toBe('text');
    expect(await store.get(basic.id, { view: 'BASIC' })).toEqual(basic);
    expect(await store.get(basic.id, { view: 'FULL' })).toEqual({ ...basic, content });
  });

  it('gives values of the caller’s own', async () => {
    const store = await testStore();
    const metadata = { key: 'value' };
    const { id } = await store.put({ ...at, metadata });
    metadata.key = 'changed';
    Object.assign((await store.get(id)).metadata, { key: 'changed too' });
    expect((await store.get(id)).metadata).toEqual({ key: 'value' });
  });

  it('says the same of an id that nobody has and of one that no entry can have', async () => {
    const store = await testStore();
    for (const id of ['nobody', 'a b', '\u0000', '', 'x'.repeat(1000)]) {
      await expect(store.get(id)).rejects.toMatchObject({
        ...notFound,
        message: `There is no entry "${id}" in memory store "notes".`,
      });
    }
  });
});

describe('update', () => {
  it('changes what is named and nothing else', async () => {
    const clock = manualClock();
    const store = await testStore({ clock });
    const first = await store.put({ ...at, content: 'a', description: 'd', metadata: { k: 'v' } });
    const second = await store.update(first.id, { description: 'e' });
    expect(second).toEqual({
      ...first,
      description: 'e',
      revision: 2,
      updateTime: second.updateTime,
    });
    expect(second.updateTime > first.updateTime).toBe(true);
    expect(await store.get(first.id)).toEqual(second);
    const third = await store.update(first.id, { content: undefined });
    expect(third).toMatchObject({ content: '', description: 'e', revision: 3 });
    const fourth = await store.update(first.id, { description: undefined });
    expect(fourth).not.toHaveProperty('description');
  });

  it('refuses members that cannot change, and to change nothing', async () => {
    const store = await testStore();
    const { id } = await store.put({ ...at, content: 'a' });
    const changes = [
      {},
      { path: '/x' },
      { actorId: 'pat' },
      { content: 'b', sessionId: 's' },
      { content: 1 },
    ];
    for (const change of changes) {
      await expect(updateUntyped(store, id, change)).rejects.toMatchObject(invalid);
    }
    expect((await store.get(id)).revision).toBe(1);
  });

  it('takes a precondition', async () => {
    const store = await testStore();
    const { id, contentSha256 } = await store.put({ ...at, content: 'a' });
    const options = { precondition: { contentSha256 } };
    await store.update(id, { content: 'b' }, options);
    expect((await store.update(id, { content: 'b' }, options)).revision).toBe(2);
    await expect(store.update(id, { content: 'c' }, options)).rejects.toMatchObject({
      errorCode: 'ABORTED',
    });
  });

  it('keeps one row however many write at once', async () => {
    const store = await testStore();
    const { id } = await store.put({ ...at, content: 'a' });
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => store.update(id, { content: `${index}` })),
    );
    const entries = await Array.fromAsync(store.list({ actorId: 'kim', path: at.path }));
    expect(entries.map(({ revision }) => revision)).toEqual([11]);
  });
});

describe('delete', () => {
  it('removes an entry once', async () => {
    const store = await testStore();
    const { id } = await store.put({ ...at, content: 'a' });
    await store.delete(id);
    await expect(store.get(id)).rejects.toMatchObject(notFound);
    await expect(store.delete(id)).rejects.toMatchObject(notFound);
    expect((await store.put({ ...at, content: 'b' })).revision).toBe(1);
  });

  it('takes a precondition', async () => {
    const store = await testStore();
    const { id, contentSha256 } = await store.put({ ...at, content: 'a' });
    await store.update(id, { content: 'b' });
    await expect(store.delete(id, { precondition: { contentSha256 } })).rejects.toMatchObject({
      errorCode: 'ABORTED',
    });
    await store.delete(id, {
      precondition: { contentSha256: (await store.get(id)).contentSha256 },
    });
  });
});

describe('values that are not what they must be', () => {
  it('are refused with the name of the field, before anything is written', async () => {
    const store = await testStore();
    const wrong: readonly (readonly [field: string, entry: object])[] = [
      ['actor_id', { actorId: '' }],
      ['actor_id', { actorId: 'a\u0000b' }],
      ['actor_id', { actorId: undefined }],
      ['session_id', { sessionId: '' }],
      ['session_id', { sessionId: '\ud800' }],
      ['session_id', { sessionId: 'x'.repeat(257) }],
      ['path', { path: 'relative' }],
      ['path', { path: '/a//b' }],
      ['path', { path: '/a/../b' }],
      ['path', { path: 'C:\\x' }],
      ['path', { path: `/${'x'.repeat(3000)}` }],
      ['content', { content: 'x'.repeat(256 * 1024 + 1) }],
      ['content', { content: '\udc00' }],
      ['description', { description: 7 }],
      ['metadata', { metadata: [] }],
      ['metadata.k', { metadata: { k: 1 } }],
      ['source_type', { source: 'USER' }],
      ['expire_time', { expireTime: 'tomorrow' }],
    ];
    for (const [field, entry] of wrong) {
      await expect(putUntyped(store, { ...at, ...entry }), field).rejects.toMatchObject({
        ...invalid,
        field,
      });
    }
    expect(await Array.fromAsync(store.list({ actorId: 'kim' }))).toEqual([]);
  });
});

/** Puts what JavaScript may hand over and the types would not let through. */
function putUntyped(store: EngineStore, entry: object): Promise<unknown> {
  return Reflect.apply(store.put, store, [entry]);
}

function updateUntyped(store: EngineStore, id: string, changes: object): Promise<unknown> {
  return Reflect.apply(store.update, store, [id, changes]);
}

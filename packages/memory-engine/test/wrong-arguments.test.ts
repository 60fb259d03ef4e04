import { describe, expect, it } from 'vitest';
import { MemoryEngine } from '../src/index.js';
import { testEngine, testStorage, testStore } from './engine-fixture.js';

const invalid = { errorCode: 'INVALID_PARAMETER_VALUE' };

describe('options of an engine', () => {
  it('that are no sizes or times are refused, with the name of the field', () => {
    const storage = testStorage();
    for (const field of ['purgeAfter', 'writeTimeout', 'searchCacheSize']) {
      for (const value of [-1, Number.NaN, '5', 1n, {}]) {
        expect(() => Reflect.construct(MemoryEngine, [{ storage, [field]: value }])).toThrow(
          expect.objectContaining({ code: 'configuration', field }),
        );
      }
    }
    expect(() => new MemoryEngine({ storage, purgeAfter: 1e20 })).toThrow(/purgeAfter/);
  });
});

describe('a principal', () => {
  it.each([[''], ['a\ud800'], ['a\u0000'], ['x'.repeat(257)], [undefined], [null], [5]])(
    'named %j makes no store, which it might share with others',
    async (name) => {
      const engine = testEngine();
      const made = Reflect.apply(engine.createStore, engine, [{ name }, { id: 'notes' }]);
      await expect(made).rejects.toMatchObject({
        errorCode: 'INVALID_PARAMETER_VALUE',
        field: 'principal.name',
      });
    },
  );
});

describe('an id', () => {
  it('is one text: nothing, none or several delete nothing', async () => {
    const store = await testStore();
    for (const id of ['undefined', 'null', 'one', '0']) {
      await store.add({ actorId: 'kim', path: `/${id}` }, { id });
    }
    for (const id of [undefined, null, [], ['one'], ['one', 'null'], 0, {}, new String('one')]) {
      for (const verb of [store.delete, store.get]) {
        await expect(Reflect.apply(verb, store, [id])).rejects.toMatchObject(invalid);
      }
      const update = Reflect.apply(store.update, store, [id, { content: 'x' }]);
      await expect(update).rejects.toMatchObject(invalid);
    }
    await expect(store.delete('nobody')).rejects.toMatchObject({ errorCode: 'NOT_FOUND' });
    expect((await Array.fromAsync(store.list({ actorId: 'kim' }))).length).toBe(4);
  });
});

describe('metadata', () => {
  it.each([
    ['a Map', new Map([['key', 'value']])],
    ['a Set', new Set(['value'])],
    ['a date', new Date(0)],
    ['an error', new Error('key')],
    ['a list', ['value']],
    ['a text', 'value'],
    ['null', null],
    ['a number in it', { key: 5 }],
    ['half a character in it', { key: '\ud800' }],
  ])('is refused as %s, rather than taken for empty', async (_name, metadata) => {
    const store = await testStore();
    const put = Reflect.apply(store.put, store, [{ actorId: 'kim', path: '/a', metadata }]);
    await expect(put).rejects.toMatchObject(invalid);
    expect(await Array.fromAsync(store.list({ actorId: 'kim' }))).toEqual([]);
  });

  it('keeps any text otherwise', async () => {
    const store = await testStore();
    const metadata = { 'a\u0000b': 'c\u0000', '': '', '\\u0000': '🙂', constructor: 'x' };
    const { id } = await store.put({ actorId: 'kim', path: '/a', metadata });
    expect((await store.get(id)).metadata).toEqual(metadata);
  });
});

describe('a path', () => {
  it.each([
    '/a/./b',
    '/..',
    '//',
    '/a/',
    '/',
    '/a\\b',
    '/a\u0000',
    '/a\u200b',
    '/👩\u200d🚀',
    '/a\u202eb',
    '/a\ufeff',
    '/a\u00ad',
    '/\udc00',
    '/a\nb',
    'a',
    '\uff0fa',
    '~/a',
  ])('%j is refused', async (path) => {
    const store = await testStore();
    await expect(store.put({ actorId: 'kim', path })).rejects.toMatchObject({
      ...invalid,
      field: 'path',
    });
    await expect(Array.fromAsync(store.list({ actorId: 'kim', path }))).rejects.toMatchObject(
      invalid,
    );
  });

  it('is only a name, whatever else it may mean', async () => {
    const store = await testStore();
    const paths = ['/etc/hosts-test', '/CON', '/...', '/.hidden', '/%2e%2e', '/a%', '/a_', '/*'];
    for (const path of [...paths, '/A', '/a', '/ａ', '/مرحبا', '/🙂', "/'; DROP TABLE x"]) {
      const { id } = await store.put({ actorId: 'kim', path, content: path });
      const listed = await Array.fromAsync(store.list({ actorId: 'kim', path }));
      expect(listed.map((entry) => entry.id)).toEqual([id]);
    }
    expect((await Array.fromAsync(store.list({ actorId: 'kim' }))).length).toBe(14);
  });
});

import { describe, expect, test } from 'vitest';
import { createMemoryTools } from '../src/index.js';
import { callerOf, openStore } from './tool-kit.js';

describe('the tools', () => {
  test('are four, whose arguments hold no actor', async () => {
    const tools = createMemoryTools(await openStore(), { actorId: 'kim' });
    expect(tools.map(({ name, parameters }) => [name, parameters['properties']])).toMatchObject([
      ['search_memory', { query: { type: 'string' } }],
      ['save_memory', { path: {}, content: {}, description: {} }],
      ['list_memories', {}],
      ['forget_memory', { path: { type: 'string' } }],
    ]);
    expect(JSON.stringify(tools)).not.toMatch(/actor/i);
  });

  test('save, find, list and forget', async () => {
    const call = callerOf(await openStore());
    expect(await call('search_memory', { query: 'seat' })).toBe(
      'Nothing is remembered about that.',
    );
    expect(await call('list_memories')).toBe('Nothing is remembered yet.');
    expect(
      await call('save_memory', {
        path: '/preferences/seat',
        content: 'Kim likes a window seat.',
        description: 'Where Kim sits',
      }),
    ).toBe('Saved at /preferences/seat.');
    await call('save_memory', { path: '/preferences/food', content: 'No nuts.' });
    expect(await call('search_memory', { query: 'window seat' })).toContain(
      '\n/preferences/seat: Kim likes a window seat.\n',
    );
    expect(await call('list_memories')).toContain(
      '\n/preferences/food\n/preferences/seat: Where Kim sits\n',
    );
    expect(await call('forget_memory', { path: '/preferences/seat' })).toBe(
      'Forgot /preferences/seat.',
    );
    expect(await call('forget_memory', { path: '/preferences/seat' })).toBe(
      'Nothing is remembered at /preferences/seat.',
    );
    expect(await call('search_memory', { query: 'window seat' })).not.toContain('window');
  });

  test('replace what is at a path', async () => {
    const call = callerOf(await openStore());
    await call('save_memory', { path: '/seat', content: 'window' });
    await call('save_memory', { path: '/seat', content: 'aisle' });
    expect(await call('search_memory', { query: 'aisle' })).toContain('/seat: aisle');
    expect(await call('search_memory', { query: 'window' })).not.toContain('window');
  });

  test('forget a path in every session, and nothing beside or below it', async () => {
    const store = await openStore();
    const call = callerOf(store);
    for (const [path, sessionId] of [['/a', 's1'], ['/a', 's2'], ['/a/b'], ['/ab']] as const) {
      const session = sessionId === undefined ? {} : { sessionId };
      await store.put({ actorId: 'kim', path, content: 'tea', ...session });
    }
    await store.put({ actorId: 'lee', path: '/a', content: 'coffee' });
    expect(await call('forget_memory', { path: '/a' })).toBe('Forgot /a.');
    expect(await call('list_memories')).toContain('\n/a/b\n/ab\n');
    expect(await callerOf(store, { actorId: 'lee' })('list_memories')).toContain('\n/a\n');
  });

  test('give at most ten memories, and name a hundred', async () => {
    const store = await openStore();
    const call = callerOf(store);
    for (let index = 1000; index < 1105; index++) {
      await store.put({ actorId: 'kim', path: `/${index}`, content: `tea number ${index}` });
    }
    const found = await call('search_memory', { query: 'tea' });
    expect(found.match(/: tea number/g)).toHaveLength(10);
    const listed = await call('list_memories');
    expect(listed.match(/^\/\d+$/gm)).toHaveLength(100);
    expect(listed).toContain('And 5 more.');
  });
});

describe('the actor', () => {
  test('is the one that the application bound, whatever the session says', async () => {
    const store = await openStore();
    await callerOf(store)('save_memory', { path: '/a', content: 'tea' }, { actorId: 'lee' });
    expect(await callerOf(store)('list_memories')).toContain('/a');
    expect(await callerOf(store, { actorId: 'lee' })('list_memories')).toMatch(/^Nothing/);
  });

  test('is that of the session where none is bound', async () => {
    const call = callerOf(await openStore(), {});
    await call('save_memory', { path: '/a', content: 'tea' }, { actorId: 'kim' });
    expect(await call('list_memories', {}, { actorId: 'kim' })).toContain('/a');
    expect(await call('list_memories', {}, { actorId: 'lee' })).toMatch(/^Nothing/);
  });

  test('is never nobody', async () => {
    const store = await openStore();
    const call = callerOf(store, {});
    for (const name of ['list_memories', 'search_memory', 'save_memory', 'forget_memory']) {
      const input = {
        search_memory: { query: 'x' },
        save_memory: { path: '/a', content: 'x' },
        forget_memory: { path: '/a' },
      }[name];
      await expect(call(name, input)).rejects.toThrow(/actorId/);
      await expect(call(name, input, { actorId: '' })).rejects.toThrow(/actorId/);
    }
    expect(() => createMemoryTools(store, { actorId: '' })).toThrow(/actorId/);
  });

  test('cannot be chosen by the model', async () => {
    const store = await openStore();
    await store.put({ actorId: 'lee', path: '/secret', content: 'tea' });
    const call = callerOf(store);
    for (const extra of ['actor_id', 'actorId', 'actor']) {
      await expect(call('search_memory', { query: 'tea', [extra]: 'lee' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
    expect(await call('search_memory', { query: 'tea lee secret' })).toMatch(/^Nothing/);
    expect(await call('forget_memory', { path: '/secret' })).toMatch(/^Nothing/);
  });
});

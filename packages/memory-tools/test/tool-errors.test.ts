import { MemoryError, type MemoryStore } from '@minne/core/memory';
import { describe, expect, test } from 'vitest';
import { callerOf, openStore } from './tool-kit.js';

/** A store in which every call fails. */
function failingStore(error: unknown): MemoryStore {
  const fail = () => Promise.reject(error);
  return {
    specificationVersion: 'v1',
    search: fail,
    put: fail,
    delete: fail,
    // biome-ignore lint/correctness/useYield: it fails before it could
    list: async function* () {
      throw error;
    },
  };
}

const calls = [
  ['search_memory', { query: 'tea' }],
  ['save_memory', { path: '/a', content: 'tea' }],
  ['list_memories', {}],
  ['forget_memory', { path: '/a' }],
] as const;

describe('the model is told', () => {
  test.each([
    ['save_memory', { path: 'seat', content: 'x' }, /begin with "\/".*\/preferences\/seat/],
    ['save_memory', { path: '/a/../b', content: 'x' }, /"\.\."/],
    ['save_memory', { path: 'C:\\x', content: 'x' }, /begin with/],
    ['save_memory', { path: `/${'p'.repeat(2000)}`, content: 'x' }, /1024 bytes/],
    ['save_memory', { path: '/a', content: 'x'.repeat(300_000) }, /262144 bytes.*several memories/],
    [
      'save_memory',
      { path: '/a', content: 'x', description: 'd'.repeat(5000) },
      /4096 bytes.*one line/,
    ],
    ['forget_memory', { path: '/' }, /path .* Use a path/],
    ['search_memory', { query: '   ' }, /blank.*few words/],
  ])('what to do when %s cannot take its arguments: %j', async (name, input, message) => {
    const store = await openStore();
    const answer = await callerOf(store)(name, input);
    expect(answer).toMatch(/^Error: /);
    expect(answer).toMatch(message);
    expect(await callerOf(store)('list_memories')).toMatch(/^Nothing/);
  });

  test.each(calls)(
    'when the store fails under %s, but not how it is built',
    async (name, input) => {
      const error = new Error('connect ECONNREFUSED postgres://admin:pw@10.0.0.7');
      const reported: unknown[] = [];
      const call = callerOf(failingStore(error), {
        actorId: 'kim',
        onError: (cause, tool) => reported.push([tool, cause]),
      });
      const answer = await call(name, input);
      expect(answer).toMatch(/^Error: /);
      expect(answer).not.toContain('postgres');
      expect(reported).toEqual([[name, error]]);
    },
  );

  test('whether it may try again', async () => {
    const answerTo = (error: MemoryError) => callerOf(failingStore(error))('list_memories');
    expect(await answerTo(new MemoryError('TEMPORARILY_UNAVAILABLE', 'x'))).toMatch(/later/);
    expect(await answerTo(new MemoryError('PERMISSION_DENIED', 'x'))).toMatch(
      /PERMISSION_DENIED.*without it/,
    );
  });
});

describe('an abort', () => {
  test.each(calls)('ends %s with its reason', async (name, input) => {
    const reason = new Error('the user left');
    const signal = AbortSignal.abort(reason);
    await expect(callerOf(await openStore())(name, input, { signal })).rejects.toBe(reason);
  });

  test('is not mistaken for a failure of the store', async () => {
    const controller = new AbortController();
    const reason = new Error('the user left');
    const store = {
      ...failingStore(undefined),
      search: async () => {
        controller.abort(reason);
        throw new Error('socket closed');
      },
    };
    const call = callerOf(store);
    const context = { signal: controller.signal };
    await expect(call('search_memory', { query: 'tea' }, context)).rejects.toBe(reason);
  });
});

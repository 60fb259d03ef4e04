import type { JsonObject } from '@minne/core';
import { describe, expect, test } from 'vitest';
import { startServerWithStore, type TestServer } from './test-server.js';

const entries = '/memory-stores/notes/entries';

async function startWithMemories(): Promise<TestServer> {
  const server = await startServerWithStore();
  for (const [actor_id, path, content, session_id] of [
    ['kim', '/preferences/seat', 'Kim likes a window seat on trains'],
    ['kim', '/preferences/food', "Kim can't eat nuts"],
    ['kim', '/trips/rome', 'A window in Rome', 's1'],
    ['lee', '/preferences/seat', 'Lee wants a window seat too'],
  ] as const) {
    const body = { actor_id, path, content, ...(session_id === undefined ? {} : { session_id }) };
    await server.call('POST', `${entries}:put`, { body });
  }
  return server;
}

const search = (server: TestServer, members: object) =>
  server.call('POST', `${entries}:search`, { body: { actor_id: 'kim', ...members } });

function paths(body: JsonObject): readonly unknown[] {
  const found = body['managed_memory_entries'];
  if (!Array.isArray(found)) throw new Error('no entries');
  return found.map(({ path }: { path: string }) => path);
}

describe('searching', () => {
  test('gives results with scores, best first, and the same entries beside them', async () => {
    const server = await startWithMemories();
    const { status, body } = await search(server, { query: 'window seat', page_size: 100 });
    expect(status).toBe(200);
    expect(paths(body)).toEqual(['/preferences/seat', '/trips/rome']);
    const results = body['results'];
    if (!Array.isArray(results)) throw new Error('no results');
    expect(results.map((result) => result.managed_memory_entry)).toEqual(
      body['managed_memory_entries'],
    );
    const scores = results.map((result) => result.score);
    expect(scores.every(Number.isFinite)).toBe(true);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
    expect(JSON.stringify(body)).not.toContain('lee');
  });

  test('narrows by session, prefix, size, view and mask', async () => {
    const server = await startWithMemories();
    const query = 'window';
    expect(paths((await search(server, { query, session_id: 's1' })).body)).toEqual([
      '/trips/rome',
    ]);
    expect(paths((await search(server, { query, path_prefix: '/preferences/' })).body)).toEqual([
      '/preferences/seat',
    ]);
    expect(paths((await search(server, { query, page_size: 1 })).body)).toHaveLength(1);
    expect(paths((await search(server, { query, limit: 1 })).body)).toHaveLength(1);
    expect(paths((await search(server, { query, limit: 1, page_size: 1 })).body)).toHaveLength(1);
    const basic = await search(server, { query, view: 'BASIC' });
    expect(basic.text).not.toContain('trains');
    const masked = await search(server, { query, read_mask: 'name,content' });
    expect(masked.text).toContain('trains');
    expect(masked.text).not.toContain('/preferences/seat');
  });

  test('finds nothing for punctuation, and takes a query as text', async () => {
    const server = await startWithMemories();
    for (const query of ['@@@@', '***', '""', '()']) {
      expect(await search(server, { query })).toMatchObject({
        status: 200,
        body: { results: [], managed_memory_entries: [] },
      });
    }
    for (const query of [
      'NEAR(',
      'a AND',
      'col:val',
      '"unclosed',
      "x'; DROP TABLE y",
      '{a}',
      '^x*',
    ]) {
      expect((await search(server, { query })).status).toBe(200);
    }
    expect(paths((await search(server, { query: "can't" })).body)).toEqual(['/preferences/food']);
  });

  test.each([
    ['no query', {}, 'query'],
    ['a blank query', { query: ' \n\u200b' }, 'query'],
    ['null for a query', { query: null }, 'query'],
    ['a query that is too long', { query: 'q'.repeat(8193) }, 'query'],
    ['no actor', { actor_id: undefined, query: 'window' }, 'actor_id'],
    ['two sizes that disagree', { query: 'window', page_size: 5, limit: 6 }, 'limit'],
    ['a size of 0', { query: 'window', page_size: 0 }, 'page_size'],
    ['a size of 101', { query: 'window', page_size: 101 }, 'page_size'],
    ['half a size', { query: 'window', page_size: 1.5 }, 'page_size'],
    ['a size in words', { query: 'window', page_size: '10' }, 'page_size'],
    ['an unknown mode', { query: 'window', mode: 'MAGIC' }, 'mode'],
    ['an unknown view', { query: 'window', view: 'SOME' }, 'view'],
  ])('is refused with %s', async (_name, members, field) => {
    const server = await startServerWithStore();
    expect(await search(server, members)).toMatchObject({
      status: expect.toSatisfy((status) => status === 400 || status === 413),
      body: { error_code: 'INVALID_PARAMETER_VALUE', details: [{ field }] },
    });
  });

  test('says what it cannot do yet instead of answering another question', async () => {
    const server = await startServerWithStore();
    for (const members of [
      { filter: { team: 'red' } },
      { page_token: 'x' },
      { mode: 'SEMANTIC' },
    ]) {
      expect(await search(server, { query: 'window', ...members })).toMatchObject({
        status: 501,
        body: { error_code: 'NOT_IMPLEMENTED' },
      });
    }
  });
});

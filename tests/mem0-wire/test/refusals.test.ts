import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Mem0WireServer, startMem0Wire } from '../src/index.js';

let server: Mem0WireServer;

beforeAll(async () => {
  server = await startMem0Wire({ apiKey: 'm0-test' });
});

afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  key = 'Token m0-test',
): Promise<Answer> {
  const response = await fetch(`${server.host}${path}`, {
    method,
    headers: { authorization: key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const search = (filters: unknown, more: object = {}): Promise<Answer> =>
  call('POST', '/v3/memories/search/', { query: 'red', filters, ...more });

const add = (body: unknown): Promise<Answer> => call('POST', '/v3/memories/add/', body);

const red = [{ role: 'user', content: 'red' }];

describe('a request', () => {
  it.each(['', 'Bearer m0-test', 'Token other', 'm0-test'])(
    'is refused with the key %j',
    async (key) => {
      expect((await call('GET', '/v1/ping/', undefined, key)).status).toBe(401);
    },
  );

  it.each([
    ['POST', '/v1/memories/search/'],
    ['POST', '/v2/memories/search/'],
    ['POST', '/v3/memories/search'],
    ['GET', '/v3/memories/add/'],
  ])('to %s %s finds nothing there', async (method, path) => {
    expect((await call(method, path)).status).toBe(404);
  });
});

describe('a search', () => {
  it.each([
    [undefined, /filters is required/],
    [null, /filters is required/],
    [{}, /filters is required/],
    [[], /filters is required/],
    [{ AND: [] }, /non-empty list/],
    [{ AND: { user_id: 'kim' } }, /non-empty list/],
    [{ AND: ['kim'] }, /a condition must be an object/],
    [{ metadata: { color: 'red' } }, /at least one of/],
    [{ userId: 'kim' }, /unknown field userId/],
    [{ user: 'kim' }, /unknown field user/],
    [{ user_id: '' }, /non-empty string/],
    [{ user_id: null }, /non-empty string/],
    [{ user_id: 7 }, /non-empty string/],
    [{ user_id: { '>': 'kim' } }, /does not take >/],
    [{ user_id: 'kim', metadata: { a: 1, b: 2 } }, /takes one key/],
  ])('is refused with the filters %j', async (filters, reason) => {
    expect(await search(filters)).toEqual({
      status: 400,
      body: { detail: expect.stringMatching(reason) },
    });
  });

  it.each([
    [{ user_id: 'kim' }, /inside filters/],
    [{ topK: 5 }, /no parameter topK/],
    [{ top_k: 0 }, /top_k/],
    [{ top_k: 1_001 }, /top_k/],
    [{ threshold: 2 }, /threshold/],
    [{ query: ' ' }, /query/],
  ])('is refused with %j beside good filters', async (more, reason) => {
    const answer = await search({ user_id: 'kim' }, more);
    expect(answer).toEqual({ status: 400, body: { detail: expect.stringMatching(reason) } });
  });
});

describe('an addition', () => {
  it.each([
    [{ user_id: 'kim' }, /messages/],
    [{ user_id: 'kim', messages: [] }, /messages/],
    [{ user_id: 'kim', messages: [{ role: 'tool', content: 'x' }] }, /role/],
    [{ user_id: 'kim', messages: [{ role: 'user', content: '' }] }, /content/],
    [{ messages: red }, /At least one of/],
    [{ messages: red, userId: 'kim' }, /no parameter userId/],
    [{ messages: red, user_id: ' ' }, /user_id/],
    [{ messages: red, user_id: 'kim', metadata: 'x' }, /metadata/],
    [{ messages: red, user_id: 'kim', infer: 'no' }, /infer/],
  ])('is refused as %j', async (body, reason) => {
    expect(await add(body)).toEqual({
      status: 400,
      body: { detail: expect.stringMatching(reason) },
    });
  });
});

describe('what is kept', () => {
  const found = async (filters: unknown): Promise<number> => {
    const { body } = await search(filters);
    return (body as { readonly results: readonly unknown[] }).results.length;
  };

  it('is the user’s or the agent’s, and both together find none', async () => {
    await add({
      messages: [...red, { role: 'assistant', content: 'red' }],
      user_id: 'u1',
      agent_id: 'a1',
    });
    expect(await found({ AND: [{ user_id: 'u1' }] })).toBe(1);
    expect(await found({ AND: [{ agent_id: 'a1' }] })).toBe(1);
    expect(await found({ AND: [{ user_id: 'u1' }, { agent_id: 'a1' }] })).toBe(0);
    expect(await found({ OR: [{ user_id: 'u1' }, { agent_id: 'a1' }] })).toBe(2);
  });

  it('is found only by the application and the run that it was kept with', async () => {
    await add({
      messages: red,
      user_id: 'u2',
      app_id: 'p',
      run_id: 'r',
      metadata: { color: 'red' },
    });
    expect(await found({ user_id: 'u2' })).toBe(0);
    expect(await found({ AND: [{ user_id: 'u2' }, { app_id: 'p' }] })).toBe(0);
    expect(await found({ AND: [{ user_id: 'u2' }, { app_id: 'p' }, { run_id: 'r' }] })).toBe(1);
    expect(await found({ user_id: { in: ['u2'] }, app_id: '*', run_id: { eq: 'r' } })).toBe(1);
    const rest = [{ user_id: 'u2' }, { app_id: '*' }, { run_id: '*' }];
    expect(await found({ AND: [...rest, { metadata: { color: 'red' } }] })).toBe(1);
    expect(await found({ AND: [...rest, { NOT: [{ metadata: { color: 'red' } }] }] })).toBe(0);
  });

  it('is not found by a wildcard where the field is empty', async () => {
    await add({ messages: red, user_id: 'u3' });
    expect(await found({ AND: [{ user_id: 'u3' }, { run_id: '*' }] })).toBe(0);
  });

  it('is gone when its owner is forgotten, which must be named', async () => {
    await add({ messages: red, user_id: 'u4' });
    await add({ messages: red, user_id: 'u5' });
    expect((await call('DELETE', '/v1/memories/')).status).toBe(400);
    expect((await call('DELETE', '/v1/memories/?user_id=u4')).status).toBe(200);
    expect(await found({ user_id: 'u4' })).toBe(0);
    expect(await found({ user_id: 'u5' })).toBe(1);
  });
});

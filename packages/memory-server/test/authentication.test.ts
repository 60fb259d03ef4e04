import { MemoryError } from '@minne/core/memory';
import { MemoryEngine } from '@minne/memory-engine';
import { SqliteMemoryStorage } from '@minne/memory-sqlite';
import { describe, expect, test } from 'vitest';
import { adminToken, createMemoryServer } from '../src/index.js';
import { startServer, startServerWithStore } from './test-server.js';

const entries = '/memory-stores/notes/entries';
const unauthenticated = { status: 401, body: { error_code: 'UNAUTHENTICATED' } };
const denied = { status: 403, body: { error_code: 'PERMISSION_DENIED' } };

describe('a request', () => {
  test.each([
    ['no token', {}],
    ['a wrong token', { Authorization: 'Bearer wrong' }],
    ['an empty token', { Authorization: 'Bearer ' }],
    ['another scheme', { Authorization: 'Basic YWxtYTphbG1h' }],
    ['a token in front of which something stands', { Authorization: 'x Bearer alma-token' }],
    ['two tokens', { Authorization: 'Bearer alma-token, Bearer admin-token' }],
    ['the token under another name', { 'X-Token': 'alma-token' }],
  ])('with %s is refused before anything else is said', async (_name, headers) => {
    const { call } = await startServerWithStore();
    for (const [method, path] of [
      ['GET', '/memory-stores'],
      ['GET', '/memory-stores/notes'],
      ['POST', `${entries}:search`],
      ['POST', '/memory-stores?managed_memory_store_id=%zz'],
      ['GET', '/nothing/here'],
      ['PUT', '/memory-stores'],
    ] as const) {
      const answer = await call(method, path, { token: null, headers });
      expect(answer).toMatchObject(unauthenticated);
      expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer/);
    }
  });

  test('of somebody without access is refused before it is judged', async () => {
    const server = await startServerWithStore();
    const { body } = await server.call('POST', entries, { body: { actor_id: 'kim', path: '/a' } });
    const entry = `/${body['name']}`;
    for (const token of ['boris-token', 'admin-token']) {
      for (const [method, path] of [
        ['GET', `${entries}?actor_id=kim`],
        ['GET', `${entries}?page_size=x`],
        ['GET', `${entries}/nobody`],
        ['GET', entry],
        ['POST', entries],
        ['POST', `${entries}:put`],
        ['POST', `${entries}:search`],
        ['PATCH', `${entry}?update_mask=*`],
        ['DELETE', entry],
      ] as const) {
        const sent = method === 'POST' || method === 'PATCH' ? { body: { actor_id: 5 } } : {};
        const answer = await server.call(method, path, { token, ...sent });
        expect(answer).toMatchObject(denied);
        expect(answer.text).not.toContain('kim');
      }
    }
  });

  test('on a store that does not exist finds nothing', async () => {
    const { call } = await startServer();
    expect(await call('POST', `${entries}:search`, { body: {} })).toMatchObject({
      status: 404,
      body: { error_code: 'NOT_FOUND' },
    });
  });

  test('that changes a store needs its creator or an administrator', async () => {
    const { call } = await startServerWithStore();
    const change = { body: { description: 'mine' } };
    for (const mask of ['description', '*']) {
      expect(
        await call('PATCH', `/memory-stores/notes?update_mask=${mask}`, {
          token: 'boris-token',
          ...change,
        }),
      ).toMatchObject(denied);
    }
    expect(await call('DELETE', '/memory-stores/notes', { token: 'boris-token' })).toMatchObject(
      denied,
    );
    const path = '/memory-stores/notes?update_mask=description';
    expect(await call('PATCH', path, { token: 'admin-token', ...change })).toMatchObject({
      status: 200,
    });
  });
});

describe('authenticate', () => {
  test('may refuse with an error of its own, and fail without telling why', async () => {
    const { call, failures } = await startServer({
      authenticate: async (token) => {
        if (token === 'slow-down')
          throw new MemoryError('RESOURCE_EXHAUSTED', 'Too many requests.');
        throw new Error('the directory at ldap://10.0.0.7 is down');
      },
    });
    const limited = await call('GET', '/memory-stores', { token: 'slow-down' });
    expect(limited).toMatchObject({ status: 429, body: { error_code: 'RESOURCE_EXHAUSTED' } });
    expect(limited.headers.get('Retry-After')).toBe('1');
    const failed = await call('GET', '/memory-stores');
    expect(failed).toMatchObject({ status: 500, body: { error_code: 'INTERNAL_ERROR' } });
    expect(failed.text).not.toContain('ldap');
    expect(failures).toMatchObject([{ message: expect.stringContaining('ldap') }]);
  });

  test('cannot be left out', () => {
    const engine = new MemoryEngine({ storage: new SqliteMemoryStorage({ path: ':memory:' }) });
    // @ts-expect-error: what a caller without types may do
    expect(() => createMemoryServer(engine, {})).toThrow(/adminToken/);
  });
});

describe('adminToken', () => {
  const request = new Request('http://localhost/');

  test('accepts its token and no other', async () => {
    const authenticate = adminToken('correct-horse', { name: 'operator' });
    expect(await authenticate('correct-horse', request)).toEqual({
      name: 'operator',
      isAdmin: true,
    });
    for (const token of ['correct-hors', 'correct-horse2', 'CORRECT-HORSE', '']) {
      expect(await authenticate(token, request)).toBeUndefined();
    }
  });

  test.each(['', ' ', 'two words', 'tökn', 'line\n'])('refuses to be made of %j', (token) => {
    expect(() => adminToken(token)).toThrow(/visible ASCII/);
  });

  test('refuses a variable of the environment that is not set', () => {
    // @ts-expect-error: what a caller without types may do
    expect(() => adminToken(undefined)).toThrow(/visible ASCII/);
  });
});

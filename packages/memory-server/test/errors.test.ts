import { StoreError } from '@minne/core';
import { errorBodySchema } from '@minne/core/memory';
import { MemoryEngine } from '@minne/memory-engine';
import { SqliteMemoryStorage } from '@minne/memory-sqlite';
import { describe, expect, test, vi } from 'vitest';
import { startServer, startServerWithStore } from './test-server.js';

describe('an address', () => {
  test.each([
    '/nothing',
    '/memory-stores/',
    '/memory-stores/notes/entries/e1/more',
    '/memory-stores/notes/entriesx',
  ])('that does not exist is answered in the shape of errors: %s', async (path) => {
    const { call } = await startServerWithStore();
    const { status, body, headers } = await call('GET', path);
    expect({ status, body: errorBodySchema.parse(body) }).toMatchObject({
      status: 404,
      body: { error_code: 'NOT_FOUND' },
    });
    expect(headers.get('Content-Type')).toBe('application/json');
  });

  test('outside of the API is answered in the same shape', async () => {
    const { url } = await startServer();
    const response = await fetch(`${url}/`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error_code: 'NOT_FOUND' });
  });

  test.each([
    ['PUT', '/memory-stores', 'GET, POST'],
    ['OPTIONS', '/memory-stores/notes', 'GET, PATCH, DELETE'],
    ['GET', '/memory-stores/notes/entries:search', 'POST'],
    ['POST', '/memory-stores/notes/entries/e1', 'GET, PATCH, DELETE'],
  ])('does not take %s %s', async (method, path, allowed) => {
    const { call } = await startServerWithStore();
    const answer = await call(method, path);
    expect(answer).toMatchObject({ status: 405, body: { error_code: 'INVALID_PARAMETER_VALUE' } });
    expect(answer.headers.get('Allow')).toBe(allowed);
  });

  test.each([
    ['POST', '/memory-stores/notes:undelete'],
    ['GET', '/memory-stores/notes/permissions'],
    ['POST', '/memory-stores/notes/permissions:grant'],
    ['POST', '/memory-stores/notes/entries:batch'],
    ['GET', '/memory-stores/notes/entries/e1/revisions'],
    ['POST', '/memory-stores/notes/entries/e1:restore'],
    ['POST', '/memory-stores/notes/actors/kim:erase'],
    ['POST', '/tokens'],
    ['POST', '/session-stores/s/sessions/x/items:append'],
    ['POST', '/memory-pipelines/p/run'],
  ])('of the API that comes later says so: %s %s', async (method, path) => {
    const { call, failures } = await startServerWithStore();
    expect(await call(method, path)).toMatchObject({
      status: 501,
      body: { error_code: 'NOT_IMPLEMENTED' },
    });
    expect(failures).toEqual([]);
  });
});

describe('a failure inside', () => {
  /** An engine whose storage fails on the way to the stores. */
  function failingEngine(error: Error): MemoryEngine {
    const storage = new SqliteMemoryStorage({ path: ':memory:' });
    const engine = new MemoryEngine({ storage });
    vi.spyOn(engine, 'getStore').mockRejectedValue(error);
    return engine;
  }

  test('is reported, and tells the caller nothing', async () => {
    const error = new Error('SELECT * FROM secrets failed at /srv/data/memory.db');
    const { call, failures } = await startServer({ engine: failingEngine(error) });
    const { status, text, body } = await call('GET', '/memory-stores/notes');
    expect({ status, code: body['error_code'] }).toEqual({ status: 500, code: 'INTERNAL_ERROR' });
    expect(text).not.toMatch(/SELECT|srv|at /);
    expect(failures).toEqual([error]);
  });

  test('of a storage that will come back invites the caller to try again', async () => {
    const error = new StoreError('database is locked: /srv/data', { retryable: true });
    const { call, failures } = await startServer({ engine: failingEngine(error) });
    const answer = await call('GET', '/memory-stores/notes');
    expect(answer).toMatchObject({ status: 503, body: { error_code: 'TEMPORARILY_UNAVAILABLE' } });
    expect(answer.headers.get('Retry-After')).toBe('1');
    expect(answer.text).not.toContain('srv');
    expect(failures).toEqual([error]);
  });

  test('is answered even when the reporter fails', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const error = new Error('broken');
    const { call } = await startServer({
      engine: failingEngine(error),
      onError: () => {
        throw new Error('reporter broken');
      },
    });
    expect((await call('GET', '/memory-stores/notes')).status).toBe(500);
    expect(written).toHaveBeenCalledTimes(2);
    written.mockRestore();
  });
});

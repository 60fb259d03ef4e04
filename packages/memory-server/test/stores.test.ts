import { describe, expect, test } from 'vitest';
import { startServer, startServerWithStore } from './test-server.js';

describe('memory stores', () => {
  test('are created, shown, changed and deleted', async () => {
    const { call } = await startServer();
    const created = await call('POST', '/memory-stores?managed_memory_store_id=notes', {
      body: { display_name: 'notes', description: 'What we know', metadata: { team: 'red' } },
    });
    expect(created.status).toBe(200);
    expect(created.body).toMatchObject({
      name: 'memory-stores/notes',
      display_name: 'notes',
      description: 'What we know',
      metadata: { team: 'red' },
      creator_user_id: 'alma',
      owner_user_id: 'alma',
      create_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/),
    });
    expect((await call('GET', '/memory-stores/notes')).body).toEqual(created.body);

    const changed = await call('PATCH', '/memory-stores/notes?update_mask=description', {
      body: { description: 'Changed', metadata: { team: 'not in the mask' } },
    });
    expect(changed.body).toMatchObject({ description: 'Changed', metadata: { team: 'red' } });

    expect(await call('DELETE', '/memory-stores/notes')).toMatchObject({ status: 200, text: '{}' });
    expect(await call('GET', '/memory-stores/notes')).toMatchObject({
      status: 404,
      body: { error_code: 'NOT_FOUND' },
    });
    expect(await call('DELETE', '/memory-stores/notes')).toMatchObject({ status: 404 });
  });

  test('need no body to be created, and an id', async () => {
    const { call } = await startServer();
    expect((await call('POST', '/memory-stores?managed_memory_store_id=plain')).status).toBe(200);
    expect(await call('POST', '/memory-stores', { body: { display_name: 'plain' } })).toMatchObject(
      {
        status: 400,
        body: {
          error_code: 'INVALID_PARAMETER_VALUE',
          details: [{ field: 'managed_memory_store_id' }],
        },
      },
    );
    for (const id of ['', 'ab', 'Notes', '1abc', 'abc-', 'a'.repeat(57), '%00abc', 'a/b', '..']) {
      const path = `/memory-stores?managed_memory_store_id=${encodeURIComponent(id)}`;
      expect(await call('POST', path, { body: {} })).toMatchObject({ status: 400 });
    }
  });

  test('exist once under an id', async () => {
    const { call } = await startServerWithStore();
    expect(
      await call('POST', '/memory-stores?managed_memory_store_id=notes', { token: 'boris-token' }),
    ).toMatchObject({ status: 409, body: { error_code: 'ALREADY_EXISTS' } });
  });

  test('are cleared of what the mask names and the body leaves out', async () => {
    const { call } = await startServer();
    await call('POST', '/memory-stores?managed_memory_store_id=notes', {
      body: { description: 'What we know', metadata: { team: 'red' } },
    });
    const { body } = await call('PATCH', '/memory-stores/notes?update_mask=description,metadata', {
      body: {},
    });
    expect(body).not.toHaveProperty('description');
    expect(body).toMatchObject({ metadata: {} });
  });

  test.each([
    '',
    '?update_mask=',
    '?update_mask=*',
    '?update_mask=name',
    '?update_mask=description,',
    '?update_mask=Description',
  ])('refuse an update under %j', async (query) => {
    const { call } = await startServerWithStore();
    expect(
      await call('PATCH', `/memory-stores/notes${query}`, { body: { description: 'x' } }),
    ).toMatchObject({
      status: 400,
      body: { error_code: 'INVALID_PARAMETER_VALUE', details: [{ field: 'update_mask' }] },
    });
  });

  test('are listed in pages, for every caller', async () => {
    const { call } = await startServer();
    for (const id of ['store-a', 'store-b', 'store-c']) {
      await call('POST', `/memory-stores?managed_memory_store_id=${id}`);
    }
    const names: unknown[] = [];
    let token = '';
    do {
      const { body } = await call('GET', `/memory-stores?page_size=2&page_token=${token}`, {
        token: 'boris-token',
      });
      names.push(body['managed_memory_stores']);
      token = encodeURIComponent(String(body['next_page_token'] ?? ''));
    } while (token !== '');
    expect(names).toMatchObject([
      [{ display_name: 'store-a' }, { display_name: 'store-b' }],
      [{ display_name: 'store-c' }],
    ]);
  });

  test.each(['0', '-1', '101', '1.5', '1e1', '0x10', ' 5', '', '١', '99999999999999999999'])(
    'refuse a page size of %j',
    async (size) => {
      const { call } = await startServer();
      expect(
        await call('GET', `/memory-stores?page_size=${encodeURIComponent(size)}`),
      ).toMatchObject({ status: 400, body: { details: [{ field: 'page_size' }] } });
    },
  );

  test('refuse a page token that nobody gave out', async () => {
    const { call } = await startServer();
    expect(await call('GET', '/memory-stores?page_token=made-up')).toMatchObject({
      status: 400,
      body: { error_code: 'INVALID_PARAMETER_VALUE' },
    });
  });

  test('take __proto__ for a key like any other', async () => {
    const { call, url } = await startServer();
    const created = await fetch(
      `${url}/api/2.0/agents/memory-stores?managed_memory_store_id=notes`,
      {
        method: 'POST',
        headers: { Authorization: 'Bearer alma-token', 'Content-Type': 'application/json' },
        body: '{"__proto__":{"description":"polluted"},"metadata":{"__proto__":"kept","constructor":"too"}}',
      },
    );
    expect(created.status).toBe(200);
    const { text, body } = await call('GET', '/memory-stores/notes');
    expect(text).toContain('"__proto__":"kept"');
    expect(body).not.toHaveProperty('description');
  });

  test('answer under the alias of the base', async () => {
    const { url } = await startServerWithStore();
    const response = await fetch(`${url}/api/agents/v1/memory-stores/notes`, {
      headers: { Authorization: 'bearer alma-token' },
    });
    expect(await response.json()).toMatchObject({ name: 'memory-stores/notes' });
  });
});

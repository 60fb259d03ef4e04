import { describe, expect, test } from 'vitest';
import { startServerWithStore, type TestServer } from './test-server.js';

const entries = '/memory-stores/notes/entries';
const seat = { actor_id: 'kim', path: '/preferences/seat', content: 'window', description: 'Seat' };
const query = (members: Record<string, string>) => `?${new URLSearchParams(members)}`;

async function create(server: TestServer, entry: object = seat): Promise<string> {
  const { status, body } = await server.call('POST', entries, { body: entry });
  expect(status).toBe(200);
  return `/${String(body['name'])}`;
}

async function listedPaths(server: TestServer, members: Record<string, string>) {
  const { body } = await server.call('GET', `${entries}${query(members)}`);
  const listed = body['managed_memory_entries'];
  if (!Array.isArray(listed)) throw new Error(`no list: ${JSON.stringify(body)}`);
  return listed.map(({ path }: { path: string }) => path);
}

describe('creating an entry', () => {
  test('gives it back whole', async () => {
    const { call } = await startServerWithStore();
    const { status, body } = await call('POST', entries, {
      body: {
        ...seat,
        session_id: 's1',
        metadata: { from: 'chat' },
        source_type: 'MANAGED_MEMORY_ENTRY_SOURCE_TYPE_DREAMER',
        expire_time: '2999-01-01T00:00:00Z',
        write_mode: 'ignored',
      },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: expect.stringMatching(/^memory-stores\/notes\/entries\/[^/]+$/),
      ...seat,
      session_id: 's1',
      metadata: { from: 'chat' },
      source_type: 'MANAGED_MEMORY_ENTRY_SOURCE_TYPE_DREAMER',
      content_sha256: '44ff7b02c80d38b26dd6aa31d9470aed81b32e10331a3c994fb1a9945fd847ba',
      revision: 1,
    });
  });

  test('is refused where there is one already, and names it', async () => {
    const server = await startServerWithStore();
    const name = (await create(server)).slice(1);
    expect(
      await server.call('POST', entries, { body: { ...seat, content: 'aisle' } }),
    ).toMatchObject({
      status: 409,
      body: { error_code: 'ALREADY_EXISTS', details: [{ managed_memory_entry: name }] },
    });
    expect((await server.call('GET', `/${name}`)).body).toMatchObject({ content: 'window' });
  });

  test('takes an id, once', async () => {
    const { call } = await startServerWithStore();
    const path = `${entries}?managed_memory_entry_id=seat-1`;
    expect((await call('POST', path, { body: seat })).body).toMatchObject({
      name: 'memory-stores/notes/entries/seat-1',
    });
    expect(await call('POST', path, { body: { ...seat, path: '/other' } })).toMatchObject({
      status: 409,
      body: { error_code: 'ALREADY_EXISTS' },
    });
  });

  test.each([
    ['no actor', { path: '/a' }, 'actor_id'],
    ['no path', { actor_id: 'kim' }, 'path'],
    ['a relative path', { actor_id: 'kim', path: 'a' }, 'path'],
    ['a path that climbs', { actor_id: 'kim', path: '/a/../b' }, 'path'],
    ['a Windows path', { actor_id: 'kim', path: 'C:\\x' }, 'path'],
    ['an empty session', { actor_id: 'kim', path: '/a', session_id: '' }, 'session_id'],
    ['a number for content', { actor_id: 'kim', path: '/a', content: 5 }, 'content'],
    ['null for content', { actor_id: 'kim', path: '/a', content: null }, 'content'],
    ['an unknown source', { actor_id: 'kim', path: '/a', source_type: 'HUMAN' }, 'source_type'],
    ['half a character', { actor_id: 'kim', path: '/a\ud800' }, 'path'],
    ['metadata that is no map', { actor_id: 'kim', path: '/a', metadata: { a: 1 } }, 'metadata'],
  ])('is refused with %s', async (_name, body, field) => {
    const { call, failures } = await startServerWithStore();
    expect(await call('POST', entries, { body })).toMatchObject({
      status: 400,
      body: { error_code: 'INVALID_PARAMETER_VALUE', details: [{ field }] },
    });
    expect(failures).toEqual([]);
  });

  test('is refused with 413 when a member is too long, and tells the limit', async () => {
    const { call } = await startServerWithStore();
    for (const [field, value] of [
      ['path', `/${'p'.repeat(1024)}`],
      ['actor_id', 'a'.repeat(257)],
      ['content', 'é'.repeat(131_073)],
      ['description', 'd'.repeat(4097)],
    ] as const) {
      expect(await call('POST', entries, { body: { ...seat, [field]: value } })).toMatchObject({
        status: 413,
        body: {
          error_code: 'INVALID_PARAMETER_VALUE',
          message: expect.stringMatching(/longer than \d+ bytes/),
          details: [{ field }],
        },
      });
    }
  });

  test('keeps actors apart whose names look alike in a pattern', async () => {
    const server = await startServerWithStore();
    const actors = ['kim_a', 'kim-a', 'kimXa', 'kim%', 'キム🎏', 'kim/a', 'a:b', ' kim'];
    for (const actor_id of actors) await create(server, { ...seat, actor_id, path: '/only' });
    for (const actor_id of actors) {
      const { body } = await server.call('GET', `${entries}${query({ actor_id })}`);
      expect(body['managed_memory_entries']).toMatchObject([{ actor_id }]);
    }
  });
});

describe('reading entries', () => {
  test('leaves the content out of the basic view', async () => {
    const server = await startServerWithStore();
    const path = await create(server);
    expect((await server.call('GET', `${path}?view=BASIC`)).body).not.toHaveProperty('content');
    expect((await server.call('GET', `${path}?view=FULL`)).body).toMatchObject(seat);
    const { body } = await server.call('GET', `${entries}?actor_id=kim&view=BASIC`);
    expect(JSON.stringify(body)).toContain('Seat');
    expect(JSON.stringify(body)).not.toContain('window');
    expect(await server.call('GET', `${path}?view=basic`)).toMatchObject({
      status: 400,
      body: { details: [{ field: 'view' }] },
    });
  });

  test('gives the members that a read mask names, and the name', async () => {
    const server = await startServerWithStore();
    const path = await create(server);
    const name = path.slice(1);
    expect((await server.call('GET', `${path}?read_mask=path,content`)).body).toEqual({
      name,
      path: '/preferences/seat',
      content: 'window',
    });
    const listed = await server.call('GET', `${entries}?actor_id=kim&read_mask=description`);
    expect(listed.body).toEqual({ managed_memory_entries: [{ name, description: 'Seat' }] });
    expect(await server.call('GET', `${path}?read_mask=password`)).toMatchObject({ status: 400 });
  });

  test('finds by exact path in every session, and by prefix', async () => {
    const server = await startServerWithStore();
    for (const entry of [
      { actor_id: 'kim', path: '/a' },
      { actor_id: 'kim', path: '/a', session_id: 's1' },
      { actor_id: 'kim', path: '/a/b' },
      { actor_id: 'kim', path: '/ab' },
      { actor_id: 'lee', path: '/a' },
    ]) {
      await create(server, entry);
    }
    expect(await listedPaths(server, { actor_id: 'kim', path: '/a' })).toEqual(['/a', '/a']);
    expect(await listedPaths(server, { actor_id: 'kim', path: '/a', session_id: 's9' })).toEqual([
      '/a',
      '/a',
    ]);
    expect(await listedPaths(server, { actor_id: 'kim', path_prefix: '/a/' })).toEqual(['/a/b']);
    expect(await listedPaths(server, { actor_id: 'kim', path_prefix: '/a' })).toEqual([
      '/a',
      '/a',
      '/a/b',
      '/ab',
    ]);
    expect(await listedPaths(server, { actor_id: 'kim', session_id: 's1' })).toEqual(['/a']);
    expect(await listedPaths(server, { actor_id: 'kim', path_prefix: '/%' })).toEqual([]);
    expect(await listedPaths(server, { actor_id: 'nobody' })).toEqual([]);
  });

  test.each([
    ['no actor', ''],
    ['a path beside a prefix', '?actor_id=kim&path=/a&path_prefix=/'],
    ['an empty session', '?actor_id=kim&session_id='],
    ['a name that comes twice', '?actor_id=kim&actor_id=lee'],
    ['a query that is not UTF-8', '?actor_id=%ff'],
    ['a broken escape', '?actor_id=%zz'],
  ])('refuses a list with %s', async (_name, search) => {
    const { call } = await startServerWithStore();
    expect(await call('GET', `${entries}${search}`)).toMatchObject({
      status: 400,
      body: { error_code: 'INVALID_PARAMETER_VALUE' },
    });
  });

  test('pages without gaps, and binds the token to the filter', async () => {
    const server = await startServerWithStore();
    for (let index = 10; index < 35; index++)
      await create(server, { actor_id: 'kim', path: `/${index}` });
    const seen: unknown[] = [];
    let token: unknown;
    do {
      const { body } = await server.call(
        'GET',
        `${entries}${query({ actor_id: 'kim', ...(token === undefined ? {} : { page_token: String(token) }) })}`,
      );
      const page = body['managed_memory_entries'];
      if (!Array.isArray(page)) throw new Error('no page');
      expect(page.length).toBeLessThanOrEqual(10);
      seen.push(...page.map(({ path }: { path: string }) => path));
      token = body['next_page_token'];
      if (token !== undefined) {
        const other = query({ actor_id: 'lee', page_token: String(token) });
        expect(await server.call('GET', `${entries}${other}`)).toMatchObject({ status: 400 });
      }
    } while (token !== undefined);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => `/${index + 10}`));
  });

  test('answers 404 for ids that nobody has, however they are spelt', async () => {
    const { call } = await startServerWithStore();
    for (const id of ['nobody', 'a%2Fb', '%2e%2e%2f', '%252F', 'caf%C3%A9', '__proto__', "x'--"]) {
      expect(await call('GET', `${entries}/${id}`)).toMatchObject({
        status: 404,
        body: { error_code: 'NOT_FOUND' },
      });
    }
    for (const id of ['%zz', '%ff', '%']) {
      expect(await call('GET', `${entries}/${id}`)).toMatchObject({
        status: 400,
        body: { error_code: 'INVALID_PARAMETER_VALUE' },
      });
    }
  });
});

describe('changing an entry', () => {
  test('touches what the mask names and nothing else', async () => {
    const server = await startServerWithStore();
    const path = await create(server);
    const changed = await server.call('PATCH', `${path}?update_mask=content`, {
      body: { content: 'aisle', description: 'not in the mask', path: '/elsewhere' },
    });
    expect(changed.body).toMatchObject({ ...seat, content: 'aisle', revision: 2 });
    const cleared = await server.call('PATCH', `${path}?update_mask=description`, { body: {} });
    expect(cleared.body).toMatchObject({ content: 'aisle' });
    expect(cleared.body).not.toHaveProperty('description');
  });

  test.each([
    '',
    '*',
    'path',
    'actor_id',
    'content,',
    'content,path',
    'nothing',
    'content description',
  ])('is refused under the mask %j', async (mask) => {
    const server = await startServerWithStore();
    const path = await create(server);
    expect(
      await server.call('PATCH', `${path}${query({ update_mask: mask })}`, { body: seat }),
    ).toMatchObject({ status: 400, body: { details: [{ field: 'update_mask' }] } });
    expect((await server.call('PATCH', path, { body: seat })).status).toBe(400);
  });

  test('is refused when the content is no longer what the caller saw', async () => {
    const server = await startServerWithStore();
    const path = await create(server);
    const { body } = await server.call('GET', path);
    const precondition = { content_sha256: body['content_sha256'] };
    const update = (content: string) =>
      server.call('PATCH', `${path}?update_mask=content`, { body: { content, precondition } });
    expect((await update('aisle')).status).toBe(200);
    const lost = { status: 409, body: { error_code: 'ABORTED' } };
    expect(await update('middle')).toMatchObject(lost);
    expect(await server.call('DELETE', path, { body: { precondition } })).toMatchObject(lost);
    expect((await server.call('GET', path)).body).toMatchObject({ content: 'aisle' });
  });

  test('ends with its deletion', async () => {
    const server = await startServerWithStore();
    const path = await create(server);
    expect(await server.call('DELETE', path)).toMatchObject({ status: 200, text: '{}' });
    for (const method of ['DELETE', 'GET']) {
      expect(await server.call(method, path)).toMatchObject({
        status: 404,
        body: { error_code: 'NOT_FOUND' },
      });
    }
  });
});

describe('putting an entry', () => {
  const put = `${entries}:put`;

  test('writes it whether or not there was one', async () => {
    const { call } = await startServerWithStore();
    const first = await call('POST', put, { body: seat });
    const second = await call('POST', put, {
      body: { ...seat, content: 'aisle', mode: 'REPLACE' },
    });
    expect(second.body).toMatchObject({ name: first.body['name'], content: 'aisle', revision: 2 });
    const third = await call('POST', put, { body: { ...seat, content: 'or so', mode: 'APPEND' } });
    expect(third.body).toMatchObject({ content: 'aisle\nor so' });
    expect(await call('POST', put, { body: { ...seat, mode: 'MERGE' } })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'mode' }] },
    });
  });

  test('holds to its precondition, unless the result is there already', async () => {
    const { call } = await startServerWithStore();
    const body = { ...seat, precondition: { content_sha256: null } };
    expect((await call('POST', put, { body })).status).toBe(200);
    expect((await call('POST', put, { body })).status).toBe(200);
    expect(await call('POST', put, { body: { ...body, content: 'aisle' } })).toMatchObject({
      status: 409,
      body: { error_code: 'ABORTED' },
    });
  });

  test('of ten at once leaves one entry', async () => {
    const server = await startServerWithStore();
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        server.call('POST', put, { body: { ...seat, content: `line ${index}`, mode: 'APPEND' } }),
      ),
    );
    const { body } = await server.call('GET', `${entries}?actor_id=kim`);
    const [entry, ...others] = Array.isArray(body['managed_memory_entries'])
      ? body['managed_memory_entries']
      : [];
    expect(others).toEqual([]);
    expect(String(entry.content).split('\n')).toHaveLength(10);
  });
});

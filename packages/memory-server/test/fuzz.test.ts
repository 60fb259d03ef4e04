import { connect } from 'node:net';
import { errorBodySchema, memoryErrorStatus } from '@minne/core/memory';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { basePath, startServerWithStore, type TestServer } from './test-server.js';

/** Statuses that a request may cause. None of them says that the server failed. */
const documented = new Set([200, 400, 401, 403, 404, 405, 409, 413, 501]);

const json = 'application/json';

const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('__proto__', 'constructor', '..', '%', '*', '_', '/', '\0', '💡', '{}', '', '-1'),
);
const encode = (text: string) => encodeURIComponent(text.toWellFormed());

/** Calls that would succeed, before members of their query and body are replaced. */
const aims = [
  { method: 'POST', path: '/memory-stores', query: { managed_memory_store_id: 'other' } },
  { method: 'GET', path: '/memory-stores', query: { page_size: '5' } },
  { method: 'GET', path: '/memory-stores/notes', query: {} },
  { method: 'PATCH', path: '/memory-stores/notes', query: { update_mask: 'metadata' } },
  { method: 'DELETE', path: '/memory-stores/none', query: {} },
  { method: 'POST', path: '/memory-stores/notes/entries', query: {} },
  { method: 'GET', path: '/memory-stores/notes/entries', query: { actor_id: 'kim' } },
  { method: 'GET', path: '/memory-stores/notes/entries/e1', query: { view: 'BASIC' } },
  { method: 'PATCH', path: '/memory-stores/notes/entries/e1', query: { update_mask: 'content' } },
  { method: 'DELETE', path: '/memory-stores/notes/entries/e2', query: {} },
  { method: 'POST', path: '/memory-stores/notes/entries:search', query: {} },
  { method: 'POST', path: '/memory-stores/notes/entries:put', query: {} },
] as const;
const validBody = { actor_id: 'kim', path: '/a', content: 'tea', query: 'tea' };

const queryNames = [
  'managed_memory_store_id',
  'managed_memory_entry_id',
  'actor_id',
  'session_id',
  'path',
  'path_prefix',
  'page_size',
  'page_token',
  'view',
  'read_mask',
  'update_mask',
  '__proto__',
];
const bodyNames = [
  ...Object.keys(validBody),
  'description',
  'metadata',
  'session_id',
  'page_size',
  'limit',
  'mode',
  'precondition',
  'expire_time',
  'source_type',
  'path_prefix',
  'view',
  'read_mask',
  '__proto__',
];
const queryValue = fc.oneof(
  fc.constantFrom('kim', '/a', 'content', 'description,metadata', 'BASIC', '5', 'notes'),
  odd,
);
const bodyValue = fc.oneof(
  fc.constantFrom('kim', '/b', 'APPEND', 'FULL', '2999-01-01T00:00:00Z', 5, null),
  odd,
  fc.dictionary(odd, odd, { maxKeys: 3 }),
  fc.record({ content_sha256: fc.oneof(fc.constant(null), fc.constant('a'.repeat(64)), odd) }),
  fc.jsonValue({ maxDepth: 3 }),
);

const aimedRequest = fc
  .record({
    aim: fc.constantFrom(...aims),
    query: fc.array(fc.tuple(fc.constantFrom(...queryNames), queryValue), { maxLength: 2 }),
    body: fc.array(fc.tuple(fc.constantFrom(...bodyNames), bodyValue), { maxLength: 2 }),
  })
  .map(({ aim, query, body }) => {
    const pairs = Object.entries({ ...aim.query, ...Object.fromEntries(query) });
    return {
      method: aim.method,
      target: `${aim.path}?${pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&')}`,
      body: JSON.stringify(Object.fromEntries([...Object.entries(validBody), ...body])),
      type: json,
      token: 'alma-token',
    };
  });

const segment = fc.oneof(
  fc.constantFrom('memory-stores', 'notes', 'entries', 'e1', 'entries:search', 'entries:batch'),
  fc.constantFrom('permissions', 'tokens', '%zz', '%ff', '%2F', '..', ''),
  odd.map(encode),
);
const wildRequest = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'HEAD'),
  target: fc
    .tuple(
      fc.array(segment, { maxLength: 5 }),
      fc.oneof(odd.map(encode), odd, fc.constant('a=%ff')),
    )
    .map(([segments, query]) => `/${segments.join('/')}?${query}`),
  body: fc.oneof(fc.json(), fc.string({ unit: 'binary' })),
  type: fc.constantFrom(json, 'text/plain'),
  token: fc.constantFrom('alma-token', 'boris-token', 'wrong'),
});

test('whatever is sent, the answer is a documented one', async () => {
  const server = await startServerWithStore();
  await server.call('POST', '/memory-stores/notes/entries?managed_memory_entry_id=e1', {
    body: { actor_id: 'kim', path: '/a', content: 'tea' },
  });
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 4, arbitrary: aimedRequest }, wildRequest),
      async (sent) => {
        const hasBody = !['GET', 'HEAD'].includes(sent.method);
        const response = await fetch(`${server.url}${basePath}${sent.target}`, {
          method: sent.method,
          headers: { Authorization: `Bearer ${sent.token}`, 'Content-Type': sent.type },
          ...(hasBody ? { body: sent.body } : {}),
          signal: AbortSignal.timeout(5_000),
        });
        const text = await response.text();
        seen.add(response.status);
        expect(documented).toContain(response.status);
        if (sent.method !== 'HEAD' && response.status !== 200) {
          const { error_code } = errorBodySchema.parse(JSON.parse(text));
          expect(Object.keys(memoryErrorStatus)).toContain(error_code);
        }
      },
    ),
    { numRuns: 300 },
  );
  // What only ever met one wall would have tested nothing behind it.
  expect([...seen]).toEqual(expect.arrayContaining([200, 400, 404]));
  await expectAlive(server);
}, 60_000);

test('lines that are not HTTP do not harm the server', async () => {
  const server = await startServerWithStore();
  for (const line of [
    'GET',
    '\0\0\0\0',
    'GET / HTTP/9.9\r\n\r\n',
    'GET http:// HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
    'GET /\\x HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello',
    `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  ]) {
    await sendLine(server.url, line);
  }
  await expectAlive(server);
});

async function expectAlive(server: TestServer): Promise<void> {
  expect((await server.call('GET', '/memory-stores')).status).toBe(200);
  expect(server.failures).toEqual([]);
}

/** Sends bytes, half-closes, and waits for the server to be done with them. */
async function sendLine(url: string, line: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const closed = Promise.withResolvers<void>();
  socket.on('error', () => socket.destroy());
  socket.once('close', () => closed.resolve());
  socket.resume();
  socket.end(line);
  await closed.promise;
}

import { connect, type Socket } from 'node:net';
import { errorBodySchema } from '@minne/core/memory';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../src/node.js';
import { basePath, startServer, startServerWithStore } from './test-server.js';

const authorization = 'Authorization: Bearer alma-token';
const get = (path: string) =>
  `GET ${basePath}${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`;
const post = (path: string, body: string, ...headers: readonly string[]) =>
  [
    `POST ${basePath}${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...headers,
    '',
    body,
  ].join('\r\n');
const entries = '/memory-stores/notes/entries';
const entry = '{"actor_id":"kim","path":"/a"}';

/** A connection, and what came back so far. */
function open(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => {
    socket.destroy();
  });
  const received = { text: '' };
  socket.on('data', (text) => {
    received.text += text;
  });
  socket.on('error', () => socket.destroy());
  return { socket, received, closed: closeOf(socket) };
}

function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
  });
}

const statuses = (text: string) =>
  Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, code]) => code);

describe('what Node cannot read as a request', () => {
  test.each([
    ['a line of nonsense', 'hello\r\n\r\n', 400],
    ['an unknown method', `FETCH / HTTP/1.1\r\nHost: localhost\r\n\r\n`, 400],
    ['a negative length', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n', 400],
    [
      'a header of 20 KB',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
    ['3,000 headers', `GET / HTTP/1.1\r\nHost: localhost\r\n${'a: 1\r\n'.repeat(3000)}\r\n`, 431],
    ['a page token of 20 KB', get(`/memory-stores?page_token=${'x'.repeat(20_000)}`), 431],
  ])('is refused in the shape of errors: %s', async (_name, line, status) => {
    const { url, call } = await startServer();
    const { socket, received, closed } = open(url);
    socket.write(line);
    await closed;
    const [head = '', body = ''] = received.text.split('\r\n\r\n');
    expect(statuses(head)).toEqual([String(status)]);
    expect(head).toMatch(/content-type: application\/json/i);
    expect(errorBodySchema.parse(JSON.parse(body)).error_code).toBe('INVALID_PARAMETER_VALUE');
    expect((await call('GET', '/memory-stores')).status).toBe(200);
  });

  test('is refused when it names no host', async () => {
    const { url } = await startServer();
    const { socket, received, closed } = open(url);
    socket.write(
      `GET ${basePath}/memory-stores HTTP/1.1\r\n${authorization}\r\nConnection: close\r\n\r\n`,
    );
    await closed;
    expect(received.text).toMatch(/^HTTP\/1\.1 400 [\s\S]*INVALID_PARAMETER_VALUE/);
  });

  test('ends a connection on which an answer is under way, and adds nothing to that', async () => {
    const reached = Promise.withResolvers<void>();
    const { url, close } = await listen({
      fetch: () => {
        reached.resolve();
        return new Promise<never>(() => undefined);
      },
    });
    onTestFinished(() => close());
    const { socket, received, closed } = open(url);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await reached.promise;
    socket.write('nonsense\r\n\r\n');
    await closed;
    expect(received.text).toBe('');
  });
});

describe('requests on one connection', () => {
  test('may be sent without waiting, and are answered in their order', async () => {
    const { url } = await startServerWithStore();
    const { socket, received } = open(url);
    socket.write(
      [
        get('/memory-stores'),
        // Refused without its body being read, which must not be taken for the next request.
        post(entries, 'x'.repeat(100_000)),
        post(entries, entry, authorization),
        get('/memory-stores/none'),
        get(`${entries}?actor_id=kim`),
      ].join(''),
    );
    await expect.poll(() => statuses(received.text)).toEqual(['200', '401', '200', '404', '200']);
  });

  test('may ask whether to go on, and expect what nobody knows', async () => {
    const { url } = await startServerWithStore();
    const { socket, received } = open(url);
    const [head = '', body] = post(entries, entry, authorization, 'Expect: 100-continue').split(
      '\r\n\r\n',
    );
    socket.write(`${head}\r\n\r\n`);
    await expect.poll(() => statuses(received.text)).toEqual(['100']);
    socket.write(body ?? '');
    await expect.poll(() => statuses(received.text)).toEqual(['100', '200']);
    socket.write(post(entries, entry, authorization, 'Expect: the-unexpected'));
    await expect.poll(() => statuses(received.text)).toEqual(['100', '200', '409']);
  });

  test('may send a body in pieces of any size', async () => {
    const { url } = await startServerWithStore();
    const { socket, received } = open(url);
    const [head = ''] = post(entries, '', authorization, 'Transfer-Encoding: chunked').split(
      '\r\n\r\n',
    );
    socket.write(`${head.replace(/Content-Length.*\r\n/, '')}\r\n\r\n`);
    for (const character of entry) socket.write(`1\r\n${character}\r\n`);
    socket.write('0\r\nTrailer: x\r\n\r\n');
    await expect.poll(() => statuses(received.text)).toEqual(['200']);
  });
});

describe('connections', () => {
  test('by the hundred that say nothing do not keep others waiting', async () => {
    const { url, call } = await startServer();
    const idle = Array.from({ length: 300 }, () => open(url).socket);
    await Promise.all(
      idle.map((socket) => new Promise((resolve) => socket.once('connect', resolve))),
    );
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('GET', '/memory-stores')),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  test('on which nothing moves are ended, also while an answer waits to be read', async () => {
    // More than the buffers of the system between the two ends hold.
    const answer = 'x'.repeat(20_000_000);
    const { url, close } = await listen(
      { fetch: () => new Response(answer) },
      { idleTimeout: 100 },
    );
    onTestFinished(() => close());
    const { socket, closed } = open(url);
    let length = 0;
    socket.on('data', (text) => {
      length += text.length;
    });
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    // Reads nothing for longer than that, and then finds that the rest does not come.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    socket.resume();
    await closed;
    expect(length).toBeLessThan(answer.length);
  }, 20_000);
});

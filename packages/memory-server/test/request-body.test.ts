import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { basePath, sendRaw, startServer, startServerWithStore } from './test-server.js';

const path = `${basePath}/memory-stores/notes/entries`;
const json = { 'Content-Type': 'application/json' };
const entry = JSON.stringify({ actor_id: 'kim', path: '/a', content: 'x' });

async function post(body: string | Uint8Array, headers: Record<string, string> = json) {
  const { url, failures, call } = await startServerWithStore();
  const { status, text } = await sendRaw(url, { method: 'POST', path, headers, body });
  expect(failures).toEqual([]);
  expect((await call('GET', '/memory-stores/notes')).status).toBe(200);
  return { status, ...JSON.parse(text) };
}

const invalid = { status: 400, error_code: 'INVALID_PARAMETER_VALUE' };

describe('a body', () => {
  test.each([
    'application/json',
    'application/json; charset=UTF-8',
    'APPLICATION/JSON;charset="utf-8"',
    'application/merge-patch+json',
  ])('is taken as %s', async (type) => {
    expect(await post(entry, { 'Content-Type': type })).toMatchObject({ status: 200 });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=utf-16',
    'application/jsonp',
    '',
  ])('is refused as %j', async (type) => {
    expect(await post(entry, { 'Content-Type': type })).toMatchObject({
      ...invalid,
      details: [{ field: 'Content-Type' }],
    });
  });

  test('is refused without a type, and compressed', async () => {
    expect(await post(entry, {})).toMatchObject(invalid);
    expect(await post(entry, { ...json, 'Content-Encoding': 'gzip' })).toMatchObject(invalid);
  });

  test('of no bytes is an empty one, whatever type is announced', async () => {
    const { call } = await startServer();
    const answer = await call('POST', '/memory-stores?managed_memory_store_id=notes', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(200);
  });

  test.each([
    ['half a document', '{"actor_id":'],
    ['a list', '[1]'],
    ['null', 'null'],
    ['a string', '"x"'],
    ['comments', '{/* x */}'],
    ['nothing but space', '  '],
    ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
    ['33 levels', `${'{"a":'.repeat(32)}{}${'}'.repeat(32)}`],
    ['a hundred thousand levels', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('is refused as %s', async (_name, body) => {
    expect(await post(body)).toMatchObject(invalid);
  });

  test('may nest 32 levels deep', async () => {
    const extra = `${'{"a":'.repeat(30)}{}${'}'.repeat(30)}`;
    expect(await post(`${entry.slice(0, -1)},"extra":${extra}}`)).toMatchObject({ status: 200 });
  });

  test('is refused once it is longer than 1 MiB, announced or not', async () => {
    const body = JSON.stringify({ extra: 'x'.repeat(1024 * 1024) });
    const tooLarge = { status: 413, error_code: 'INVALID_PARAMETER_VALUE' };
    expect(await post(body)).toMatchObject(tooLarge);
    expect(await post(body, { ...json, 'Transfer-Encoding': 'chunked' })).toMatchObject(tooLarge);
  });

  test('that comes too slowly is given up', async () => {
    const { url, call } = await startServer({ bodyTimeout: 100 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const text = Promise.withResolvers<string>();
    socket.once('data', (data) => text.resolve(String(data)));
    socket.once('error', text.reject);
    socket.write(
      [
        `POST ${basePath}/memory-stores?managed_memory_store_id=notes HTTP/1.1`,
        'Host: localhost',
        'Authorization: Bearer alma-token',
        'Content-Type: application/json',
        'Content-Length: 20',
        '',
        '{"descr',
      ].join('\r\n'),
    );
    expect(await text.promise).toMatch(/^HTTP\/1\.1 504 [\s\S]*DEADLINE_EXCEEDED/);
    socket.destroy();
    expect((await call('GET', '/memory-stores/notes')).status).toBe(404);
  });

  test('that breaks off leaves the server as it was', async () => {
    const { url, call, failures } = await startServerWithStore();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const closed = Promise.withResolvers<void>();
    socket.once('close', () => closed.resolve());
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer alma-token\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"actor_id"`,
      () => setTimeout(() => socket.destroy(), 50),
    );
    await closed.promise;
    expect((await call('GET', '/memory-stores/notes/entries?actor_id=kim')).body).toEqual({
      managed_memory_entries: [],
    });
    expect(failures).toEqual([]);
  });
});

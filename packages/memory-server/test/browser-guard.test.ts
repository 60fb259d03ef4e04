import { MemoryEngine } from '@minne/memory-engine';
import { SqliteMemoryStorage } from '@minne/memory-sqlite';
import { describe, expect, test } from 'vitest';
import { checkBrowserAccess, createMemoryServer } from '../src/index.js';
import { basePath, sendRaw, startServer } from './test-server.js';

const path = `${basePath}/memory-stores`;

describe('a request that a web page may have caused', () => {
  test.each([
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    'localhost:1@evil.example',
    'evil.example/localhost',
    '169.254.169.254',
    '0.0.0.0',
    '[::2]',
  ])('is refused under the host %s', async (Host) => {
    const { url } = await startServer();
    const { status, text } = await sendRaw(url, { path, headers: { Host } });
    expect([400, 403]).toContain(status);
    expect(JSON.parse(text)).toMatchObject({
      error_code: expect.stringMatching(/PERMISSION_DENIED|INVALID_PARAMETER_VALUE/),
    });
  });

  test('is refused when its target names another host than its header', async () => {
    const { url } = await startServer();
    const target = `http://evil.example${path}`;
    expect(await sendRaw(url, { path: target })).toMatchObject({ status: 403 });
  });

  test.each(['localhost', 'LOCALHOST:1234', '127.0.0.1:80', '[::1]', '[::1]:8080'])(
    'is answered under the host %s',
    async (Host) => {
      const { url } = await startServer();
      expect(await sendRaw(url, { path, headers: { Host } })).toMatchObject({ status: 200 });
    },
  );

  test.each([
    'https://evil.example',
    'null',
    'http://localhost',
    'http://127.0.0.1:1',
    'file://',
    'http://localhost:1@evil.example',
    'chrome-extension://abc',
  ])('is refused from the origin %s', async (Origin) => {
    const { url } = await startServer();
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const { status, text } = await sendRaw(url, { method, path, headers: { Origin } });
      expect({ status, error: JSON.parse(text).error_code }).toEqual({
        status: 403,
        error: 'PERMISSION_DENIED',
      });
    }
  });

  test('is answered from the origin of the server itself and from those allowed, without CORS headers', async () => {
    const { url, call } = await startServer({
      allowedHosts: ['127.0.0.1'],
      allowedOrigins: ['https://console.example.com'],
    });
    for (const Origin of [url, 'https://console.example.com']) {
      const { status, headers } = await call('GET', '/memory-stores', { headers: { Origin } });
      expect(status).toBe(200);
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  test('is judged by the hosts that the application allows', async () => {
    const { url } = await startServer({ allowedHosts: ['memory.example.com', 'other.example:81'] });
    const statusFor = async (Host: string) =>
      (await sendRaw(url, { path, headers: { Host } })).status;
    expect(await statusFor('memory.example.com:8443')).toBe(200);
    expect(await statusFor('other.example:81')).toBe(200);
    expect(await statusFor('other.example:82')).toBe(403);
    expect(await statusFor('localhost')).toBe(403);
  });
});

describe('hosts and origins that are allowed', () => {
  const request = (host: string, origin?: string) =>
    new Request(`http://${host}/`, { headers: origin === undefined ? {} : { Origin: origin } });

  test.each([
    ['Memory.Example.com', 'memory.example.com', true],
    ['memory.example.com:80', 'memory.example.com', true],
    ['memory.example.com:443', 'memory.example.com', true],
    ['memory.example.com:8080', 'memory.example.com', false],
    ['memory.example.com:80', 'memory.example.com:8080', false],
    ['memory.example.com', 'memory.example.com.', false],
    ['[0:0::1]', '[::1]:8080', true],
    ['[::1]:80', '[::1]:8080', false],
    ['münchen.example', 'xn--mnchen-3ya.example', true],
  ])('as %j admit %j: %j', (allowed, host, expected) => {
    const check = () => checkBrowserAccess(request(host), { allowedHosts: [allowed] });
    if (expected) expect(check).not.toThrow();
    else expect(check).toThrow(/host name/);
  });

  test.each([
    'https://Console.Example.com',
    'https://console.example.com/',
    'https://console.example.com:443',
  ])('may spell an origin as %j', (allowed) => {
    const options = { allowedOrigins: [allowed] };
    checkBrowserAccess(request('localhost', 'https://console.example.com'), options);
    for (const other of ['http://console.example.com', 'https://console.example.com:444', 'null']) {
      expect(() => checkBrowserAccess(request('localhost', other), options)).toThrow(/origin/);
    }
  });

  test('are refused at the start when no request can match them', async () => {
    const engine = new MemoryEngine({ storage: new SqliteMemoryStorage({ path: ':memory:' }) });
    const authenticate = () => undefined;
    for (const host of ['', 'https://memory.example.com', 'a/b', 'two words', 'localhost:99999']) {
      expect(() => createMemoryServer(engine, { authenticate, allowedHosts: [host] })).toThrow(
        expect.objectContaining({ code: 'configuration', field: 'allowedHosts' }),
      );
    }
    for (const origin of [
      '',
      '*',
      'null',
      'console.example.com',
      'https://a.example/path',
      'https://*.a.example',
    ]) {
      expect(() => createMemoryServer(engine, { authenticate, allowedOrigins: [origin] })).toThrow(
        expect.objectContaining({ code: 'configuration', field: 'allowedOrigins' }),
      );
    }
  });
});

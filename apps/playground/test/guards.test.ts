import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPlayground } from './support/running-playground.js';

const entries = '/api/2.0/agents/memory-stores/playground/entries';

describe('the guards of the server', () => {
  let server: Awaited<ReturnType<typeof startPlayground>>;
  beforeAll(async () => {
    server = await startPlayground();
  });
  afterAll(() => server.stop());

  const paths = ['/', '/playground/about', `${entries}?actor_id=you`, '/nowhere'];

  it.each(paths)('tell the browser to trust nothing else, at %s', async (path) => {
    const { headers } = await server.ask(path);
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers['set-cookie']).toBeUndefined();
  });

  it.each(paths)('refuse a foreign name of this machine, at %s', async (path) => {
    for (const host of ['evil.example', 'evil.example:8787', '127.0.0.1.evil.example', 'a@b']) {
      const { status, text } = await server.ask(path, { headers: { Host: host } });
      expect([host, status >= 400 && status < 500]).toEqual([host, true]);
      expect(text).not.toContain('<title>');
    }
  });

  it('answer under every name of this machine', async () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST']) {
      const headers = { Host: `${name}:${server.port}` };
      expect((await server.ask('/playground/about', { headers })).status).toBe(200);
    }
  });

  it.each(paths)('refuse pages of another origin, at %s', async (path) => {
    const foreign = ['http://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost', ''];
    for (const origin of foreign) {
      const { status } = await server.ask(path, { headers: { Origin: origin } });
      expect([origin, status]).toEqual([origin, 403]);
    }
  });

  it('let the own page and programs without an origin in', async () => {
    const headers = { Origin: server.url };
    expect((await server.ask('/playground/about', { headers })).status).toBe(200);
    expect((await server.ask('/playground/about')).status).toBe(200);
  });

  it('answer no preflight of another origin', async () => {
    const { status, headers } = await server.send('/playground/sessions', {
      method: 'OPTIONS',
      headers: { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect(status).toBe(403);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonx',
    '',
  ])('refuse a body of type %j, which a form could send', async (type) => {
    const headers = { 'Content-Type': type };
    const code = server.signIn.issueCode();
    for (const path of ['/playground/sign-in', '/playground/sessions', `${entries}:put`]) {
      const { status } = await server.ask(path, { headers, body: { code } });
      expect([path, status]).toEqual([path, 415]);
    }
    expect(server.signIn.exchange(code)).toBeDefined();
  });

  it('take JSON with a character set', async () => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    expect((await server.ask('/playground/sessions', { headers, body: {} })).status).toBe(200);
  });

  const guarded: [string, string][] = [
    ['GET', '/playground/about'],
    ['GET', '/playground/sessions'],
    ['POST', '/playground/sessions'],
    ['GET', '/playground/sessions/01981a00-0000-7000-8000-000000000000/messages'],
    ['POST', '/playground/sessions/01981a00-0000-7000-8000-000000000000/messages'],
    ['POST', '/playground/sessions/01981a00-0000-7000-8000-000000000000/stop'],
    ['POST', '/playground/sign-out'],
    ['POST', '/playground/links'],
    ['GET', '/playground/anything'],
    ['GET', `${entries}?actor_id=you`],
    ['POST', `${entries}:search`],
    ['GET', '/api/agents/v1/memory-stores'],
  ];

  it.each(guarded)('let nobody without a token do %s %s', async (method, path) => {
    const body = method === 'POST' ? { text: 'hello' } : undefined;
    const tokens = [undefined, 'Bearer ', 'Bearer wrong', `Basic ${server.token}`, server.token];
    for (const authorization of tokens) {
      const headers = authorization === undefined ? {} : { Authorization: authorization };
      const { status, json } = await server.send(path, { method, headers, body });
      expect([authorization, status]).toEqual([authorization, 401]);
      expect(json['error_code']).toBe('UNAUTHENTICATED');
    }
  });

  it('take no token from the address or a cookie', async () => {
    const { token } = server;
    const { status } = await server.send(`/playground/about?token=${token}&access_token=${token}`, {
      headers: { Cookie: `token=${token}` },
    });
    expect(status).toBe(401);
  });

  it('refuse a body that is too large', async () => {
    const id = await server.newSession();
    const large = await server.ask(`/playground/sessions/${id}/messages`, {
      body: { text: 'x'.repeat(33 * 1024) },
    });
    expect([large.status, large.json['error_code']]).toEqual([413, 'INVALID_PARAMETER_VALUE']);
    const huge = await server.send('/playground/sign-in', {
      body: { code: 'x'.repeat(300 * 1024) },
    });
    expect([huge.status, huge.json['message']]).toEqual([413, expect.stringContaining('262144')]);
    expect(await server.messages(id)).toEqual([]);
  });

  it.each(['', '{', '[]', 'null', '"text"', '7'])(
    'refuse the body %j with a sentence',
    async (body) => {
      const id = await server.newSession();
      for (const path of ['/playground/sign-in', `/playground/sessions/${id}/messages`]) {
        const { status, json } = await server.ask(path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body,
        });
        expect(status).toBe(400);
        expect(json).toMatchObject({ error_code: 'INVALID_PARAMETER_VALUE', message: /body/ });
      }
    },
  );

  it('tell nothing of the inside when something is not there', async () => {
    for (const path of ['/../package.json', '/%2e%2e/main.js', '/main.ts', '/.minne']) {
      const { status, json } = await server.send(path);
      expect([path, status]).toEqual([path, 404]);
      expect(JSON.stringify(json)).not.toMatch(/\bat \/|node_modules|\.ts:/);
    }
  });
});

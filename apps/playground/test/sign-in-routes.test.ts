import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPlayground } from './support/running-playground.js';

describe('signing in over HTTP', () => {
  let server: Awaited<ReturnType<typeof startPlayground>>;
  beforeAll(async () => {
    server = await startPlayground();
  });
  afterAll(() => server.stop());

  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

  it('gives a token for a code, once', async () => {
    const code = server.signIn.issueCode();
    const first = await server.send('/playground/sign-in', { body: { code } });
    expect(first.json).toEqual({ token: expect.any(String), idle_milliseconds: 3_600_000 });
    expect(first.headers['cache-control']).toBe('no-store');
    const headers = bearer(String(first.json['token']));
    expect((await server.send('/playground/about', { headers })).status).toBe(200);

    const replayed = await server.send('/playground/sign-in', { body: { code } });
    expect(replayed.status).toBe(401);
    expect(replayed.json['message']).toContain('Press Enter');
    expect((await server.send('/playground/about', { headers })).status).toBe(200);
  });

  it('gives one of two that come with the same code at once', async () => {
    const code = server.signIn.issueCode();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => server.send('/playground/sign-in', { body: { code } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it.each([{}, { code: 7 }, { code: '' }, { code: 'x'.repeat(300) }, { code: null }])(
    'refuses %j',
    async (body) => {
      const { status } = await server.send('/playground/sign-in', { body });
      expect([400, 413]).toContain(status);
    },
  );

  it('does not take the admin token for a code, nor hand it to the page', async () => {
    const { adminToken } = server.folder;
    const { status } = await server.send('/playground/sign-in', { body: { code: adminToken } });
    expect(status).toBe(401);
    for (const path of ['/', '/playground/about', '/playground/sessions']) {
      expect((await server.ask(path)).text).not.toContain(adminToken);
    }
  });

  it('makes a new link for the holder of the admin token only', async () => {
    expect((await server.ask('/playground/links', { body: {} })).status).toBe(403);
    const { json } = await server.send('/playground/links', {
      headers: bearer(server.folder.adminToken),
      body: {},
    });
    const link = new URL(String(json['link']));
    expect(link.origin).toBe(server.url);
    const code = new URLSearchParams(link.hash.slice(1)).get('code');
    expect((await server.send('/playground/sign-in', { body: { code } })).status).toBe(200);
  });

  it('ends the token at signing out, for the memory API too', async () => {
    const code = server.signIn.issueCode();
    const { json } = await server.send('/playground/sign-in', { body: { code } });
    const headers = bearer(String(json['token']));
    const entries = '/api/2.0/agents/memory-stores/playground/entries?actor_id=you';
    expect((await server.send(entries, { headers })).status).toBe(200);
    expect((await server.send('/playground/sign-out', { headers, body: {} })).status).toBe(200);
    expect((await server.send(entries, { headers })).status).toBe(401);
    expect((await server.send('/playground/about', { headers })).status).toBe(401);
  });

  it('lets the page use the memory store, and only the admin do what an admin may', async () => {
    const stores = '/api/2.0/agents/memory-stores';
    const page = await server.ask(`${stores}/playground`);
    expect(page.json).toMatchObject({ display_name: 'playground', creator_user_id: 'local' });
    const other = await server.send(`${stores}?managed_memory_store_id=mine`, {
      headers: bearer(server.folder.adminToken),
      body: { description: 'made with the admin token' },
    });
    expect(other.status).toBe(200);
  });
});

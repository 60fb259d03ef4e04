import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ListenOptions, listen } from '../src/node.js';

const hello = { fetch: () => new Response('hello') };

async function listenFor(handler: Parameters<typeof listen>[0], options?: ListenOptions) {
  const listening = await listen(handler, options);
  onTestFinished(() => listening.close());
  return listening;
}

const refused = { cause: { code: 'ECONNREFUSED' } };

describe('listen', () => {
  test('answers at the address that it gives, and no more once it is closed', async () => {
    const { url, close } = await listenFor(hello);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await (await fetch(url)).text()).toBe('hello');
    await Promise.all([close(), close()]);
    await expect(fetch(url)).rejects.toMatchObject(refused);
  });

  test('leaves the global Request and Response as they are', async () => {
    const before = [globalThis.Request, globalThis.Response];
    await listenFor(hello);
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
  });

  test('gives an address that works for every host', async () => {
    const { url } = await listenFor(hello, { host: '0.0.0.0' });
    expect(await (await fetch(url)).text()).toBe('hello');
  });

  test('says who is in the way when the port is taken', async () => {
    const { url } = await listenFor(hello);
    const port = Number(new URL(url).port);
    await expect(listen(hello, { port })).rejects.toMatchObject({
      code: 'configuration',
      field: 'port',
      message: expect.stringMatching(/EADDRINUSE.*another port/),
    });
  });

  test.each([
    [{ port: 70_000 }, /from 0 to 65535/],
    [{ port: -1 }, /from 0 to 65535/],
    [{ port: 1.5 }, /from 0 to 65535/],
    [{ host: '192.0.2.1' }, /EADDRNOTAVAIL/],
  ])('refuses %j in words', async (options, message) => {
    await expect(listen(hello, options)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(message),
    });
  });

  test('lets a request under way come to its end before it closes', async () => {
    const release = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const { url, close } = await listenFor({
      fetch: async () => {
        reached.resolve();
        await release.promise;
        return new Response('late');
      },
    });
    const answer = fetch(url);
    await reached.promise;
    const closed = close();
    release.resolve();
    expect(await (await answer).text()).toBe('late');
    await closed;
  });

  test('ends connections that do nothing, and those that outstay the grace period', async () => {
    const reached = Promise.withResolvers<void>();
    const { url, close } = await listenFor(
      {
        fetch: () => {
          reached.resolve();
          return new Promise<never>(() => undefined);
        },
      },
      { gracePeriod: 50 },
    );
    const idle = connect(Number(new URL(url).port), '127.0.0.1');
    const idleClosed = Promise.withResolvers<void>();
    idle.once('close', () => idleClosed.resolve());
    const answer = expect(fetch(url)).rejects.toThrow();
    await reached.promise;
    await close();
    await answer;
    await idleClosed.promise;
  });

  test('closes when its signal aborts, and does not begin when it has', async () => {
    const controller = new AbortController();
    const { url, close } = await listenFor(hello, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await close();
    await expect(fetch(url)).rejects.toMatchObject(refused);
    await expect(listen(hello, { signal: controller.signal })).rejects.toThrow('enough');
  });

  test('reports a handler that fails, and tells the caller nothing', async () => {
    const errors: unknown[] = [];
    const error = new Error('secret');
    const { url } = await listenFor(
      { fetch: () => Promise.reject(error) },
      { onError: (reported) => errors.push(reported) },
    );
    const response = await fetch(url);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
    expect(errors).toEqual([error]);
  });

  test('does not close a port that is not its own', async () => {
    const other = createServer((_request, response) => response.end('other'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise<void>((resolve) => other.close(() => resolve())));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(listen(hello, { port })).rejects.toMatchObject({ code: 'configuration' });
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('other');
  });
});

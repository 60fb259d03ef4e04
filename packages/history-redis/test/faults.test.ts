import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '@minne/core';
import { startProcess } from '@minne/store-process';
import { type RedisServer, serverMissing, startRedis } from '@minne/test-servers';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { RedisHistoryBackend, type RedisHistoryBackendOptions } from '../src/index.js';
import { turnOf } from './processes/turn.js';
import { TcpProxy } from './support/tcp-proxy.js';
import { expectWholeTurns } from './support/whole-turns.js';

const key = { sessionId: 'session', sourceId: 'history', actorId: 'kim' };
const unreachable = { code: 'store_failed', retryable: true, sessionId: 'session' };

describe.skipIf(serverMissing('redis') !== undefined)('a server that fails', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis({ durable: true });
  }, 60_000);
  afterAll(async () => {
    await server?.remove();
  });
  // A test that fails may leave the server down or hanging.
  beforeEach(async () => {
    await server.process.kill();
    await server.process.start();
    const redis = new Redis(server.url);
    await redis.flushall();
    redis.disconnect();
  }, 60_000);

  it('is killed and started again under load: nothing acknowledged is missing, turned round or doubled', async () => {
    const backend = open({ url: server.url, commandTimeout: 2000 });
    const acknowledged: string[] = [];
    let isOver = false;
    const writers = ['a', 'b', 'c'].map(async (writer) => {
      for (let turn = 0; !isOver; turn++) {
        const name = `${writer}.${turn}`;
        await untilWritten(backend, name);
        acknowledged.push(name);
      }
    });
    for (let kill = 0; kill < 3; kill++) {
      await sleep(150);
      await server.process.kill();
      await sleep(100);
      await server.process.start();
    }
    await sleep(150);
    isOver = true;
    await Promise.all(writers);
    const names = expectWholeTurns(await backend.load(key));
    expect([...names].sort()).toEqual([...acknowledged].sort());
    for (const writer of ['a', 'b', 'c']) {
      const own = names.filter((name) => name.startsWith(writer));
      expect(own).toEqual(own.map((_, turn) => `${writer}.${turn}`));
    }
  }, 60_000);

  it('is down: every call fails soon and says so, and works again once it is back', async () => {
    const lent = new Redis(server.url, { retryStrategy: () => 100 });
    // What an application does with its own client.
    lent.on('error', () => undefined);
    onTestFinished(() => lent.disconnect());
    const backends = [
      open({ url: server.url, commandTimeout: 1000 }),
      open({ client: lent, commandTimeout: 1000 }),
    ];
    for (const backend of backends) await backend.append(key, turnOf('before'));
    await server.process.kill();
    for (const backend of backends) {
      const begun = performance.now();
      const outcomes = await Promise.allSettled([
        backend.append(key, turnOf('late')),
        backend.load(key),
        backend.clear(key),
        backend.replace(key, [], { version: '1' }),
      ]);
      expect(performance.now() - begun).toBeLessThan(4000);
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: unreachable });
      }
    }
    await server.process.start();
    for (const backend of backends) await untilWritten(backend, 'after');
    expect(expectWholeTurns(await open({ url: server.url }).load(key))).toContain('after');
  }, 60_000);

  it('hangs: calls reject within commandTimeout, honour the signal, and work again once it goes on', async () => {
    const lent = new Redis(server.url);
    onTestFinished(() => lent.disconnect());
    const backends = [
      open({ url: server.url, commandTimeout: 400 }),
      open({ client: lent, commandTimeout: 400 }),
    ];
    for (const backend of backends) await backend.append(key, turnOf('before'));
    server.process.pause();
    onTestFinished(() => server.process.resume());
    for (const backend of backends) {
      const begun = performance.now();
      await expect(backend.append(key, turnOf('hung'))).rejects.toMatchObject(unreachable);
      await expect(backend.load(key)).rejects.toMatchObject(unreachable);
      expect(performance.now() - begun).toBeLessThan(4000);
      const reason = new Error('stopped by the caller');
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 20);
      await expect(backend.load(key, { signal: controller.signal })).rejects.toBe(reason);
    }
    server.process.resume();
    for (const backend of backends) {
      await untilWritten(backend, 'hung');
      await untilWritten(backend, 'after');
    }
    expect(expectWholeTurns(await open({ url: server.url }).load(key))).toEqual([
      'before',
      'hung',
      'after',
    ]);
  }, 60_000);

  it('answers into a connection that is cut: the append that is made again writes nothing twice', async () => {
    const proxy = await TcpProxy.start(server.port);
    onTestFinished(() => proxy.close());
    const backend = open({ url: proxy.url, commandTimeout: 2000 });
    await backend.append(key, turnOf('first'));
    for (const name of ['second', 'third']) {
      proxy.cutNextAnswer();
      await expect(backend.append(key, turnOf(name))).rejects.toMatchObject(unreachable);
      const { duplicates } = await untilWritten(backend, name);
      expect(duplicates).toEqual(turnOf(name).map(({ id }) => id));
    }
    expect(proxy.cuts).toBe(2);
    expect(expectWholeTurns(await backend.load(key))).toEqual(['first', 'second', 'third']);
  });

  it('answers into a connection that is cut: a client that sends again by itself writes nothing twice', async () => {
    const proxy = await TcpProxy.start(server.port);
    onTestFinished(() => proxy.close());
    const client = new Redis(proxy.url);
    onTestFinished(() => client.disconnect());
    const backend = open({ client });
    await backend.append(key, turnOf('first'));
    proxy.cutNextAnswer();
    await backend.append(key, turnOf('second'));
    expect(proxy.cuts).toBe(1);
    expect(expectWholeTurns(await backend.load(key))).toEqual(['first', 'second']);
  });

  it('is written to by 50 clients at once: complete, in the order of each, no sequence twice', async () => {
    const clients = Array.from({ length: 50 }, () =>
      open({ url: server.url, commandTimeout: 30_000 }),
    );
    await Promise.all(
      clients.map(async (client, writer) => {
        for (let turn = 0; turn < 5; turn++) await client.append(key, turnOf(`w${writer}.${turn}`));
      }),
    );
    const names = expectWholeTurns(await open({ url: server.url }).load(key));
    expect(names.length).toBe(250);
    for (let writer = 0; writer < 50; writer++) {
      const own = names.filter((name) => name.startsWith(`w${writer}.`));
      expect(own).toEqual(Array.from({ length: 5 }, (_, turn) => `w${writer}.${turn}`));
    }
  }, 60_000);

  it('loses its clients at any moment, and nothing acknowledged is missing, halved or doubled', async () => {
    const script = new URL('processes/append-loop.ts', import.meta.url);
    const acknowledged: string[] = [];
    const kills = 3;
    await Promise.all(
      Array.from({ length: kills }, async (_, writer) => {
        const child = startProcess(script, server.url, `writer${writer}`, '100000');
        await child.begun();
        await sleep(Math.random() * 60);
        child.process.kill('SIGKILL');
        expect(await child.ended()).toEqual({ code: null, complaint: '' });
        acknowledged.push(...child.lines());
      }),
    );
    const stored = expectWholeTurns(await open({ url: server.url }).load(key));
    expect(acknowledged.filter((name) => !stored.includes(name))).toEqual([]);
    // At most the turn that was under way when each process was killed.
    expect(stored.length - acknowledged.length).toBeLessThanOrEqual(kills);
  }, 60_000);
});

function open(options: RedisHistoryBackendOptions): RedisHistoryBackend {
  const backend = new RedisHistoryBackend(options);
  onTestFinished(() => backend.close());
  return backend;
}

/** Appends a turn again and again, as an application does with a retryable error, for at most 20 s. */
async function untilWritten(backend: RedisHistoryBackend, name: string) {
  const end = performance.now() + 20_000;
  for (;;) {
    try {
      return await backend.append(key, turnOf(name));
    } catch (error) {
      if (!StoreError.isInstance(error) || !error.retryable || performance.now() > end) throw error;
      await sleep(20);
    }
  }
}

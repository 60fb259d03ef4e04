import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '@minne/core';
import { type PostgresServer, serverMissing, startPostgres } from '@minne/test-servers';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PostgresHistoryBackend, type PostgresHistoryCommonOptions } from '../src/index.js';
import { turnOf } from './processes/turn.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
import { newSchema, poolOf } from './test-database.js';
import { expectOrderPerWriter, expectWholeTurns } from './whole-turns.js';

const key = { sessionId: 'session', sourceId: 'history' };
const missing = serverMissing('postgres');

describe.skipIf(missing !== undefined)(`a store that fails ${missing ?? ''}`, () => {
  let server: PostgresServer;
  let administrator: Pool;

  beforeAll(async () => {
    server = await startPostgres();
    administrator = poolOf(server.url);
  }, 60_000);

  afterAll(async () => {
    await administrator.end();
    await server.remove();
  });

  async function open(options: PostgresHistoryCommonOptions = {}, url = server.url) {
    const schema = newSchema();
    const first = new PostgresHistoryBackend({ connectionString: server.url, schema });
    await first.open();
    await first.close();
    const given = { connectionString: url, schema, ...options };
    const backend = new PostgresHistoryBackend(given);
    onTestFinished(() => backend.close());
    return { backend, schema };
  }

  async function openThroughProxy(options: PostgresHistoryCommonOptions = {}) {
    const proxy: TcpProxy = await startTcpProxy(server.port);
    onTestFinished(() => proxy.close());
    const url = new URL(server.url);
    url.port = String(proxy.port);
    return { proxy, ...(await open(options, url.href)) };
  }

  /** Holds the row of the history of {@link key} until it is called. */
  async function lock(schema: string): Promise<() => Promise<void>> {
    const client = await administrator.connect();
    await client.query(`BEGIN; SELECT FROM ${schema}.history_session FOR UPDATE`);
    return async () => {
      await client.query('COMMIT');
      client.release();
    };
  }

  it('loses the answer of an append that was done: the same again writes nothing twice', async () => {
    const { backend, proxy } = await openThroughProxy();
    await backend.append(key, turnOf('w.0'));
    proxy.cutAnswers();
    const error = await backend.append(key, turnOf('w.1')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ retryable: true, sessionId: 'session' });
    expect(String(error)).not.toContain(server.password);
    proxy.mend();
    const { duplicates } = await backend.append(key, turnOf('w.1'));
    expect(duplicates).toEqual(turnOf('w.1').map(({ id }) => id));
    expect(expectWholeTurns(await backend.load(key))).toEqual(['w.0', 'w.1']);
  });

  it('hangs: calls fail within their bounds, and work again when it answers', async () => {
    const bounds = { connectionTimeout: 1000, statementTimeout: 1000 };
    const { backend, proxy } = await openThroughProxy(bounds);
    await backend.append(key, turnOf('w.0'));
    proxy.hang();
    const begun = performance.now();
    const outcomes = await Promise.allSettled([
      backend.load(key),
      backend.append(key, turnOf('w.1')),
      ...Array.from({ length: 20 }, () => backend.load(key)),
    ]);
    expect(performance.now() - begun).toBeLessThan(6000);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'store_failed', retryable: true },
      });
    }
    proxy.mend();
    await backend.append(key, turnOf('w.2'));
    expect(expectWholeTurns(await backend.load(key))).toEqual(['w.0', 'w.2']);
  });

  it('takes connections and does not speak: a call fails within connectionTimeout', async () => {
    const { backend, proxy } = await openThroughProxy({ connectionTimeout: 1000 });
    proxy.hang();
    const begun = performance.now();
    await expect(backend.load(key)).rejects.toMatchObject({
      code: 'store_failed',
      retryable: true,
    });
    expect(performance.now() - begun).toBeLessThan(4000);
    proxy.mend();
    expect((await backend.load(key)).records).toEqual([]);
  });

  it('is restarted under load: nothing acknowledged is missing, and the pool comes back', async () => {
    const { backend } = await open({ connectionTimeout: 1000 });
    const acknowledged: string[] = [];
    let isOver = false;
    const writing = Array.from({ length: 4 }, async (_, writer) => {
      for (let turn = 0; !isOver; turn++) {
        const name = `w${writer}.${turn}`;
        // A turn is sent until it is acknowledged, as an application would.
        for (;;) {
          try {
            await backend.append(key, turnOf(name));
            acknowledged.push(name);
            break;
          } catch (error) {
            expect(error).toMatchObject({ code: 'store_failed', retryable: true });
            await sleep(20);
          }
        }
      }
    });
    for (let round = 0; round < 2; round++) {
      await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(round * 12);
      await server.process.kill();
      await expect(backend.load(key)).rejects.toMatchObject({ retryable: true });
      await server.process.start();
    }
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(24);
    isOver = true;
    await Promise.all(writing);
    const names = expectWholeTurns(await backend.load(key));
    expectOrderPerWriter(names);
    expect(names.sort()).toEqual(acknowledged.sort());
  }, 60_000);

  it('ends idle connections: nothing crashes, and the next call makes another', async () => {
    const schema = newSchema();
    const pool = new Pool({ connectionString: server.url });
    onTestFinished(() => pool.end());
    const { backend } = await open({}, server.url);
    const ofPool = new PostgresHistoryBackend({ pool, schema });
    onTestFinished(() => ofPool.close());
    for (const each of [backend, ofPool]) await each.append(key, turnOf('w.0'));
    await administrator.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
    );
    await expect.poll(() => pool.totalCount).toBe(0);
    for (const each of [backend, ofPool]) {
      await each.append(key, turnOf('w.1'));
      expect(expectWholeTurns(await each.load(key))).toEqual(['w.0', 'w.1']);
    }
  });

  it('holds the history: the wait ends with the signal, and no connection comes back at work', async () => {
    const schema = newSchema();
    const pool = poolOf(server.url, 1);
    onTestFinished(() => pool.end());
    const backend = new PostgresHistoryBackend({ pool, schema });
    await backend.append(key, turnOf('w.0'));
    const release = await lock(schema);
    const controller = new AbortController();
    const reason = new Error('stopped by the caller');
    const appending = backend.append(key, turnOf('w.1'), { signal: controller.signal });
    const queued = backend.append(key, turnOf('w.2'), { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    await expect(appending).rejects.toBe(reason);
    await expect(queued).rejects.toBe(reason);
    // The only connection of the pool was at work: this one is another.
    expect(expectWholeTurns(await backend.load(key))).toEqual(['w.0']);
    await release();
    await backend.append(key, turnOf('w.3'));
    // The first was at the server already; the second waited here, and was never sent.
    const names = expectWholeTurns(await backend.load(key));
    expect(names.filter((name) => name !== 'w.1')).toEqual(['w.0', 'w.3']);
  });

  it('holds the history for too long: the append fails here and at the server', async () => {
    const { backend, schema } = await open({ statementTimeout: 1000 });
    await backend.append(key, turnOf('w.0'));
    const release = await lock(schema);
    await expect(backend.append(key, turnOf('w.1'))).rejects.toMatchObject({
      code: 'store_failed',
      retryable: true,
    });
    await sleep(300);
    await release();
    await backend.append(key, turnOf('w.2'));
    expect(expectWholeTurns(await backend.load(key))).toEqual(['w.0', 'w.2']);
  });

  it('runs every transaction as serializable: writers at once lose nothing', async () => {
    const schema = newSchema();
    const pool = new Pool({
      connectionString: server.url,
      options: '-c default_transaction_isolation=serializable',
    });
    onTestFinished(() => pool.end());
    const backend = new PostgresHistoryBackend({ pool, schema });
    const names = Array.from({ length: 8 }, (_, index) => `w${index}.0`);
    await Promise.all(names.map((name) => backend.append(key, turnOf(name))));
    expect(expectWholeTurns(await backend.load(key)).sort()).toEqual(names);
  });

  it('only reads: a write fails with what helps, and a load works', async () => {
    const { backend, schema } = await open();
    await backend.append(key, turnOf('w.0'));
    const pool = new Pool({
      connectionString: server.url,
      options: '-c default_transaction_read_only=on',
    });
    onTestFinished(() => pool.end());
    const reader = new PostgresHistoryBackend({ pool, schema });
    expect(expectWholeTurns(await reader.load(key))).toEqual(['w.0']);
    const error = await reader.append(key, turnOf('w.1')).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'store_failed', retryable: false });
    expect(String(error)).toMatch(/primary/);
  });
});

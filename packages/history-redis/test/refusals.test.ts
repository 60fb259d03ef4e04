import { inspect } from 'node:util';
import { ConfigurationError } from '@minne/core';
import { type RedisServer, serverMissing, startRedis } from '@minne/test-servers';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { RedisHistoryBackend, type RedisHistoryBackendOptions } from '../src/index.js';
import { redisFailure } from '../src/redis-failure.js';
import { turnOf } from './processes/turn.js';

const key = { sessionId: 's', sourceId: 'history', actorId: 'kim' };
const password = 'geheim/ß 1';

describe('options', () => {
  const client = new Redis({ lazyConnect: true });

  it('that cannot work are refused by the field, and no error tells the url', () => {
    const url = 'redis://kim:geheim@localhost:6379';
    const wrong: readonly (readonly [options: object, field: string])[] = [
      [{}, 'url'],
      [{ url, client }, 'url'],
      [{ url: 'geheim' }, 'url'],
      [{ url: 'http://kim:geheim@localhost' }, 'url'],
      [{ url: '' }, 'url'],
      [{ url: `${url}/cache` }, 'url'],
      [{ url: `${url}/1/2` }, 'url'],
      [{ client: {} }, 'client'],
      [{ client: null }, 'client'],
      [{ url, keyPrefix: 'a{b' }, 'keyPrefix'],
      [{ url, keyPrefix: '}' }, 'keyPrefix'],
      [{ url, keyPrefix: 'a\0' }, 'keyPrefix'],
      [{ url, keyPrefix: '\ud800' }, 'keyPrefix'],
      [{ url, keyPrefix: 7 }, 'keyPrefix'],
      [{ url, keyPrefix: 'x'.repeat(257) }, 'keyPrefix'],
      ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31].map(
        (commandTimeout) => [{ url, commandTimeout }, 'commandTimeout'] as const,
      ),
      [{ url, maxMessages: 0 }, 'maxMessages'],
      [{ url, ttl: 0 }, 'ttl'],
      [{ url, expiry: 'fixed' }, 'expiry'],
    ];
    for (const [options, field] of wrong) {
      let error: unknown;
      try {
        Reflect.construct(RedisHistoryBackend, [options]);
      } catch (thrown) {
        error = thrown;
      }
      expect(error, inspect(options)).toBeInstanceOf(ConfigurationError);
      expect(error).toMatchObject({ field, packageName: '@minne/history-redis' });
      expect(inspect(error)).not.toContain('geheim');
    }
  });

  it('that can work connect to nothing before the first call', async () => {
    await new RedisHistoryBackend({ url: 'rediss://nowhere.invalid:1' }).close();
    await new RedisHistoryBackend({ client, keyPrefix: '' }).close();
    expect(client.status).toBe('wait');
  });
});

describe.skipIf(serverMissing('redis') !== undefined)('a server that refuses', () => {
  let server: RedisServer;
  let admin: Redis;
  beforeAll(async () => {
    server = await startRedis({
      values: ['--requirepass', password, '--busy-reply-threshold', '20'],
    });
    admin = new Redis(server.url, { password });
  }, 60_000);
  afterAll(async () => {
    admin?.disconnect();
    await server?.remove();
  });

  afterEach(async () => {
    await admin.config('SET', 'maxmemory', '0');
    await admin.call('REPLICAOF', 'NO', 'ONE');
  });

  function open(options: Partial<RedisHistoryBackendOptions> = {}): RedisHistoryBackend {
    const backend = new RedisHistoryBackend({
      url: urlWith(password),
      commandTimeout: 2000,
      ...options,
    });
    onTestFinished(() => backend.close());
    return backend;
  }

  function urlWith(secret: string): string {
    return `redis://:${encodeURIComponent(secret)}@127.0.0.1:${server.port}`;
  }

  it.each([
    ['no password', '', 'NOAUTH'],
    ['a wrong password', 'falsch#1', 'WRONGPASS'],
  ])('because of %s says what to do, and does not tell it', async (_, secret, code) => {
    const backend = open({ url: secret === '' ? server.url : urlWith(secret) });
    for (const call of [backend.append(key, turnOf('t', 'private words')), backend.load(key)]) {
      const error = await call.catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'store_failed',
        retryable: false,
        message: expect.stringMatching(new RegExp(`${code}.*url`)),
      });
      const text = inspect(error, { depth: 10, showHidden: true });
      for (const hidden of ['falsch', encodeURIComponent('falsch#1'), 'private words']) {
        expect(text).not.toContain(hidden);
      }
    }
  });

  it('because it is full leaves nothing half written, lets clear, and goes on once there is room', async () => {
    const backend = open({ maxMessages: 2 });
    const { version } = await backend.append(key, turnOf('t1'));
    const before = await backend.load(key);
    await admin.config('SET', 'maxmemory', '1');
    const full = {
      code: 'store_failed',
      retryable: true,
      message: expect.stringMatching(/OOM.*memory/),
    };
    await expect(backend.append(key, turnOf('t2'))).rejects.toMatchObject(full);
    await expect(backend.append({ ...key, sessionId: 'new' }, turnOf('t'))).rejects.toMatchObject(
      full,
    );
    await expect(backend.replace(key, turnOf('t3'), { version })).rejects.toMatchObject(full);
    expect(await backend.load(key)).toEqual(before);
    const refreshing = open({ ttl: 60_000, refreshOnRead: true });
    const ids = ['t1.user', 't2.user'];
    expect(await refreshing.load(key, { ids })).toEqual({ ...before, knownIds: ['t1.user'] });
    expect(await admin.pttl('minne:{history:s}:records')).toBeGreaterThan(50_000);
    expect(await admin.keys('*new*')).toEqual([]);
    await backend.clear(key);
    await admin.config('SET', 'maxmemory', '0');
    await backend.append(key, turnOf('t2'));
    expect((await backend.load(key)).records.map(({ group }) => group)).toEqual(['t2', 't2']);
  });

  it('because it has become a replica lets read, and says where to write', async () => {
    const backend = open();
    await backend.append({ ...key, sessionId: 'r' }, turnOf('t1'));
    await admin.call('REPLICAOF', '127.0.0.1', '1');
    const error = {
      code: 'store_failed',
      retryable: true,
      message: expect.stringMatching(/READONLY.*primary/),
    };
    await expect(backend.append({ ...key, sessionId: 'r' }, turnOf('t2'))).rejects.toMatchObject(
      error,
    );
    await expect(backend.clear({ ...key, sessionId: 'r' })).rejects.toMatchObject(error);
    expect((await backend.load({ ...key, sessionId: 'r' })).records.length).toBe(2);
    await admin.call('REPLICAOF', 'NO', 'ONE');
    await backend.append({ ...key, sessionId: 'r' }, turnOf('t2'));
  });

  it('because it has no such database: says so, and writes into no other', async () => {
    const backend = open({ url: `${urlWith(password)}/99` });
    const error = {
      code: 'store_failed',
      retryable: false,
      message: expect.stringContaining('database'),
    };
    for (const name of ['first', 'second']) {
      await expect(backend.append(key, turnOf(name))).rejects.toMatchObject(error);
    }
    const other = open({ keyPrefix: 'minne:' });
    expect((await other.load(key, { ids: ['first.user', 'second.user'] })).knownIds).toEqual([]);
    const wrong = open({ url: `${urlWith('falsch#1')}/99` });
    await expect(wrong.load(key)).rejects.toMatchObject({
      message: expect.stringContaining('WRONGPASS'),
    });
  });

  it('is not blamed later for what has been mended since', async () => {
    await admin.call('ACL', 'SETUSER', 'kim', 'on', '>old', '~*', '+@all');
    const backend = open({ url: `redis://kim:new@127.0.0.1:${server.port}` });
    await expect(backend.load(key)).rejects.toMatchObject({ retryable: false });
    await admin.call('ACL', 'SETUSER', 'kim', '>new');
    await vi.waitFor(() => backend.load(key));
    await admin.call('CLIENT', 'PAUSE', '2000', 'WRITE');
    onTestFinished(async () => void (await admin.call('CLIENT', 'UNPAUSE')));
    const lost = backend.append(key, turnOf('lost')).catch((error: unknown) => error);
    await vi.waitFor(async () => {
      expect(await admin.info('clients')).toContain('blocked_clients:1');
    });
    await admin.call('CLIENT', 'KILL', 'USER', 'kim');
    expect(await lost).toMatchObject({ code: 'store_failed', retryable: true });
  });

  it('because somebody has it busy says so', async () => {
    const backend = open();
    await backend.load(key);
    const other = new Redis(server.url, { password });
    onTestFinished(() => other.disconnect());
    const looping = other.eval('while true do end', 0).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const error = {
      code: 'store_failed',
      retryable: true,
      message: expect.stringContaining('BUSY'),
    };
    await expect(backend.append(key, turnOf('busy'))).rejects.toMatchObject(error);
    await expect(backend.load(key)).rejects.toMatchObject(error);
    await admin.call('SCRIPT', 'KILL');
    await looping;
    await backend.append(key, turnOf('busy'));
  });

  it('the user may not run scripts: says which rights are missing', async () => {
    await admin.call(
      'ACL',
      'SETUSER',
      'reader',
      'on',
      '>pass',
      '~*',
      '+@read',
      '+multi',
      '+exec',
      '+info',
      '+hello',
    );
    const backend = open({ url: `redis://reader:pass@127.0.0.1:${server.port}` });
    await expect(backend.append(key, turnOf('t'))).rejects.toMatchObject({
      code: 'store_failed',
      retryable: false,
      message: expect.stringMatching(/NOPERM.*@scripting/),
    });
  });
});

it('a client that has ended says what to do, and is no failure to try again', async () => {
  const ended = new Redis({ lazyConnect: true });
  ended.disconnect();
  const backend = new RedisHistoryBackend({ client: ended });
  await expect(backend.load(key)).rejects.toMatchObject({
    code: 'store_failed',
    field: 'client',
    retryable: false,
  });
});

describe('an error of Redis that no test can ask for', () => {
  it.each([
    ['LOADING Redis is loading the dataset in memory', true],
    ['CLUSTERDOWN The cluster is down', true],
    ['TRYAGAIN Multiple keys request during rehashing of slot', true],
    ['MASTERDOWN Link with MASTER is down', true],
    ['NOREPLICAS Not enough good replicas to write.', true],
    ['MISCONF Redis is configured to save RDB snapshots, but it is unable to', true],
    // Before Redis 7 the error of a command in a script is wrapped.
    ['ERR Error running script (call to f_ab): @user_script:3: -OOM command not allowed', true],
    ['ERR something else', false],
  ])('is told whether to try again: %s', (message, retryable) => {
    const error = redisFailure(new Error(message), { sessionId: 's', secrets: [] });
    expect(error).toMatchObject({ retryable, sessionId: 's', cause: { message } });
  });

  it('does not tell a secret that it holds', () => {
    const error = redisFailure(
      Object.assign(new Error('bad xyz!'), { command: { args: ['xyz!'] } }),
      {
        secrets: ['xyz!'],
      },
    );
    expect(inspect(error, { depth: 10 })).not.toContain('xyz!');
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { serverMissing, startRedis } from '@minne/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RedisConnection } from '../src/redis-connection.js';
import { redisScript } from '../src/scripts/redis-script.js';

const versions = [
  ['ioredis 6', () => import('ioredis')],
  ['ioredis 5', () => import('ioredis-5')],
] as const;

describe.skipIf(serverMissing('redis') !== undefined)('a connection by url', () => {
  it.each(versions)(
    'fails soon when the server is down and is made again: %s',
    async (_, load) => {
      const server = await startRedis();
      onTestFinished(() => server.remove());
      const connection = new RedisConnection({ url: server.url, commandTimeout: 2000 }, load);
      onTestFinished(() => connection.close());
      const script = redisScript("return {'ok', ARGV[1]}");
      const run = () => connection.run(script, [], ['x'], { signal: undefined });
      expect(await run()).toEqual(['ok', 'x']);
      await server.process.kill();
      await expect(run()).rejects.toMatchObject({
        code: 'store_failed',
        retryable: true,
        message: expect.stringContaining('cannot be reached'),
      });
      await server.process.start();
      const end = performance.now() + 10_000;
      let reply: unknown;
      while (reply === undefined && performance.now() < end) {
        reply = await run().catch(() => undefined);
        await sleep(20);
      }
      expect(reply).toEqual(['ok', 'x']);
    },
    60_000,
  );

  it.each(versions)(
    'writes nothing when the server has no such database: %s',
    async (_, load) => {
      const server = await startRedis();
      onTestFinished(() => server.remove());
      const script = redisScript("redis.call('INCR', KEYS[1])");
      const context = { signal: undefined };
      const wrong = new RedisConnection({ url: `${server.url}/99`, commandTimeout: 2000 }, load);
      onTestFinished(() => wrong.close());
      for (let attempt = 0; attempt < 10; attempt++) {
        await expect(wrong.run(script, ['count'], [], context)).rejects.toMatchObject({
          code: 'store_failed',
          retryable: false,
          message: expect.stringContaining('database'),
        });
      }
      const right = new RedisConnection({ url: server.url }, load);
      onTestFinished(() => right.close());
      const exists = redisScript("return redis.call('EXISTS', KEYS[1])");
      expect(await right.run(exists, ['count'], [], context)).toBe(0);
    },
    60_000,
  );
});

import { setTimeout as sleep } from 'node:timers/promises';
import { encodeHistoryKey, type HistoryKey, type NewHistoryRecord } from '@minne/core';
import { type RedisServer, serverMissing, startRedis } from '@minne/test-servers';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { RedisHistoryBackend, type RedisHistoryBackendOptions } from '../src/index.js';
import { turnOf } from './processes/turn.js';
import { TcpProxy } from './support/tcp-proxy.js';

const key = { sessionId: 's', sourceId: 'history' };
const kim = { ...key, actorId: 'kim' };

describe.skipIf(serverMissing('redis') !== undefined)('RedisHistoryBackend', () => {
  let server: RedisServer;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  }, 60_000);
  afterAll(async () => {
    redis?.disconnect();
    await server?.remove();
  });
  beforeEach(async () => {
    await redis.flushall();
  });

  function open(options: Partial<RedisHistoryBackendOptions> = {}): RedisHistoryBackend {
    const backend = new RedisHistoryBackend({ url: server.url, ...options });
    onTestFinished(() => backend.close());
    return backend;
  }

  async function timesToLive(): Promise<[key: string, milliseconds: number][]> {
    const times: [key: string, milliseconds: number][] = [];
    for (const name of await redis.keys('*')) times.push([name, await redis.pttl(name)]);
    return times;
  }

  describe('costs', () => {
    it('one round trip for each append, load, replace and version, and one command for an append', async () => {
      const proxy = await TcpProxy.start(server.port);
      onTestFinished(() => proxy.close());
      for (const options of [
        { maxMessages: 4 },
        { maxMessages: 4, ttl: 60_000 },
        { ttl: 60_000, refreshOnRead: true },
      ]) {
        await redis.flushall();
        const backend = open({ ...options, url: proxy.url });
        // The server sees each script for the first time.
        await backend.append({ ...kim, sessionId: 'other' }, turnOf('t'));
        const { version } = await backend.load({ ...kim, sessionId: 'other' }, { ids: ['x'] });
        await backend.replace({ ...kim, sessionId: 'other' }, turnOf('u'), { version });
        const begun = proxy.roundTrips;
        await backend.append(kim, turnOf('t1'));
        await backend.append(kim, turnOf('t2'));
        await backend.append(kim, turnOf('t3'));
        expect(proxy.roundTrips - begun).toBe(3);
        const loaded = await backend.load(kim, { limit: 3, ids: ['t1.user'] });
        expect(proxy.roundTrips - begun).toBe(4);
        await backend.replace(kim, loaded.records, loaded);
        expect(proxy.roundTrips - begun).toBe(5);
        await backend.append(kim, []);
        expect(proxy.roundTrips - begun).toBe(6);
      }
      await redis.config('RESETSTAT');
      const backend = open();
      for (const name of ['t4', 't5']) await backend.append(kim, turnOf(name));
      const calls = await redis.info('commandstats');
      expect(calls).toContain('cmdstat_evalsha:calls=2,');
      expect(calls).not.toMatch(/cmdstat_(scan|keys|sscan|hscan|zscan):/);
    });

    it('the same number of steps in a long history as in a short one', async () => {
      const backend = open({ maxMessages: 5000 });
      const steps = async (): Promise<string> => {
        await redis.config('RESETSTAT');
        await backend.append(kim, turnOf('counted'));
        await backend.load(kim, { limit: 2, ids: ['counted.user'] });
        const counted = await redis.info('commandstats');
        await backend.clear(kim);
        return [...counted.matchAll(/cmdstat_(\w+):calls=(\d+)/g)]
          .map(([, ...call]) => call)
          .join();
      };
      await steps();
      await backend.append(kim, [record('m')]);
      const short = await steps();
      await backend.append(
        kim,
        Array.from({ length: 4000 }, (_, index) => record(`m${index}`)),
      );
      expect(await steps()).toBe(short);
    });
  });

  describe('keeps', () => {
    it('U+0000, half surrogate pairs that JSON has escaped, and 3 MB, as they are', async () => {
      const backend = open();
      const payloads = [
        'before\0after\0',
        '\0'.repeat(10),
        JSON.stringify({ text: 'a\ud83d' }),
        '🙂é\u2028'.repeat(300_000),
      ];
      await backend.append(
        key,
        payloads.map((payload, index) => record(`m${index}`, payload)),
      );
      const { records, damaged } = await backend.load(key);
      expect(damaged).toEqual([]);
      expect(records.map(({ payload }) => payload === payloads.shift())).toEqual(
        records.map(() => true),
      );
      await expect(backend.append(key, [record('m9', 'a\ud83d')])).rejects.toMatchObject({
        code: 'invalid_input',
        field: 'records[0].payload',
      });
    });

    it('the 10,000 newest ids of what it trimmed', async () => {
      const backend = open({ maxMessages: 1 });
      const ids = Array.from({ length: 10_003 }, (_, index) => `m${index + 1}`);
      await backend.append(
        key,
        ids.map((id) => record(id)),
      );
      const { records, knownIds } = await backend.load(key, { ids: ['m1', 'm2', 'm3', 'm10003'] });
      expect(records.map(({ id }) => id)).toEqual(['m10003']);
      expect(knownIds).toEqual(['m3', 'm10003']);
    });

    it('sessions apart whose ids look like patterns, joints and hash tags of Redis', async () => {
      const backend = open();
      const ids = [
        'cat',
        'category',
        'cat*',
        'c?t',
        '[c]at',
        'cat:meta',
        '{cat}',
        'ca{t',
        '}',
        'c\nt',
        'Ŝ🙂',
        '%63at',
        'a b\\',
      ];
      const keys = ids.flatMap((id) => [
        { sessionId: id, sourceId: 'main', actorId: id },
        { sessionId: 'main', sourceId: id, actorId: id },
      ]);
      for (const each of keys) await backend.append(each, turnOf('t'));
      for (const [index, each] of keys.entries()) {
        await backend.clear(each);
        for (const [place, other] of keys.entries()) {
          const { records } = await backend.load(other);
          expect(records.length, `${other.sourceId} ${other.sessionId}`).toBe(
            place > index ? 2 : 0,
          );
        }
        const left = await Array.fromAsync(backend.list({ actorId: each.actorId }));
        expect(left.length).toBe(index % 2 === 0 ? 1 : 0);
      }
      expect(await redis.keys('*')).toEqual([]);
    });

    it('everything under the prefix, which may hold pattern characters', async () => {
      const backend = open({ keyPrefix: 'a*[b]?:' });
      await backend.append(kim, turnOf('t'));
      const other = open({ keyPrefix: 'axb:' });
      await other.append(kim, turnOf('t'));
      await backend.eraseActor('kim');
      const keys = await redis.keys('*');
      expect(keys.every((name) => name.startsWith('axb:'))).toBe(true);
      expect((await other.load(kim)).records.length).toBe(2);
    });
  });

  it('takes 40,000 records at once, to append and to replace', async () => {
    const backend = open({ commandTimeout: 60_000 });
    const records = Array.from({ length: 40_000 }, (_, index) => record(`m${index}`));
    await backend.append(key, records);
    const { records: stored, version } = await backend.load(key);
    expect(stored.length).toBe(40_000);
    await backend.replace(key, stored, { version });
    expect((await backend.load(key, { limit: 1 })).records).toEqual([stored.at(-1)]);
  }, 60_000);

  describe('expiry', () => {
    it('is one moment for every key of a session, and at most the ttl for the index', async () => {
      const backend = open({ ttl: 60_000, maxMessages: 2 });
      await backend.append(kim, [record('system', '{}', 'system'), ...turnOf('t1')]);
      await backend.append(kim, turnOf('t2'));
      const all = await timesToLive();
      expect(all.length).toBe(7);
      for (const [name, left] of all) {
        expect(left, name).toBeGreaterThan(40_000);
        expect(left, name).toBeLessThanOrEqual(60_000);
      }
      const deadlines = await Promise.all(
        all.map(async ([name]) => (name.includes('{') ? redis.pexpiretime(name) : undefined)),
      );
      expect(new Set(deadlines.filter((deadline) => deadline !== undefined)).size).toBe(1);
    });

    it('fixed counts anew once a replacement has left nothing', async () => {
      const backend = open({ ttl: 60_000, expiry: 'fixed' });
      await backend.append(kim, turnOf('t1'));
      const first = await redis.pexpiretime('minne:{history:s}:meta');
      await sleep(5);
      await backend.replace(kim, [], { version: (await backend.load(key)).version });
      await sleep(5);
      await backend.append(kim, turnOf('t2'));
      const second = await redis.pexpiretime('minne:{history:s}:meta');
      expect(second).toBeGreaterThan(first);
      await sleep(5);
      await backend.append(kim, turnOf('t3'));
      expect(await redis.pexpiretime('minne:{history:s}:meta')).toBe(second);
      expect(await redis.pexpiretime('minne:actor:kim')).toBe(second);
    });

    it('the index expires with the last of its histories, once none is left that never does', async () => {
      await open().append(kim, turnOf('t1'));
      expect(await redis.pttl('minne:actor:kim')).toBe(-1);
      await open({ ttl: 60_000 }).append(kim, turnOf('t2'));
      expect(await redis.pttl('minne:actor:kim')).toBeGreaterThan(0);
    });

    it('fixed keeps the first moment, also for keys that come later', async () => {
      const backend = open({ ttl: 60_000, expiry: 'fixed', maxMessages: 2 });
      await backend.append(kim, turnOf('t1'));
      const deadline = await redis.pexpiretime('minne:{history:s}:meta');
      await new Promise((resolve) => setTimeout(resolve, 15));
      await backend.append(kim, turnOf('t2'));
      const { records, version } = await backend.load(kim);
      await backend.replace(kim, records, { version });
      for (const name of await redis.keys('minne:{*')) {
        expect(await redis.pexpiretime(name), name).toBe(deadline);
      }
      expect(await redis.pexpiretime('minne:actor:kim')).toBe(deadline);
    });

    it('is taken away by a write of a backend without a ttl, and set again by one with', async () => {
      const [expiring, lasting] = [open({ ttl: 60_000 }), open()];
      await expiring.append(kim, turnOf('t1'));
      await lasting.append(kim, turnOf('t2'));
      const untouched = await timesToLive();
      expect(untouched.length).toBe(6);
      expect(untouched.filter(([, left]) => left !== -1)).toEqual([]);
      await expiring.append(kim, turnOf('t3'));
      for (const [name, left] of await timesToLive()) {
        if (name.includes('{')) expect(left, name).toBeGreaterThan(0);
      }
    });

    it('moves the index along when a read counts as a write, whoever reads', async () => {
      const backend = open({ ttl: 60_000, refreshOnRead: true });
      await backend.append(kim, turnOf('t1'));
      for (const reader of [key, kim]) {
        for (const name of await redis.keys('*')) await redis.pexpire(name, 5_000);
        await backend.load(reader);
        for (const [name, left] of await timesToLive()) expect(left, name).toBeGreaterThan(40_000);
      }
    });

    it('takes what has expired out of the index at the next write of the actor', async () => {
      const brief = open({ ttl: 30 });
      const lasting = open();
      await lasting.append({ ...kim, sessionId: 'lasting' }, turnOf('t'));
      await brief.append(kim, turnOf('t'));
      expect(await redis.zcard('minne:actor:kim')).toBe(2);
      await new Promise((resolve) => setTimeout(resolve, 60));
      await lasting.append({ ...kim, sessionId: 'another' }, turnOf('t'));
      expect(await redis.zrange('minne:actor:kim', '0', '-1')).toEqual([
        'history:another',
        'history:lasting',
      ]);
    });
  });

  describe('a life that is over', () => {
    it.each(['clear', 'expiry'])('gives back no version and no sequence: %s', async (end) => {
      const backend = open(end === 'expiry' ? { ttl: 150 } : {});
      const first = await backend.append(key, turnOf('t'));
      const before = await backend.load(key);
      if (end === 'clear') await backend.clear(key);
      else await new Promise((resolve) => setTimeout(resolve, 200));
      expect(await backend.load(key, { ids: ['t.user'] })).toEqual({
        records: [],
        version: '0',
        knownIds: [],
        damaged: [],
      });
      const again = await backend.append(key, turnOf('t'));
      expect(again.duplicates).toEqual([]);
      expect(Number(again.version)).toBeGreaterThan(Number(first.version));
      const { records } = await backend.load(key);
      expect(records[0]?.sequence).toBeGreaterThan(before.records.at(-1)?.sequence ?? 0);
      await expect(backend.replace(key, [], first)).rejects.toMatchObject({ code: 'conflict' });
    });

    it('is not taken up again from keys that somebody left when deleting the meta', async () => {
      const backend = open();
      await backend.append(key, turnOf('t1'));
      await redis.del('minne:{history:s}:meta');
      expect((await backend.load(key, { ids: ['t1.user'] })).records).toEqual([]);
      await backend.append(key, turnOf('t1'));
      expect((await backend.load(key)).records.length).toBe(2);
    });
  });

  describe('refuses', () => {
    it.each(['meta', 'records', 'ids', 'groups', 'members', 'removed'])(
      'a key of another type, by its name, and writes nothing: %s',
      async (part) => {
        const name = `minne:{history:s}:${part}`;
        const backend = open({ maxMessages: 1 });
        await backend.append(key, turnOf('t1'));
        await backend.append(key, turnOf('t2'));
        const before = await backend.load(key);
        await redis.rename(name, 'aside');
        await redis.set(name, 'text');
        const error = {
          code: 'store_failed',
          retryable: false,
          message: expect.stringContaining(name),
        };
        await expect(backend.append(key, turnOf('t3'))).rejects.toMatchObject(error);
        await expect(backend.replace(key, [], before)).rejects.toMatchObject(error);
        if (['meta', 'records', 'ids', 'removed'].includes(part)) {
          await expect(backend.load(key, { ids: ['x'] })).rejects.toMatchObject(error);
        }
        await redis.rename('aside', name);
        expect(await backend.load(key)).toEqual(before);
      },
    );

    it('an index of another type, before anything is written', async () => {
      await redis.set('minne:actor:kim', 'text');
      const backend = open();
      const error = { code: 'store_failed', message: expect.stringContaining('minne:actor:kim') };
      await expect(backend.append(kim, turnOf('t1'))).rejects.toMatchObject(error);
      await expect(Array.fromAsync(backend.list({ actorId: 'kim' }))).rejects.toMatchObject(error);
      expect((await backend.load(kim)).records).toEqual([]);
    });

    it('a history of a newer layout, and leaves it as it is', async () => {
      const backend = open();
      await backend.append(kim, turnOf('t1'));
      const before = await backend.load(kim);
      await redis.hset('minne:{history:s}:meta', 'layout', '2');
      const error = {
        code: 'store_failed',
        retryable: false,
        message: expect.stringMatching(/layout 2.*Update @minne\/history-redis/),
      };
      await expect(backend.load(kim)).rejects.toMatchObject(error);
      await expect(backend.append(kim, turnOf('t2'))).rejects.toMatchObject(error);
      await expect(backend.replace(kim, [], before)).rejects.toMatchObject(error);
      await expect(backend.clear(kim)).rejects.toMatchObject(error);
      await expect(backend.eraseActor('kim')).rejects.toMatchObject(error);
      await redis.hset('minne:{history:s}:meta', 'layout', '1');
      expect(await backend.load(kim)).toEqual(before);
    });

    it('calls after close, and lets through what was begun', async () => {
      const backend = open();
      const appending = backend.append(key, turnOf('t'));
      await Promise.all([backend.close(), backend.close()]);
      await appending;
      await expect(backend.append(key, turnOf('u'))).rejects.toThrow(/closed/);
      const client = new Redis(server.url);
      onTestFinished(() => client.disconnect());
      const lent = new RedisHistoryBackend({ client });
      const listeners = client.listenerCount('error');
      expect((await lent.load(key)).records.length).toBe(2);
      await lent.close();
      expect([await client.ping(), client.listenerCount('error')]).toEqual(['PONG', listeners]);
    });
  });

  it('says which record is damaged, and pages over it', async () => {
    const backend = open();
    await backend.append(key, [record('m1'), record('m2'), record('m3')]);
    const records = 'minne:{history:s}:records';
    const [, middle = ''] = await redis.zrange(records, '0', '-1');
    const sequence = Number(middle.split('\0')[0]);
    await redis.zrem(records, middle);
    await redis.zadd(records, sequence, middle.replace('\0user\0', '\0nobody\0'));
    const loaded = await backend.load(key, { ids: ['m2'] });
    expect(loaded.records.map(({ id }) => id)).toEqual(['m1', 'm3']);
    expect(loaded.damaged).toEqual([{ sequence, reason: expect.stringContaining('.kind') }]);
    expect(loaded.knownIds).toEqual(['m2']);
    const page = await backend.load(key, { before: sequence, limit: 5 });
    expect(page.records.map(({ id }) => id)).toEqual(['m1']);
  });

  it('keeps the place of records through a replacement, and pages over the gaps', async () => {
    const backend = open();
    await backend.append(
      key,
      [1, 2, 3, 4].map((index) => record(`m${index}`)),
    );
    const { records, version } = await backend.load(key);
    const [first, , third, fourth] = records;
    if (first === undefined || third === undefined || fourth === undefined)
      expect.fail('Four were written.');
    await backend.replace(
      key,
      [first, { ...record('summary'), sequence: third.sequence }, fourth],
      { version },
    );
    const page = await backend.load(key, { before: fourth.sequence, limit: 1 });
    expect(page.records).toEqual([{ ...record('summary'), sequence: third.sequence }]);
    await backend.append(key, [record('m5')]);
    expect((await backend.load(key)).records.at(-1)?.sequence).toBeGreaterThan(fourth.sequence);
  });

  it('takes a history out of the index of an actor who has lost it, and puts back none that is there', async () => {
    const backend = open();
    await backend.append(kim, turnOf('t1'));
    await backend.append({ ...kim, actorId: 'lee' }, turnOf('t2'));
    const name = encodeHistoryKey(key, { packageName: 'test' });
    expect(await redis.zrange('minne:actor:kim', '0', '-1')).toEqual([name]);
    expect(await Array.fromAsync(backend.list({ actorId: 'kim' }))).toEqual([]);
    expect(await redis.exists('minne:actor:kim')).toBe(0);
    expect((await Array.fromAsync(backend.list({ actorId: 'lee' }))).length).toBe(1);
    expect(await backend.eraseActor('kim')).toBe(0);
    expect((await backend.load(key)).records.length).toBe(4);
  });

  it('puts a name back that somebody took out of the index and did not live to put back', async () => {
    const backend = open();
    await backend.append(kim, turnOf('t1'));
    await redis.del('minne:actor:kim');
    await backend.append(kim, turnOf('t2'));
    expect(await backend.eraseActor('kim')).toBe(1);
    expect(await redis.keys('*')).toEqual([]);
  });

  it('erases an actor while others write, and lists whatever is left', async () => {
    const backend = open();
    const keys: HistoryKey[] = Array.from({ length: 150 }, (_, index) => ({
      ...kim,
      sessionId: `s${index}`,
    }));
    await Promise.all(keys.map((each) => backend.append(each, turnOf('t1'))));
    const [erased] = await Promise.all([
      backend.eraseActor('kim'),
      ...keys.map((each) => backend.append(each, turnOf('t2'))),
    ]);
    expect(erased).toBe(150);
    const left = [];
    for (const each of keys) if ((await backend.load(each)).records.length > 0) left.push(each);
    const listed = await Array.fromAsync(backend.list({ actorId: 'kim' }));
    expect(listed.length).toBe(left.length);
    expect(await backend.eraseActor('kim')).toBe(left.length);
    expect(await redis.keys('*')).toEqual([]);
  });
});

function record(
  id: string,
  payload = JSON.stringify({ id }),
  kind: NewHistoryRecord['kind'] = 'user',
): NewHistoryRecord {
  return { v: 1, id, group: id, kind, payload };
}

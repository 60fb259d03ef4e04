import { encodeHistoryKey } from '@minne/core';
import { type RedisCluster, serverMissing, startRedisCluster } from '@minne/test-servers';
import { Cluster, Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { RedisHistoryBackend } from '../src/index.js';
import { turnOf } from './processes/turn.js';

const key = { sessionId: 's', sourceId: 'history', actorId: 'kim' };
const name = encodeHistoryKey(key, { packageName: 'test' });

describe.skipIf(serverMissing('redis') !== undefined)('on a Cluster', () => {
  let servers: RedisCluster;
  let cluster: Cluster;
  beforeAll(async () => {
    servers = await startRedisCluster();
    cluster = new Cluster(servers.nodes.slice(0, 1));
    await cluster.ping();
  }, 60_000);
  afterAll(async () => {
    cluster?.disconnect();
    await servers?.remove();
  });
  beforeEach(async () => {
    for (const node of cluster.nodes('master')) await node.flushall();
  });

  async function allKeys(): Promise<string[]> {
    const keys = await Promise.all(cluster.nodes('master').map((node) => node.keys('*')));
    return keys.flat().sort();
  }

  /** How many scripts and transactions the servers run for this. */
  async function commandsOf(work: () => Promise<unknown>): Promise<number> {
    const count = async () => {
      const stats = await Promise.all(
        cluster.nodes('master').map((node) => node.info('commandstats')),
      );
      const calls = stats.join().matchAll(/cmdstat_(?:evalsha|exec):calls=(\d+)/g);
      return [...calls].reduce((sum, [, calls]) => sum + Number(calls), 0);
    };
    const before = await count();
    await work();
    return (await count()) - before;
  }

  it('puts all keys of a session into one slot, and sessions and actors into many', async () => {
    const backend = new RedisHistoryBackend({ client: cluster, maxMessages: 2 });
    for (let session = 0; session < 30; session++) {
      const each = { ...key, sessionId: `s${session}`, actorId: `kim${session}` };
      await backend.append(each, turnOf('t1'));
      await backend.append(each, turnOf('t2'));
    }
    const slots = new Map<string, Set<number>>();
    for (const stored of await allKeys()) {
      const tag = /\{.+\}/.exec(stored)?.[0] ?? stored;
      const slot = Number(await cluster.cluster('KEYSLOT', stored));
      slots.set(tag, (slots.get(tag) ?? new Set()).add(slot));
    }
    expect(slots.size).toBe(60);
    expect([...slots.values()].filter(({ size }) => size > 1)).toEqual([]);
    for (const node of cluster.nodes('master')) expect(await node.dbsize()).toBeGreaterThan(0);
  });

  it('costs one command once the index knows the session, and a second with a sliding ttl', async () => {
    const client = cluster;
    const backend = new RedisHistoryBackend({ client });
    await backend.append({ ...key, sessionId: 'warm' }, turnOf('t'));
    expect(await commandsOf(() => backend.append(key, turnOf('t1')))).toBe(3);
    expect(await commandsOf(() => backend.append(key, turnOf('t2')))).toBe(1);
    expect(await commandsOf(() => backend.load(key))).toBe(1);
    const again = new RedisHistoryBackend({ client });
    expect(await commandsOf(() => again.append(key, turnOf('t3')))).toBe(2);
    expect(await commandsOf(() => again.append(key, turnOf('t4')))).toBe(1);
    const sliding = new RedisHistoryBackend({ client, ttl: 60_000 });
    await sliding.append(key, turnOf('t5'));
    expect(await commandsOf(() => sliding.append(key, turnOf('t6')))).toBe(2);
    for (const stored of await allKeys()) {
      if (!stored.includes('warm') && !stored.includes('actor')) {
        expect(await cluster.pttl(stored), stored).toBeGreaterThan(50_000);
      }
    }
  });

  it('tells the index again when another process has cleared or erased what this one knows', async () => {
    const [one, other] = [1, 2].map(() => new RedisHistoryBackend({ client: cluster }));
    if (one === undefined || other === undefined) expect.fail('Two were made.');
    for (const end of [() => other.clear(key), () => other.eraseActor('kim')]) {
      await one.append(key, turnOf('t1'));
      await end();
      expect(await allKeys()).toEqual([]);
      await one.append(key, turnOf('t1'));
      const listed = await Array.fromAsync(other.list({ actorId: 'kim' }));
      expect(listed.map((listing) => listing.key)).toEqual([key]);
    }
  });

  it('believes the session and not the index, which it mends', async () => {
    const backend = new RedisHistoryBackend({ client: cluster });
    await backend.append(key, turnOf('t1'));
    await cluster.zadd('minne:actor:kim', 'inf', 'history:never');
    await cluster.zadd('minne:actor:lee', 'inf', name);
    expect(
      (await Array.fromAsync(backend.list({ actorId: 'kim' }))).map((each) => each.key),
    ).toEqual([key]);
    expect(await cluster.zrange('minne:actor:kim', '0', '-1')).toEqual([name]);
    expect(await backend.eraseActor('lee')).toBe(0);
    expect((await backend.load(key)).records.length).toBe(2);
    expect(await cluster.exists('minne:actor:lee')).toBe(0);
  });

  it('follows a slot that has moved to another server, with reads, writes and the index', async () => {
    const backend = new RedisHistoryBackend({ client: cluster });
    await backend.append(key, turnOf('t1'));
    await move(`minne:{${name}}:meta`);
    await backend.append(key, turnOf('t2'));
    await move(`minne:{${name}}:meta`);
    const { records, version } = await backend.load(key, { ids: ['t1.user'] });
    expect(records.map(({ group }) => group)).toEqual(['t1', 't1', 't2', 't2']);
    await move(`minne:{${name}}:meta`);
    await backend.replace(key, records.slice(2), { version });
    await move('minne:actor:kim');
    expect((await Array.fromAsync(backend.list({ actorId: 'kim' }))).length).toBe(1);
    await move(`minne:{${name}}:meta`);
    expect(await backend.eraseActor('kim')).toBe(1);
    expect(await allKeys()).toEqual([]);
  });

  it('says that a client of a single server is no client of a Cluster', async () => {
    const client = new Redis(servers.servers[0]?.url ?? '');
    onTestFinished(() => client.disconnect());
    const backend = new RedisHistoryBackend({ client });
    for (const sessionId of ['s1', 's2', 's3', 's4']) {
      await expect(backend.append({ ...key, sessionId }, turnOf('t'))).rejects.toMatchObject({
        code: 'store_failed',
        retryable: false,
        message: expect.stringMatching(/(CROSSSLOT|MOVED).*Cluster of ioredis/),
      });
    }
  });

  /** Moves the slot of a key, with what is in it, to another server, without telling the client. */
  async function move(stored: string): Promise<void> {
    const slot = String(await cluster.cluster('KEYSLOT', stored));
    const nodes = await Promise.all(
      servers.nodes.map(async ({ host, port }) => {
        const node = new Redis({ host, port });
        onTestFinished(() => node.disconnect());
        const keys = (await node.call('CLUSTER', 'GETKEYSINSLOT', slot, '100')) as string[];
        return { node, port, keys, id: String(await node.call('CLUSTER', 'MYID')) };
      }),
    );
    const from = nodes.find(({ keys }) => keys.length > 0);
    const to = nodes.find((node) => node !== from);
    if (from === undefined || to === undefined) expect.fail(`No server holds ${stored}.`);
    await to.node.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id);
    await from.node.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id);
    await from.node.call(
      'MIGRATE',
      '127.0.0.1',
      String(to.port),
      '',
      '0',
      '5000',
      'KEYS',
      ...from.keys,
    );
    for (const { node } of [to, from, ...nodes])
      await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', to.id);
  }
});

import { testHistoryBackend } from '@minne/conformance/history';
import {
  type RedisCluster,
  type RedisServer,
  serverMissing,
  startRedis,
  startRedisCluster,
} from '@minne/test-servers';
import { Cluster, Redis } from 'ioredis';
import { Cluster as Cluster5, Redis as Redis5 } from 'ioredis-5';
import { afterAll, beforeAll, describe } from 'vitest';
import { RedisHistoryBackend } from '../src/index.js';
import { damageOldest } from './support/damage-oldest.js';

const missing = serverMissing('redis');
const abilities = {
  replace: true,
  list: true,
  erase: true,
  durable: true,
  trimming: true,
  expiry: true,
  damage: true,
};

let cases = 0;

describe.skipIf(missing !== undefined)('on a single server', () => {
  let server: RedisServer;
  let redis: Redis;
  let redis5: Redis5;
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    redis5 = new Redis5(server.url);
  }, 60_000);
  afterAll(async () => {
    redis?.disconnect();
    redis5?.disconnect();
    await server?.remove();
  });

  testHistoryBackend({
    name: 'RedisHistoryBackend by url',
    abilities,
    create() {
      const keyPrefix = `case ${++cases}:`;
      return {
        open: (options) => new RedisHistoryBackend({ url: server.url, keyPrefix, ...options }),
        damage: (key) => damageOldest(redis, keyPrefix, key),
      };
    },
  });

  testHistoryBackend({
    name: 'RedisHistoryBackend with a client of ioredis 5 that has a prefix of its own',
    abilities,
    create() {
      const keyPrefix = `case ${++cases}:`;
      const client = new Redis5(server.url, { keyPrefix: 'app:', enableAutoPipelining: true });
      return {
        open: (options) => new RedisHistoryBackend({ client, keyPrefix, ...options }),
        damage: (key) => damageOldest(redis5, `app:${keyPrefix}`, key),
        remove: () => client.disconnect(),
      };
    },
  });
});

describe.skipIf(missing !== undefined)('on a Cluster of three', () => {
  let servers: RedisCluster;
  let cluster: Cluster;
  let cluster5: Cluster5;
  beforeAll(async () => {
    servers = await startRedisCluster();
    // One node is named: the others are found.
    cluster = new Cluster(servers.nodes.slice(0, 1));
    cluster5 = new Cluster5(servers.nodes.slice(0, 1));
  }, 60_000);
  afterAll(async () => {
    cluster?.disconnect();
    cluster5?.disconnect();
    await servers?.remove();
  });

  testHistoryBackend({
    name: 'RedisHistoryBackend on a Cluster',
    abilities,
    create() {
      const keyPrefix = `case ${++cases}:`;
      return {
        open: (options) => new RedisHistoryBackend({ client: cluster, keyPrefix, ...options }),
        damage: (key) => damageOldest(cluster, keyPrefix, key),
      };
    },
  });

  testHistoryBackend({
    name: 'RedisHistoryBackend on a Cluster, ioredis 5',
    abilities,
    create() {
      const keyPrefix = `case ${++cases}:`;
      return {
        open: (options) => new RedisHistoryBackend({ client: cluster5, keyPrefix, ...options }),
        damage: (key) => damageOldest(cluster5, keyPrefix, key),
      };
    },
  });
});

export { startPgBouncer } from './pg-bouncer.js';
export {
  type PostgresServer,
  type StartPostgresOptions,
  startPostgres,
} from './postgres-server.js';
export { type RedisCluster, startRedisCluster } from './redis-cluster.js';
export { type RedisServer, type StartRedisOptions, startRedis } from './redis-server.js';
export { type ServerName, serverMissing } from './server-binary.js';
export type { ServerProcess } from './server-process.js';

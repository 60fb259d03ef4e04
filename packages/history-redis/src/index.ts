export type { RedisClient, RedisTransaction } from './redis-client.js';
export { RedisHistoryBackend } from './redis-history-backend.js';
export type {
  RedisConnectionOptions,
  RedisHistoryBackendOptions,
} from './redis-history-options.js';
export {
  RedisHistoryProvider,
  type RedisHistoryProviderOptions,
} from './redis-history-provider.js';

export { type PostgresHistorySqlOptions, postgresHistorySql } from './history-schema.js';
export type { PostgresPool, PostgresPoolClient, PostgresStatement } from './postgres-api.js';
export { PostgresHistoryBackend } from './postgres-history-backend.js';
export type {
  PostgresHistoryBackendOptions,
  PostgresHistoryCommonOptions,
} from './postgres-history-options.js';
export {
  PostgresHistoryProvider,
  type PostgresHistoryProviderOptions,
} from './postgres-history-provider.js';

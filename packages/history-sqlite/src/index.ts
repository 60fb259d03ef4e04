export { SqliteHistoryBackend } from './sqlite-history-backend.js';
export type { SqliteHistoryBackendOptions } from './sqlite-history-options.js';
export {
  SqliteHistoryProvider,
  type SqliteHistoryProviderOptions,
} from './sqlite-history-provider.js';

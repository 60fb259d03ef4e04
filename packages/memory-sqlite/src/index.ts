export { SqliteMemoryStorage } from './sqlite-memory-storage.js';
export type {
  SqliteDatabaseOptions,
  SqliteFileOptions,
  SqliteMemoryStorageOptions,
} from './sqlite-options.js';

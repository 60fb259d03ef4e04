export { SqliteMemoryStorage, type SqliteMemoryStorageOptions } from './sqlite-memory-storage.js';

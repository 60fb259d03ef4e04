export { SqliteSessionStore } from './sqlite-session-store.js';
export type { SqliteSessionStoreOptions } from './sqlite-session-store-options.js';

export { FileSessionStore } from './file-session-store.js';
export type { FileSessionStoreOptions } from './file-session-store-options.js';

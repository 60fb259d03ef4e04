export {
  type AdminTokenOptions,
  type Authenticate,
  adminToken,
} from './authenticate.js';
export { type BrowserGuardOptions, checkBrowserAccess } from './browser-guard.js';
export {
  createMemoryServer,
  type MemoryServer,
  type MemoryServerOptions,
} from './memory-server.js';

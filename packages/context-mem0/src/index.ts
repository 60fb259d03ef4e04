export {
  createMem0OpenSourceMemory,
  createMem0PlatformClient,
  type Mem0PlatformClientOptions,
  type Mem0TelemetryOptions,
} from './create-mem0-client.js';
export type {
  Mem0AddOptions,
  Mem0Client,
  Mem0ClientSource,
  Mem0Message,
  Mem0OpenSourceMemory,
  Mem0PlatformClient,
  Mem0SearchOptions,
} from './mem0-client.js';
export type { Mem0ContextProviderOptions } from './mem0-context-options.js';
export { Mem0ContextProvider } from './mem0-context-provider.js';
export type { Mem0Scope, Mem0ScopeContext, Mem0ScopeSource } from './mem0-scope.js';

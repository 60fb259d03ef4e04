export {
  InMemoryHistoryProvider,
  type InMemoryHistoryProviderOptions,
} from './in-memory-history-provider.js';

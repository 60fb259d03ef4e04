export type { SkippedCase } from '../shared/conformance-case.js';
export type {
  HistoryAbilities,
  HistorySuiteOptions,
  HistoryTestStore,
  OpenHistoryOptions,
} from './history-suite-options.js';
export { testHistoryBackend } from './test-history-backend.js';

export type { SkippedCase } from '../shared/conformance-case.js';
export type {
  OpenedSessionStore,
  SessionStoreAbilities,
  SessionSuiteOptions,
  SessionTestPlace,
} from './session-suite-options.js';
export { testSessionStore } from './test-session-store.js';

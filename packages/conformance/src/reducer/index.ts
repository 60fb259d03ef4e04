export type { SkippedCase } from '../shared/conformance-case.js';
export { expectLawful } from './laws.js';
export type {
  ChatReducerAbilities,
  ChatReducerSuiteOptions,
  ReducerParts,
} from './reducer-suite-options.js';
export { testChatReducer } from './test-chat-reducer.js';

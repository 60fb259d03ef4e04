import type { ConformanceCase } from '../shared/conformance-case.js';
import type { ChatReducerAbilities } from './reducer-suite-options.js';
import type { ReducerTestContext } from './reducer-test-context.js';

/** One promise of `ChatReducer`. */
export type ChatReducerCase = ConformanceCase<ReducerTestContext, ChatReducerAbilities>;

export { type CachedTokenCounterOptions, cachedTokenCounter } from './cached-token-counter.js';
export {
  type EncoderTokenCounterOptions,
  encoderTokenCounter,
  type TokenEncoder,
} from './encoder-token-counter.js';
export { estimatedTokenCounter } from './estimated-token-counter.js';
export {
  MessageCountingReducer,
  type MessageCountingReducerOptions,
} from './message-counting-reducer.js';
export { groupMessages, type MessageGroups } from './message-groups.js';
export { type SummaryRange, summaryRangeOf } from './message-kinds.js';
export {
  ReducerPipeline,
  type ReducerPipelineOptions,
  type ReducerStep,
} from './reducer-pipeline.js';
export { reductionsText, reductionText } from './reduction-text.js';
export {
  all,
  any,
  messagesOver,
  not,
  type ReductionTrigger,
  type TriggerInput,
  tokensOver,
  toolCallsOver,
  turnsOver,
} from './reduction-triggers.js';
export {
  SlidingWindowReducer,
  type SlidingWindowReducerOptions,
} from './sliding-window-reducer.js';
export type { SummarizingReducerOptions } from './summarizing-options.js';
export { SummarizingReducer } from './summarizing-reducer.js';
export { defaultSummaryInstructions } from './summary-request.js';
export { TokenBudgetReducer, type TokenBudgetReducerOptions } from './token-budget-reducer.js';
export {
  ToolResultClearingReducer,
  type ToolResultClearingReducerOptions,
} from './tool-result-clearing-reducer.js';
export { selectWindow, type WindowOptions, type WindowSelection } from './window-selection.js';

// Who takes part in measuring time: a name, and what it does to a conversation in its own dialect.
import { trimMessages } from '@langchain/core/messages';
import {
  all,
  MessageCountingReducer,
  messagesOver,
  ReducerPipeline,
  SlidingWindowReducer,
  SummarizingReducer,
  TokenBudgetReducer,
  ToolResultClearingReducer,
  toolCallsOver,
} from '@minne/reducers';
import { pruneMessages } from 'ai';
import { aiSdk, langChain, minne } from './dialects.mjs';

/** Answers at once, so that what is measured is the reducer. */
export const instantSummariser = {
  specificationVersion: 'v1',
  historyStorage: 'none',
  getResponse: async () => ({
    messages: [{ role: 'assistant', contents: 'They spoke of trains, seats and the weather.' }],
  }),
};

export const reducing = (reducer) => async (messages) => (await reducer.reduce(messages)).messages;

const isSystem = (message) => message.getType() === 'system';
/** `trimMessages` by the number of messages. System ones are free, as they are with us. */
export const trimByCount = (maxTokens, options) => (messages) =>
  trimMessages(messages, {
    maxTokens,
    tokenCounter: (list) => list.length - (isSystem(list[0]) ? 1 : 0),
    strategy: 'last',
    ...options,
  });
export const recommended = { startOn: 'human', includeSystem: true };
export const pruneBefore = (count) => (messages) =>
  pruneMessages({ messages, toolCalls: `before-last-${count}-messages` });

const clearing = new ToolResultClearingReducer({ targetCount: 10 });
const window = new SlidingWindowReducer({ targetCount: 25 });
const pipeline = new ReducerPipeline({
  steps: [
    { reducer: clearing, when: toolCallsOver(20) },
    { reducer: window, when: all(messagesOver(100), toolCallsOver(10)) },
    new TokenBudgetReducer({ targetTokens: 4000, threshold: 2000 }),
  ],
});

/**
 * `fresh`: every round has messages that were never counted. `most`: it is not given more messages, since it
 * copies what is left at every step, and a single round with 30,000 took 16 seconds.
 */
export const contestants = [
  {
    name: 'MessageCountingReducer',
    dialect: minne,
    run: reducing(new MessageCountingReducer({ targetCount: 100 })),
  },
  { name: 'SlidingWindowReducer', dialect: minne, run: reducing(window) },
  { name: 'ToolResultClearingReducer', dialect: minne, run: reducing(clearing) },
  {
    name: 'TokenBudgetReducer, all counted before',
    dialect: minne,
    run: reducing(new TokenBudgetReducer({ targetTokens: 5000 })),
  },
  {
    name: 'TokenBudgetReducer, nothing counted',
    dialect: minne,
    fresh: true,
    run: reducing(new TokenBudgetReducer({ targetTokens: 5000 })),
  },
  {
    name: 'SummarizingReducer',
    dialect: minne,
    run: reducing(new SummarizingReducer({ chatClient: instantSummariser, targetCount: 100 })),
  },
  { name: 'ReducerPipeline, three steps', dialect: minne, run: reducing(pipeline) },
  { name: 'LangChain trimMessages', dialect: langChain, most: 10_000, run: trimByCount(100, {}) },
  {
    name: 'LangChain, startOn, includeSystem',
    dialect: langChain,
    most: 10_000,
    run: trimByCount(100, recommended),
  },
  { name: 'AI SDK pruneMessages', dialect: aiSdk, run: pruneBefore(100) },
];

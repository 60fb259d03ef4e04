import { testChatReducer } from '@minne/conformance/reducer';
import {
  MessageCountingReducer,
  messagesOver,
  ReducerPipeline,
  SlidingWindowReducer,
  SummarizingReducer,
  TokenBudgetReducer,
  ToolResultClearingReducer,
  turnsOver,
} from '../src/index.js';

for (const targetCount of [1, 7]) {
  testChatReducer({
    name: `MessageCountingReducer to ${targetCount}`,
    create: () => new MessageCountingReducer({ targetCount }),
  });
}

testChatReducer({
  name: 'MessageCountingReducer with a threshold',
  create: () => new MessageCountingReducer({ targetCount: 10, threshold: 20 }),
});

testChatReducer({
  name: 'SlidingWindowReducer',
  create: () => new SlidingWindowReducer({ targetCount: 3, threshold: 2 }),
});

testChatReducer({
  name: 'TokenBudgetReducer',
  abilities: { fixedTokens: true, tokenCounter: true },
  create: ({ tokenCounter }) =>
    new TokenBudgetReducer({ targetTokens: 1000, threshold: 500, tokenCounter }),
});

testChatReducer({
  name: 'ToolResultClearingReducer',
  create: () => new ToolResultClearingReducer({ targetCount: 3, marker: '[cleared]' }),
});

testChatReducer({
  name: 'SummarizingReducer',
  abilities: { summarises: true, summaryTimeout: true },
  create: ({ chatClient }) =>
    new SummarizingReducer({
      chatClient,
      targetCount: 6,
      threshold: 2,
      maxInputTokens: 4000,
      timeout: 1000,
    }),
});

testChatReducer({
  name: 'ReducerPipeline',
  abilities: { fixedTokens: true, tokenCounter: true },
  create: ({ tokenCounter }) =>
    new ReducerPipeline({
      steps: [
        new ToolResultClearingReducer({ targetCount: 5 }),
        { reducer: new SlidingWindowReducer({ targetCount: 4 }), when: turnsOver(8) },
        { reducer: new MessageCountingReducer({ targetCount: 30 }), when: messagesOver(30) },
        new TokenBudgetReducer({ targetTokens: 3000, tokenCounter }),
      ],
    }),
});

import {
  type ChatMessage,
  type ChatReducer,
  ConfigurationError,
  type TokenCounter,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import {
  all,
  any,
  cachedTokenCounter,
  encoderTokenCounter,
  MessageCountingReducer,
  not,
  ReducerPipeline,
  SlidingWindowReducer,
  SummarizingReducer,
  TokenBudgetReducer,
  ToolResultClearingReducer,
  tokensOver,
} from '../src/index.js';
import { talk } from './conversations.js';
import { Summariser } from './summariser.js';

/** What a program without types may hand over. */
function untyped<Wanted>(json: string): Wanted {
  return JSON.parse(json);
}

const chatClient = new Summariser();
const reducers: readonly ChatReducer[] = [
  new MessageCountingReducer({ targetCount: 2 }),
  new SlidingWindowReducer({ targetCount: 2 }),
  new TokenBudgetReducer({ targetTokens: 40 }),
  new ToolResultClearingReducer({ targetCount: 2 }),
  new SummarizingReducer({ chatClient, targetCount: 2 }),
  new ReducerPipeline({ steps: [new MessageCountingReducer({ targetCount: 2 })] }),
];

function counterOf(count: () => number): TokenCounter {
  return { specificationVersion: 'v1', id: 'odd', messageOverhead: 1, count };
}

describe('options that cannot work', () => {
  it.each<[string, string, () => unknown]>([
    ['no options', 'options', () => new MessageCountingReducer(untyped('null'))],
    ['no options', 'options', () => new SlidingWindowReducer(untyped('null'))],
    ['no options', 'options', () => new TokenBudgetReducer(untyped('null'))],
    ['no options', 'options', () => new ToolResultClearingReducer(untyped('null'))],
    ['no options', 'options', () => new SummarizingReducer(untyped('null'))],
    ['no options', 'options', () => new ReducerPipeline(untyped('null'))],
    ['no options', 'options', () => encoderTokenCounter(untyped('null'))],
    ['no steps', 'steps', () => new ReducerPipeline(untyped('{}'))],
    ['a step of nothing', 'steps[0]', () => new ReducerPipeline(untyped('{"steps":[null]}'))],
    ['a step of another kind', 'steps[0]', () => new ReducerPipeline(untyped('{"steps":[{}]}'))],
    [
      'a step whose trigger is none',
      'steps[0].when',
      () =>
        new ReducerPipeline({
          steps: [{ reducer: new MessageCountingReducer({ targetCount: 2 }), when: untyped('5') }],
        }),
    ],
    ['no trigger', 'all', () => all(untyped('null'))],
    ['no trigger', 'any', () => any(untyped('{}'))],
    ['no trigger', 'not', () => not(untyped('null'))],
    [
      'a marker that is a number',
      'marker',
      () => new ToolResultClearingReducer({ targetCount: 1, marker: untyped('5') }),
    ],
    [
      'one name in place of several',
      'exceptTools',
      () => new ToolResultClearingReducer({ targetCount: 1, exceptTools: untyped('"look"') }),
    ],
    [
      'no client',
      'chatClient',
      () => new SummarizingReducer({ targetCount: 2, chatClient: untyped('{}') }),
    ],
    [
      'instructions that are a number',
      'instructions',
      () => new SummarizingReducer({ targetCount: 2, chatClient, instructions: untyped('5') }),
    ],
    [
      'a time that no timer can wait',
      'timeout',
      () => new SummarizingReducer({ targetCount: 2, chatClient, timeout: 2 ** 31 }),
    ],
    ['no counter', 'tokenCounter', () => cachedTokenCounter(untyped('null'))],
    ['no counter', 'tokenCounter', () => tokensOver(5, untyped('{"messageOverhead":1}'))],
    [
      'a counter without an overhead',
      'tokenCounter',
      () => encoderTokenCounter({ id: 'e', encoder: { encode: () => [] }, messageOverhead: -1 }),
    ],
  ])('are refused by name: %s (%s)', (_, field, make) => {
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(expect.objectContaining({ field, packageName: '@minne/reducers' }));
  });
});

describe.each(reducers)('$id', (reducer) => {
  it.each(['null', '{}', '"text"', '[null]', '[{"id":"a","role":"user"}]'])(
    'says that %s is no history',
    async (json) => {
      await expect(reducer.reduce(untyped(json))).rejects.toMatchObject({
        code: 'invalid_input',
        field: 'messages',
      });
    },
  );
});

describe('tokens that are none', () => {
  it.each([Number.NaN, -1, Number.NEGATIVE_INFINITY, untyped<number>('"3"')])(
    'are no fixedTokens: %s',
    async (fixedTokens) => {
      for (const steps of [[new TokenBudgetReducer({ targetTokens: 40 })]]) {
        for (const reducer of [...steps, new ReducerPipeline({ steps })]) {
          await expect(reducer.reduce(talk(20), { fixedTokens })).rejects.toMatchObject({
            code: 'invalid_input',
            field: 'fixedTokens',
          });
        }
      }
    },
  );

  it.each([
    Number.NaN,
    -1,
    Number.POSITIVE_INFINITY,
    untyped<number>('"3"'),
    untyped<number>('null'),
  ])('are not counted: %s', async (tokens) => {
    const reducer = new TokenBudgetReducer({
      targetTokens: 40,
      tokenCounter: counterOf(() => tokens),
    });
    await expect(reducer.reduce(talk(20))).rejects.toThrow(/tokenCounter odd counted/);
  });
});

it('accounts for a message that stands in a history twice', async () => {
  const history = [...talk(6)];
  history.push(...history);
  const reducer = new ReducerPipeline({ steps: [new MessageCountingReducer({ targetCount: 2 })] });
  const { messages, removed } = await reducer.reduce(history);
  expect(messages).toHaveLength(2);
  expect(removed).toHaveLength(10);
});

describe('results whose calls are nowhere before them', () => {
  const message = (id: string, role: ChatMessage['role'], contents: ChatMessage['contents']) => ({
    id,
    role,
    contents,
    createdAt: '2026-05-01T10:00:00.000Z',
  });
  const result = (callId: string) => ({ type: 'tool_result', callId, result: 'seen' }) as const;
  const call = { type: 'tool_call', callId: 'a', name: 'look', arguments: '{}' } as const;
  const text = (words: string) => ({ type: 'text', text: words }) as const;
  const history = [
    message('1', 'user', [text('Look.')]),
    message('2', 'tool', [result('b')]),
    message('3', 'assistant', [call]),
    message('4', 'tool', [result('a')]),
    message('5', 'tool', [result('never asked')]),
    message('6', 'assistant', [{ ...call, callId: 'b' }]),
    message('7', 'user', [text('And?')]),
    message('8', 'assistant', [text('Nothing.')]),
  ];

  it.each<ChatReducer>([
    new MessageCountingReducer({ targetCount: 20 }),
    new SlidingWindowReducer({ targetCount: 20 }),
    new TokenBudgetReducer({ targetTokens: 9000 }),
    new ToolResultClearingReducer({ targetCount: 9 }),
    new SummarizingReducer({ chatClient, targetCount: 20 }),
    new ReducerPipeline({ steps: [new SlidingWindowReducer({ targetCount: 20 })] }),
  ])('go wherever they stand, also while all else stays: $id', async (reducer) => {
    const { messages, removed } = await reducer.reduce(history);
    expect(removed.map(({ id }) => id)).toEqual(['2', '5']);
    expect(messages.map(({ id }) => id)).toEqual(['1', '3', '4', '6', '7', '8']);
    expect((await reducer.reduce(messages)).messages).toBe(messages);
  });
});

import {
  Agent,
  type ChatClient,
  type ChatMessageInit,
  countMessages,
  defineTool,
  type HistoryFlags,
  type TokenCounter,
} from '@minne/core';
import { InMemoryHistoryProvider } from '@minne/history-inmemory';
import { describe, expect, it } from 'vitest';
import {
  all,
  cachedTokenCounter,
  encoderTokenCounter,
  estimatedTokenCounter,
  MessageCountingReducer,
  messagesOver,
  not,
  ReducerPipeline,
  SummarizingReducer,
  TokenBudgetReducer,
  ToolResultClearingReducer,
  tokensOver,
} from '../src/index.js';
import { talk } from './conversations.js';
import { Summariser } from './summariser.js';

/** A tokenizer that keeps what it was given. */
function createEncoder() {
  const encoded: string[] = [];
  const encode = (text: string): readonly string[] => {
    encoded.push(text);
    return text.split(' ');
  };
  return { encoded, counter: encoderTokenCounter({ id: 'words', encoder: { encode } }) };
}

describe('counting a session once more after one message', () => {
  const history = talk(101);

  it('costs that one', () => {
    const { encoded, counter } = createEncoder();
    countMessages(history.slice(0, 100), counter);
    expect(encoded.length).toBe(100);
    countMessages(history, counter);
    expect(encoded).toEqual(history.map(({ id }) => `#${id.slice(1)}# Something was said.`));
  });

  it('costs that one when a store has read all of them anew', () => {
    const { encoded, counter } = createEncoder();
    const readAnew = (): typeof history => JSON.parse(JSON.stringify(history));
    countMessages(readAnew().slice(0, 100), counter);
    countMessages(readAnew(), counter);
    expect(encoded.length).toBe(101);
  });

  it('costs that one with a call and its result, and takes neither for a text that looks like it', () => {
    const counted: string[] = [];
    const count: TokenCounter['count'] = ({ type }) => counted.push(type);
    const own = { specificationVersion: 'v1', id: 'mine', messageOverhead: 1, count } as const;
    const counter = cachedTokenCounter(own);
    const call = { type: 'tool_call', callId: 'a', name: 'look', arguments: '{}' } as const;
    const text = { type: 'text', text: JSON.stringify(call) } as const;
    expect([counter.count(call), counter.count(text), counter.count({ ...call })]).toEqual([
      1, 2, 1,
    ]);
    expect(counted).toEqual(['tool_call', 'text']);
  });

  it('forgets the texts that were counted longest ago, and counts those again', () => {
    const { encoded, counter } = createEncoder();
    const say = (letter: string) => counter.count({ type: 'text', text: letter.repeat(1_500_000) });
    for (const letter of ['a', 'b', 'a', 'c', 'a', 'b']) say(letter);
    expect(encoded.map((text) => text[0])).toEqual(['a', 'b', 'c', 'b']);
  });

  it('costs that one with reducers, triggers and reports that count with the same counter', async () => {
    const { encoded, counter: tokenCounter } = createEncoder();
    const pipeline = new ReducerPipeline({
      steps: [
        new ToolResultClearingReducer({ targetCount: 1, tokenCounter }),
        {
          reducer: new MessageCountingReducer({ targetCount: 90, tokenCounter }),
          when: tokensOver(10, tokenCounter),
        },
        new TokenBudgetReducer({ targetTokens: 200, tokenCounter }),
      ],
    });
    await pipeline.reduce(history.slice(0, 100));
    expect(encoded.length).toBe(100);
    await new TokenBudgetReducer({ targetTokens: 200, tokenCounter }).reduce(history);
    expect(encoded.length).toBe(101);
  });

  it('costs that one with a counter of your own, also where core counts with it', async () => {
    const counted: unknown[] = [];
    const tokenCounter: TokenCounter = {
      specificationVersion: 'v1',
      id: 'mine',
      messageOverhead: 1,
      count: (content) => counted.push(content) && 5,
    };
    const reducer = new TokenBudgetReducer({ targetTokens: 100, tokenCounter });
    const result = await reducer.reduce(history);
    expect(countMessages(result.messages, reducer.tokenCounter)).toBe(90);
    expect(counted.length).toBe(101);
    expect(cachedTokenCounter(tokenCounter)).toBe(reducer.tokenCounter);
    expect(cachedTokenCounter(reducer.tokenCounter)).toBe(reducer.tokenCounter);
  });
});

describe('tokenCounter', () => {
  const { counter: tokenCounter } = createEncoder();
  const counting = new MessageCountingReducer({ targetCount: 1 });

  it('is what a reducer counts with, and is not there when it counts nothing', () => {
    expect(counting.tokenCounter).toBeUndefined();
    expect(new ToolResultClearingReducer({ targetCount: 1 }).tokenCounter).toBeUndefined();
    expect(new TokenBudgetReducer({ targetTokens: 1 }).tokenCounter).toBe(estimatedTokenCounter);
    expect(new TokenBudgetReducer({ targetTokens: 1, tokenCounter }).tokenCounter).toBe(
      tokenCounter,
    );
    expect(new ToolResultClearingReducer({ targetCount: 1, tokenCounter }).tokenCounter).toBe(
      tokenCounter,
    );
    const chatClient = new Summariser();
    expect(new SummarizingReducer({ chatClient, targetCount: 2 }).tokenCounter).toBe(
      estimatedTokenCounter,
    );
  });

  it('of a pipeline is the first of its triggers and steps', () => {
    const pipelineOf = (...steps: ConstructorParameters<typeof ReducerPipeline>[0]['steps']) =>
      new ReducerPipeline({ steps }).tokenCounter;
    expect(pipelineOf(counting, { reducer: counting, when: messagesOver(1) })).toBeUndefined();
    expect(pipelineOf(counting, new TokenBudgetReducer({ targetTokens: 1, tokenCounter }))).toBe(
      tokenCounter,
    );
    const when = not(all(messagesOver(1), tokensOver(1, tokenCounter)));
    expect(pipelineOf({ reducer: counting, when })).toBe(tokenCounter);
    const inner = new ReducerPipeline({ steps: [{ reducer: counting, when }] });
    expect(pipelineOf(inner)).toBe(tokenCounter);
  });
});

describe('what is sent beside the history', () => {
  const instructions = 'Keep to the rules. '.repeat(60);
  const tool = defineTool({
    name: 'search',
    description: 'Searches. '.repeat(60),
    parameters: { type: 'object', properties: { words: { type: 'string' } } },
    execute: () => 'nothing',
  });

  /** The most messages that the model is sent in some turns. */
  async function mostSent(
    flags: HistoryFlags,
    options: Partial<ConstructorParameters<typeof Agent>[0]> = {},
  ): Promise<number> {
    let sent = 0;
    const answer: ChatMessageInit = {
      role: 'assistant',
      contents: 'That is so, as far as I know.',
    };
    const chatClient: ChatClient = {
      specificationVersion: 'v1',
      historyStorage: 'none',
      getResponse: async ({ length }) => {
        sent = Math.max(sent, length);
        return { messages: [answer], finishReason: 'stop' };
      },
      getStreamingResponse: () => {
        throw new Error('Nobody streams here.');
      },
    };
    const contextProviders = [new InMemoryHistoryProvider(flags)];
    const agent = new Agent({ ...options, chatClient, contextProviders });
    const session = agent.createSession();
    for (let turn = 0; turn < 30; turn += 1) await agent.run(`Question ${turn}?`, { session });
    return sent;
  }

  const budget = new TokenBudgetReducer({ targetTokens: 1000 });
  const reducers = {
    TokenBudgetReducer: budget,
    'ReducerPipeline with a budget': new ReducerPipeline({ steps: [budget] }),
    'ReducerPipeline with a trigger': new ReducerPipeline({
      steps: [{ reducer: new MessageCountingReducer({ targetCount: 4 }), when: tokensOver(1000) }],
    }),
  };

  it.each(Object.entries(reducers))('leaves less room to a %s', async (_, reducer) => {
    const alone = await mostSent({ reducer });
    const instructed = await mostSent({ reducer }, { instructions });
    const equipped = await mostSent({ reducer }, { instructions, tools: [tool] });
    expect(instructed).toBeLessThan(alone);
    expect(equipped).toBeLessThan(instructed);
  });
});

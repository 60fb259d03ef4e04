import type { ChatMessage, Content, TokenCounter } from '@minne/core';
import { expect, it } from 'vitest';
import {
  countFixedTokens,
  countMessages,
  encoderTokenCounter,
  estimatedTokenCounter,
  MessageCountingReducer,
  reductionText,
  TokenBudgetReducer,
} from '../src/index.js';

const count = (text: string): number => estimatedTokenCounter.count({ type: 'text', text });

function said(index: number, ...contents: readonly Content[]): ChatMessage {
  return { id: `m${index}`, role: 'user', contents, createdAt: '2026-05-01T10:00:00.000Z' };
}

it.each(['今天天气', '👩‍👩‍👧', 'ሰላም', 'ｑ', '\ud800'])(
  'counts %s no lower than its characters',
  (text) => {
    expect(count(text)).toBeGreaterThanOrEqual([...text].length);
  },
);

it('counts encoded data higher than prose of the same length', () => {
  const prose = 'the weather is nice today and so on '.repeat(10);
  const encoded = 'aGVsbG8gd29ybGQhIFRoaXMgaXMgbm90IHByb3Nl'.repeat(10).slice(0, prose.length);
  expect(count(encoded)).toBeGreaterThan(encoded.length * 0.7);
  expect(count(prose)).toBeLessThan(prose.length * 0.5);
});

it('counts files by kind and size class, so that one does not push out the turns beside it', async () => {
  const data = 'A'.repeat(700_000);
  const pdf: Content = { type: 'data', data, mediaType: 'application/pdf' };
  const sound: Content = { type: 'data', data, mediaType: 'audio/mpeg' };
  const turns = Array.from({ length: 8 }, (_, index) => said(index, { type: 'text', text: 'Hi' }));
  const history = [...turns, said(9, pdf, sound)];
  const { messages } = await new TokenBudgetReducer({ targetTokens: 20_000 }).reduce(history);
  expect(messages).toBe(history);
});

it('counts a content once, however often the session is counted', () => {
  let calls = 0;
  const counter: TokenCounter = {
    ...estimatedTokenCounter,
    count: (content) => {
      calls += 1;
      return estimatedTokenCounter.count(content);
    },
  };
  const history = Array.from({ length: 100 }, (_, i) => said(i, { type: 'text', text: `${i}` }));
  countMessages(history, counter);
  countMessages([...history, said(100, { type: 'text', text: 'one more' })], counter);
  expect(calls).toBe(101);
});

it('takes an encoder, and text that looks like its special tokens', () => {
  const encoder = {
    encode(text: string): readonly string[] {
      if (text.includes('<|end|>')) throw new Error('Disallowed special token');
      return text.split(' ');
    },
  };
  const counter = encoderTokenCounter({ id: 'words', encoder });
  expect(counter.count({ type: 'text', text: 'one two' })).toBe(2);
  expect(counter.count({ type: 'text', text: 'one <|end|> two' })).toBeGreaterThan(2);
});

it('makes fixed parts part of the budget, and goes on when they shrink', async () => {
  const history = [said(0, { type: 'text', text: 'hi' })];
  const reducer = new TokenBudgetReducer({ targetTokens: 1500 });
  const fixedTokens = countFixedTokens(
    { instructions: 'rule '.repeat(1900) },
    estimatedTokenCounter,
  );
  const tight = await reducer.reduce(history, { fixedTokens });
  expect(tight.messages).toBe(history);
  expect(tight.warnings).toMatchObject([{ code: 'budget_unmet' }]);
  expect((await reducer.reduce(history, { fixedTokens: 300 })).warnings).toEqual([]);
});

it('tells a reduction in a line', async () => {
  const history = Array.from({ length: 45 }, (_, i) => said(i, { type: 'text', text: `${i}` }));
  const { reports } = await new MessageCountingReducer({ targetCount: 20, threshold: 20 }).reduce(
    history,
  );
  expect(reports.map(reductionText)).toEqual([
    'message_counting: kept 20 of 45 messages, dropped 25. 45 messages are over 40; 20 are left of at most 20.',
  ]);
});

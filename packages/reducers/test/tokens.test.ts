import { type ChatMessage, type Content, countFixedParts, countMessage } from '@minne/core';
import { expect, it } from 'vitest';
import {
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

const contents: readonly (readonly [string, Content, number, number])[] = [
  ['a picture', { type: 'data', data: 'A'.repeat(2_000_000), mediaType: 'image/png' }, 1445, 2000],
  [
    'a picture at an address',
    { type: 'uri', uri: 'https://x.test/a', mediaType: 'image/png' },
    1445,
    2000,
  ],
  [
    'a minute of speech',
    { type: 'data', data: 'A'.repeat(640_000), mediaType: 'audio/mpeg' },
    1920,
    5000,
  ],
  [
    'a page',
    { type: 'data', data: 'A'.repeat(130_000), mediaType: 'application/pdf' },
    3000,
    12_000,
  ],
  ['a file that the service holds', { type: 'hosted_file', fileId: 'f' }, 3000, 12_000],
  ['a text file', { type: 'data', data: 'A'.repeat(4000), mediaType: 'text/plain' }, 750, 3000],
  ...['application/json; charset=utf-8', 'application/xml', 'application/ld+json'].map(
    (mediaType): [string, Content, number, number] => [
      `a file of ${mediaType}`,
      { type: 'data', data: 'A'.repeat(400_000), mediaType },
      75_000,
      300_000,
    ],
  ),
  [
    'a call',
    { type: 'tool_call', callId: 'c', name: 'look', arguments: '{"at":"the sky"}' },
    15,
    40,
  ],
  ['a result', { type: 'tool_result', callId: 'c', result: { sky: ['blue', 'grey'] } }, 15, 40],
  [
    'a result that failed',
    { type: 'tool_result', callId: 'c', result: null, error: 'It is dark.' },
    10,
    25,
  ],
  ['reasoning', { type: 'reasoning', text: 'The sky is up, so I look up.' }, 9, 25],
  [
    'sealed reasoning',
    { type: 'reasoning', text: '', protectedData: 'A'.repeat(4000) },
    1000,
    1000,
  ],
  ['usage, which is sent to nobody', { type: 'usage', usage: { inputTokens: 5 } }, 0, 0],
  [
    'an answer to a request for approval',
    { type: 'approval_response', id: 'r', approved: true },
    0,
    0,
  ],
];

it.each(contents)('counts %s as what it costs', (_, content, least, most) => {
  const tokens = estimatedTokenCounter.count(content);
  expect(tokens).toBeGreaterThanOrEqual(least);
  expect(tokens).toBeLessThanOrEqual(most);
});

it('counts what every message costs, and the name of its author', () => {
  const bare = said(0);
  expect(countMessage(bare, estimatedTokenCounter)).toBe(4);
  const named = countMessage({ ...bare, authorName: 'Ida' }, estimatedTokenCounter);
  expect(named).toBeGreaterThan(5);
});

it('counts the schema of a tool by its text', () => {
  const parts = (description: string) => ({
    instructions: [],
    messages: [],
    tools: [{ name: 'look', description, parameters: { type: 'object', properties: {} } }],
  });
  const small = countFixedParts(parts('Looks.'), estimatedTokenCounter);
  const large = countFixedParts(parts('Looks. '.repeat(100)), estimatedTokenCounter);
  expect(small).toBeGreaterThan(15);
  expect(large - small).toBeGreaterThan(150);
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
  const fixedTokens = countFixedParts(
    { instructions: ['rule '.repeat(1900)], tools: [], messages: [] },
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

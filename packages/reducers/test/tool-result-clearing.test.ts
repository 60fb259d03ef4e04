import type { ChatMessage, Content, ToolCallContent, ToolResultContent } from '@minne/core';
import { expect, it } from 'vitest';
import { ToolResultClearingReducer } from '../src/index.js';

const long = 'It is sunny, with a light wind from the west. '.repeat(10);
const marker = '[gone]';

let count = 0;
function message(role: ChatMessage['role'], ...contents: readonly Content[]): ChatMessage {
  count += 1;
  return { id: `m${count}`, role, contents, createdAt: '2026-05-01T10:00:00.000Z' };
}
const say = (role: 'user' | 'assistant' | 'system', text: string) =>
  message(role, { type: 'text', text });
const call = (callId: string, name = 'look'): ToolCallContent => ({
  type: 'tool_call',
  callId,
  name,
  arguments: '{}',
});
const result = (callId: string, more: Partial<ToolResultContent> = {}): ToolResultContent => ({
  type: 'tool_result',
  callId,
  result: long,
  ...more,
});

/** What is left of the results of a history, in order. */
async function resultsLeft(
  history: readonly ChatMessage[],
  options: Partial<ConstructorParameters<typeof ToolResultClearingReducer>[0]> = {},
): Promise<readonly ToolResultContent[]> {
  const reducer = new ToolResultClearingReducer({ targetCount: 1, marker, ...options });
  const { messages } = await reducer.reduce(history);
  expect(messages.length).toBe(history.length);
  return messages.flatMap(({ contents }) => contents.filter((it) => it.type === 'tool_result'));
}

it('replaces the payload of old results and nothing else', async () => {
  const history = [
    say('user', 'How is it?'),
    message('assistant', { type: 'text', text: 'I look.' }, call('a'), call('b')),
    message('tool', result('a', { metadata: { seen: 1 } }), result('b', { error: long })),
    say('assistant', 'Sunny.'),
    message('assistant', call('c')),
    message('tool', result('c')),
    say('assistant', 'Still sunny.'),
  ];
  const reducer = new ToolResultClearingReducer({ targetCount: 1, marker });
  const { messages, removed, reports } = await reducer.reduce(history);
  const cleared = { 'minne.cleared': true };
  const expected = history.with(2, {
    ...history[2],
    contents: [
      { ...result('a'), result: marker, metadata: { seen: 1, ...cleared } },
      { ...result('b'), result: marker, error: marker, metadata: cleared },
    ],
  } as ChatMessage);
  expect(messages).toEqual(expected);
  expect(removed).toEqual([history[2]]);
  expect(reports).toMatchObject([{ kept: 7, dropped: 0 }]);
  expect((await reducer.reduce(messages)).messages).toBe(messages);
});

it('leaves what is excepted by the name of its tool, also where call ids are used again', async () => {
  const history = [
    message('assistant', call('x', 'keep'), call('x', 'look')),
    message('tool', result('x', { result: `${long}1` })),
    message('tool', result('x', { result: `${long}2` })),
    message('assistant', call('x', 'keep')),
    message('tool', result('x', { result: `${long}3` })),
    say('assistant', 'Done.'),
  ];
  const left = await resultsLeft(history, { targetCount: 0, exceptTools: ['keep'] });
  expect(left.map((it) => it.result)).toEqual([`${long}1`, marker, `${long}3`]);
});

it('leaves what the model has yet to see, and what is no longer than the marker', async () => {
  const history = [
    message('assistant', call('a'), call('b')),
    message('tool', result('a', { result: 'short' }), result('b')),
    message('assistant', call('c'), call('d')),
    message('tool', result('c'), result('d')),
  ];
  const left = await resultsLeft(history, { targetCount: 0 });
  expect(left.map((it) => it.result)).toEqual(['short', marker, long, long]);
});

it('leaves what stands beside a call that waits for approval, until that has its result', async () => {
  const waiting = [
    message('assistant', call('a'), call('b', 'guarded'), {
      type: 'approval_request',
      id: 'r',
      toolCall: call('b', 'guarded'),
    }),
    message('tool', result('a')),
    say('assistant', 'I wait.'),
  ];
  expect((await resultsLeft(waiting, { targetCount: 0 })).map((it) => it.result)).toEqual([long]);
  const settled = [...waiting, message('tool', result('b')), say('assistant', 'Done.')];
  expect((await resultsLeft(settled, { targetCount: 0 })).map((it) => it.result)).toEqual([
    marker,
    marker,
  ]);
});

it('leaves system messages alone', async () => {
  const history = [
    message('system', call('a'), result('a')),
    message('assistant', call('b')),
    message('tool', result('b')),
    say('assistant', 'Done.'),
  ];
  const left = await resultsLeft(history, { targetCount: 0 });
  expect(left.map((it) => it.result)).toEqual([long, marker]);
});

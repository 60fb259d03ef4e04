import type { ChatMessage } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { applyEvent, type ChatItem, itemsOf } from '../page/transcript.js';
import type { AnswerEvent } from '../page/wire.js';

const createdAt = '2026-05-01T10:00:00.000Z';
const toolCall = { type: 'tool_call', callId: 'c', name: 'save_memory', arguments: '{}' } as const;
const toolResult = { type: 'tool_result', callId: 'c', result: 'Saved at /a.' } as const;

const events: readonly AnswerEvent[] = [
  { type: 'tool-call-start', messageId: 'm1', index: 0, name: 'save_memory' },
  { type: 'tool-call-end', messageId: 'm1', index: 0, toolCall },
  { type: 'tool-result', name: 'save_memory', toolResult },
  { type: 'text-start', messageId: 'm2' },
  { type: 'text-delta', messageId: 'm2', delta: 'I will ' },
  { type: 'text-delta', messageId: 'm2', delta: 'remember.' },
  { type: 'text-end', messageId: 'm2' },
];
const stored: readonly ChatMessage[] = [
  { id: 'u', role: 'user', createdAt, contents: [{ type: 'text', text: 'I like tea' }] },
  { id: 'm1', role: 'assistant', createdAt, contents: [toolCall] },
  { id: 't', role: 'tool', createdAt, contents: [toolResult] },
  {
    id: 'm2',
    role: 'assistant',
    createdAt,
    contents: [{ type: 'text', text: 'I will remember.' }],
  },
];
const shown: readonly ChatItem[] = [
  { kind: 'user', text: 'I like tea' },
  {
    kind: 'tool',
    callId: 'c',
    name: 'save_memory',
    arguments: '{}',
    result: 'Saved at /a.',
    isError: false,
  },
  { kind: 'assistant', messageId: 'm2', text: 'I will remember.', isIncomplete: false },
];

describe('the chat', () => {
  it('looks the same while it happens and when it is read again', () => {
    const asked: readonly ChatItem[] = [{ kind: 'user', text: 'I like tea' }];
    expect(events.reduce(applyEvent, asked)).toEqual(shown);
    expect(itemsOf(stored)).toEqual(shown);
  });

  it('replaces only what an event changes', () => {
    const before = itemsOf(stored);
    const after = applyEvent(before, { type: 'text-delta', messageId: 'm2', delta: ' Yes.' });
    expect(after.map((item, index) => item === before[index])).toEqual([true, true, false]);
  });

  it('marks an answer that broke off, and says why', () => {
    const items = applyEvent(itemsOf(stored), { type: 'error', message: 'The network is down.' });
    expect(items.slice(-2)).toEqual([
      expect.objectContaining({ kind: 'assistant', isIncomplete: true }),
      { kind: 'notice', text: 'The network is down.' },
    ]);
    const [cut] = itemsOf(stored.slice(3).map((message) => ({ ...message, status: 'incomplete' })));
    expect(cut).toMatchObject({ isIncomplete: true });
  });

  it('gives each of two calls with one id its own result', () => {
    const twice = [...stored.slice(1, 3), ...stored.slice(1, 2), ...stored.slice(2, 3)].map(
      (message, index) => ({ ...message, id: String(index) }),
    );
    expect(itemsOf(twice)).toEqual([shown[1], shown[1]]);
  });

  it('leaves out what it does not know', () => {
    const unknown = { type: 'hologram', text: 'x' };
    const message = JSON.parse(JSON.stringify({ ...stored[0], contents: [unknown] }));
    expect(itemsOf([message])).toEqual([]);
    expect(itemsOf(stored.slice(2, 3))).toEqual([]);
  });
});

import type { ChatMessage, Content } from '@minne/core';

/** What user and assistant say in turn; `#n#` tells the message. */
export function talk(count: number, text = 'Something was said.'): ChatMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    contents: [{ type: 'text', text: `#${index}# ${text}` }],
    createdAt: '2026-05-01T10:00:00.000Z',
  }));
}

/** A question, a call, its result and an answer. */
export function round(index: number, result: string): ChatMessage[] {
  const callId = `call ${index}`;
  const say = (
    role: 'user' | 'assistant' | 'tool',
    place: number,
    content: Content,
  ): ChatMessage => ({
    id: `${index}.${place}`,
    role,
    contents: [content],
    createdAt: '2026-05-01T10:00:00.000Z',
  });
  return [
    say('user', 0, { type: 'text', text: `#${index}# How is it?` }),
    say('assistant', 1, { type: 'tool_call', callId, name: 'look', arguments: '{}' }),
    say('tool', 2, { type: 'tool_result', callId, result }),
    say('assistant', 3, { type: 'text', text: 'It is sunny.' }),
  ];
}

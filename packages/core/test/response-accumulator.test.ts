import type { ChatResponseUpdate, Content } from '@minne/core';
import { ResponseAccumulator, systemClock } from '@minne/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

function join(updates: readonly ChatResponseUpdate[]) {
  let count = 0;
  const accumulator = new ResponseAccumulator(() => `id${++count}`, systemClock);
  for (const update of updates) accumulator.add(update);
  return accumulator;
}

function contentsOf(updates: readonly ChatResponseUpdate[]): (readonly Content[])[] {
  return join(updates)
    .messages()
    .map(({ contents }) => contents);
}

describe('ResponseAccumulator', () => {
  it('joins the pieces of parallel calls however they interleave', () => {
    const texts = fc.array(fc.string({ maxLength: 12, unit: 'grapheme' }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(texts, fc.infiniteStream(fc.nat()), (argumentsOf, choices) => {
        const left = argumentsOf.map((text) => [...text]);
        const updates: ChatResponseUpdate[] = argumentsOf.map((_, index) => ({
          contents: [{ type: 'tool_call_delta', index, callId: `call${index}`, name: `t${index}` }],
        }));
        while (left.some((pieces) => pieces.length > 0)) {
          const open = left.flatMap((pieces, index) => (pieces.length > 0 ? [index] : []));
          const index = open[(choices.next().value ?? 0) % open.length] ?? 0;
          const text = left[index]?.shift() ?? '';
          updates.push({ contents: [{ type: 'tool_call_delta', index, arguments: text }] });
        }
        expect(contentsOf(updates)).toEqual([
          argumentsOf.map((text, index) => ({
            type: 'tool_call',
            callId: `call${index}`,
            name: `t${index}`,
            arguments: text,
          })),
        ]);
      }),
    );
  });

  it('tells calls apart by id where a server numbers all of them 0', () => {
    const updates: ChatResponseUpdate[] = [
      {
        contents: [{ type: 'tool_call_delta', index: 0, callId: 'a', name: 'x', arguments: '{}' }],
      },
      { contents: [{ type: 'tool_call_delta', index: 0, callId: 'b', name: 'y', arguments: '[' }] },
      { contents: [{ type: 'tool_call_delta', index: 0, arguments: ']' }] },
    ];
    expect(contentsOf(updates)).toMatchObject([
      [
        { callId: 'a', name: 'x', arguments: '{}' },
        { callId: 'b', name: 'y', arguments: '[]' },
      ],
    ]);
  });

  it('gives an id to a call that came without one', () => {
    const [message] = join([
      { contents: [{ type: 'tool_call_delta', index: 0, name: 'x', arguments: '{}' }] },
    ]).messages();
    expect(message?.contents[0]).toMatchObject({
      callId: expect.stringMatching(/^call_[a-z0-9]{1,32}$/),
    });
  });

  it('keeps reasoning beside text, joined each for itself', () => {
    expect(
      contentsOf([
        { contents: [{ type: 'reasoning', text: 'I ' }] },
        { contents: [{ type: 'text', text: 'He' }] },
        { contents: [{ type: 'reasoning', text: 'think', protectedData: 'x' }] },
        { contents: [{ type: 'text', text: 'llo' }] },
        { contents: [{ type: 'reasoning', text: 'more' }] },
      ]),
    ).toEqual([
      [
        { type: 'reasoning', text: 'I think', protectedData: 'x' },
        { type: 'text', text: 'Hello' },
        { type: 'reasoning', text: 'more' },
      ],
    ]);
  });

  it('keeps the item id that came with the first piece only', () => {
    const metadata = { 'minne.item_id': 'msg_1' };
    expect(
      contentsOf([
        { contents: [{ type: 'text', text: '', metadata }] },
        { contents: [{ type: 'text', text: 'Hello' }] },
        { contents: [{ type: 'text', text: ' there' }] },
        { contents: [{ type: 'text', text: 'Next', metadata: { 'minne.item_id': 'msg_2' } }] },
      ]),
    ).toEqual([
      [
        { type: 'text', text: 'Hello there', metadata },
        { type: 'text', text: 'Next', metadata: { 'minne.item_id': 'msg_2' } },
      ],
    ]);
  });

  it('sorts updates to their messages, and those without an id to the current one', () => {
    const updates: ChatResponseUpdate[] = [
      { contents: [{ type: 'text', text: 'a' }] },
      { messageId: 'one', contents: [{ type: 'text', text: 'b' }] },
      { messageId: 'two', contents: [{ type: 'text', text: 'x' }] },
      { messageId: 'one', contents: [{ type: 'text', text: 'c' }] },
      { contents: [{ type: 'text', text: 'y' }] },
    ];
    expect(contentsOf(updates)).toEqual([
      [{ type: 'text', text: 'abc' }],
      [{ type: 'text', text: 'xy' }],
    ]);
  });

  it('takes the last finish reason and usage, whenever they come', () => {
    const accumulator = join([
      { contents: [], finishReason: 'tool_calls', modelId: 'm', responseId: 'r' },
      { contents: [{ type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } }] },
      { contents: [{ type: 'text', text: 'x' }], finishReason: 'stop', serviceSessionId: 's' },
      { contents: [{ type: 'usage', usage: { outputTokens: 5 } }] },
    ]);
    expect(accumulator).toMatchObject({
      finishReason: 'stop',
      usage: { inputTokens: 1, outputTokens: 5 },
      modelId: 'm',
      responseId: 'r',
      serviceSessionId: 's',
    });
    expect(accumulator.messages()).toHaveLength(1);
  });

  it('keeps what is told of a call beside its pieces', () => {
    const piece = { type: 'tool_call_delta', index: 0 } as const;
    const metadata = { 'minne.item_id': 'fc_1' };
    const updates = [
      { contents: [{ ...piece, callId: 'c1', name: 'add', metadata }] },
      { contents: [{ ...piece, arguments: '{}', metadata: { phase: 1 } }] },
    ];
    expect(contentsOf(updates)).toEqual([
      [
        {
          type: 'tool_call',
          callId: 'c1',
          name: 'add',
          arguments: '{}',
          metadata: { ...metadata, phase: 1 },
        },
      ],
    ]);
  });
});

import type { ChatMessage, Content } from '@minne/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelView } from '../src/run/model-view.js';
import { objection } from './strict-service.js';

let count = 0;
function message(role: ChatMessage['role'], contents: readonly Content[]): ChatMessage {
  count += 1;
  return { id: `m${count}`, role, contents, createdAt: '2026-01-01T00:00:00.000Z' };
}

function call(callId: string, text = '{}'): Content {
  return { type: 'tool_call', callId, name: 'tool', arguments: text };
}

function result(callId: string, value = 'ok'): Content {
  return { type: 'tool_result', callId, result: value };
}

function said(text: string): Content {
  return { type: 'text', text };
}

const callIds = fc.constantFrom('a', 'b', 'c');
const content: fc.Arbitrary<Content> = fc.oneof(
  fc.string().map(said),
  fc
    .record({ id: callIds, text: fc.constantFrom('{}', '{"a":', '', '[1]') })
    .map(({ id, text }) => call(id, text)),
  callIds.map((id) => result(id)),
  fc.constant<Content>({ type: 'usage', usage: { inputTokens: 1 } }),
  callIds.map((id): Content => ({ type: 'approval_response', id, approved: true })),
);
const conversation = fc.array(
  fc.oneof(
    fc.string().map((text) => message('user', [said(text)])),
    fc.array(content, { maxLength: 4 }).map((contents) => message('assistant', contents)),
    fc.array(callIds, { minLength: 1, maxLength: 3 }).map((ids) =>
      message(
        'tool',
        ids.map((id) => result(id)),
      ),
    ),
    fc.constant(message('system', [said('rules')])),
  ),
  { maxLength: 12 },
);

describe('modelView', () => {
  it('is always something a strict service takes', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        expect(objection(modelView(messages))).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('changes nothing more when it is taken twice, and nothing that is given', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const before = structuredClone(messages);
        const once = modelView(messages);
        expect(modelView(once)).toEqual(once);
        expect(messages).toEqual(before);
      }),
    );
  });

  it('keeps every text and every call, in order', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const spoken = (list: readonly ChatMessage[]) =>
          list.flatMap(({ contents }) =>
            contents.flatMap((part) =>
              part.type === 'text' ? [part.text] : part.type === 'tool_call' ? [part.callId] : [],
            ),
          );
        expect(spoken(modelView(messages))).toEqual(spoken(messages));
      }),
    );
  });

  it('gives a sound conversation back as it is, message by message', () => {
    const messages = [
      message('user', [said('hi')]),
      message('assistant', [call('a'), call('b')]),
      message('tool', [result('a')]),
      message('tool', [result('b')]),
      message('assistant', [said('done')]),
    ];
    const view = modelView(messages);
    expect(view).toHaveLength(5);
    for (const [index, item] of view.entries()) expect(item).toBe(messages[index]);
  });

  it('puts late results behind their call, by occurrence where an id comes again', () => {
    const messages = [
      message('assistant', [call('a')]),
      message('user', [said('go on')]),
      message('assistant', [call('a')]),
      message('tool', [result('a', 'first')]),
      message('tool', [result('a', 'second')]),
    ];
    expect(modelView(messages).map(({ contents: [part] }) => part)).toMatchObject([
      { type: 'tool_call' },
      { result: 'first' },
      { text: 'go on' },
      { type: 'tool_call' },
      { result: 'second' },
    ]);
  });

  it('leaves out results that nobody asked for and begins with a message a model accepts', () => {
    const messages = [message('tool', [result('zzz')]), message('user', [said('hi')])];
    expect(modelView(messages)).toEqual([messages[1]]);
  });

  it('closes a call that was never answered, and one whose arguments were cut', () => {
    const view = modelView([
      message('assistant', [call('k', '{"a":'), call('m')]),
      message('user', [said('go on')]),
    ]);
    expect(view.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool', 'user']);
    expect(view[0]?.contents[0]).toMatchObject({ arguments: '{}' });
    expect(view[1]?.contents[0]).toMatchObject({
      error: expect.stringContaining('not valid JSON'),
    });
    expect(view[2]?.contents[0]).toMatchObject({ error: expect.stringContaining('No result') });
  });
});

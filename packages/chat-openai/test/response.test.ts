import type { ChatResponse, Content } from '@minne/core';
import type { ChatCompletionReply, OpenAIWireServer, StreamShape } from '@minne/openai-wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accumulate,
  clientOf,
  collect,
  openAIVersions,
  said,
  startWire,
  user,
} from './wire-fixture.js';

let server: OpenAIWireServer;
beforeAll(async () => {
  server = await startWire();
});
afterAll(() => server.close());

const messages = [user('hi')];
const usage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 64 },
  completion_tokens_details: { reasoning_tokens: 8 },
};

async function whole(reply: ChatCompletionReply): Promise<ChatResponse> {
  server.script(reply);
  return await clientOf(server).getResponse(messages);
}

/** The same, streamed and put together as the agent does it. */
async function streamed(reply: ChatCompletionReply, stream: StreamShape): Promise<ChatResponse> {
  server.script({ ...reply, stream });
  const answer = await accumulate(clientOf(server).getStreamingResponse(messages));
  const { finishReason, modelId, responseId } = answer;
  return {
    messages: answer
      .messages()
      .map(({ role, contents, metadata = {} }) => ({ role, contents, metadata })),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(answer.usage === undefined ? {} : { usage: answer.usage }),
    ...(modelId === undefined ? {} : { modelId }),
    ...(responseId === undefined ? {} : { responseId }),
  };
}

describe('an answer', () => {
  it('has its text, usage, model, finish reason, and the service id as metadata only', async () => {
    expect(await whole({ text: 'Hej 🌊', usage, id: 'chatcmpl-1', model: 'gpt-test-2' })).toEqual({
      messages: [
        {
          role: 'assistant',
          contents: [{ type: 'text', text: 'Hej 🌊' }],
          metadata: { 'minne.service_id': 'chatcmpl-1' },
        },
      ],
      finishReason: 'stop',
      usage: {
        inputTokens: 100,
        outputTokens: 20,
        totalTokens: 120,
        cachedInputTokens: 64,
        reasoningTokens: 8,
      },
      modelId: 'gpt-test-2',
      responseId: 'chatcmpl-1',
    });
  });

  it('has tool calls with the arguments as the model wrote them', async () => {
    const response = await whole({
      text: 'Let me see.',
      toolCalls: [
        { id: 'c1', name: 'add', arguments: '{ "a": 1 }' },
        { id: 'c2', name: 'find', arguments: '{"q":"abc' },
      ],
    });
    expect(response.finishReason).toBe('tool_calls');
    expect(response.messages[0]?.contents).toEqual([
      { type: 'text', text: 'Let me see.' },
      { type: 'tool_call', callId: 'c1', name: 'add', arguments: '{ "a": 1 }' },
      { type: 'tool_call', callId: 'c2', name: 'find', arguments: '{"q":"abc' },
    ]);
  });

  it('turns a refusal into an error content', async () => {
    const response = await whole({ refusal: 'I cannot help with that.' });
    expect(response.messages[0]?.contents).toEqual([
      { type: 'error', message: 'I cannot help with that.', code: 'refusal' },
    ]);
  });

  it.each(['reasoning_content', 'reasoning'] as const)(
    'reads reasoning from %s',
    async (reasoningField) => {
      const reply = { reasoning: 'Let me think.', reasoningField, text: 'Yes.' };
      const expected: Content[] = [
        { type: 'reasoning', text: 'Let me think.' },
        { type: 'text', text: 'Yes.' },
      ];
      expect((await whole(reply)).messages[0]?.contents).toEqual(expected);
      expect((await streamed(reply, {})).messages[0]?.contents).toEqual(expected);
    },
  );

  it.each(['length', 'content_filter', 'model_overloaded'])(
    'passes the finish reason %s on',
    async (finishReason) => {
      expect((await whole({ text: 'Hej', finishReason })).finishReason).toBe(finishReason);
      expect((await streamed({ text: 'Hej', finishReason }, {})).finishReason).toBe(finishReason);
    },
  );

  it('knows no usage when the service tells none', async () => {
    const response = await whole({ text: 'Hej', usage: {} });
    expect(response).not.toHaveProperty('usage');
    const deepSeek = { prompt_tokens: 9, prompt_cache_hit_tokens: 4 };
    expect((await whole({ text: 'Hej', usage: deepSeek })).usage).toEqual({
      inputTokens: 9,
      cachedInputTokens: 4,
    });
  });

  it('is no message when nothing was said', async () => {
    expect((await whole({ finishReason: 'length' })).messages).toEqual([]);
    expect((await streamed({ finishReason: 'length' }, {})).messages).toEqual([]);
  });

  it('gives ids to calls that come without, short enough to be sent back', async () => {
    const toolCalls = [
      { id: null, name: 'add', arguments: { a: 1 } },
      { id: null, name: 'add', arguments: { a: 2 } },
    ];
    for (const { messages: answer } of [
      await whole({ toolCalls }),
      await streamed({ toolCalls }, {}),
    ]) {
      const contents = answer[0]?.contents as Extract<Content, { type: 'tool_call' }>[];
      expect(new Set(contents.map(({ callId }) => callId)).size).toBe(2);
      server.script({ text: 'done' });
      const results = contents.map(
        ({ callId }): Content => ({ type: 'tool_result', callId, result: 1 }),
      );
      const next = [...messages, said('assistant', ...contents), said('tool', ...results)];
      const response = await clientOf(server).getResponse(next);
      expect(response.messages).toHaveLength(1);
      const sent = JSON.stringify(server.requests.at(-1)?.body);
      expect(contents.every(({ callId }) => sent.includes(callId))).toBe(true);
    }
  });
});

describe('streamed is the same as not streamed', () => {
  const replies: [string, ChatCompletionReply][] = [
    ['text', { text: 'smörgåsbord 🍞 — 寿司 👩‍👩‍👧', usage }],
    ['reasoning and text', { reasoning: 'Hmm… 🤔', text: 'Ja!' }],
    ['a refusal', { refusal: 'I cannot help with that.' }],
    ['text and a refusal', { text: 'Well,', refusal: 'no.' }],
    ['one call', { toolCalls: [{ id: 'c1', name: 'add', arguments: { a: 1, b: 'å' } }] }],
    ['a call without arguments', { toolCalls: [{ id: 'c1', name: 'now', arguments: '' }] }],
    [
      'parallel calls, one cut',
      {
        text: 'Both.',
        toolCalls: [
          { id: 'c1', name: 'add', arguments: { a: 1, b: 2 } },
          { id: 'c2', name: 'add', arguments: { a: 3 } },
          { id: 'c3', name: 'find', arguments: '{"q":"ab' },
        ],
      },
    ],
  ];
  const shapes: [string, StreamShape][] = [
    ['as it comes', {}],
    ['one character a chunk, in writes of 19 bytes', { pieceLength: 1, bytesPerWrite: 19 }],
    ['writes of 7 bytes', { bytesPerWrite: 7 }],
    ['calls taking turns', { interleaveToolCalls: true, pieceLength: 3 }],
    ['every call at index 0', { toolCallIndexes: 'zero' }],
    ['no indexes', { toolCallIndexes: 'none' }],
    ['id and name in each piece', { repeatToolCallHeads: true }],
    [
      'id and name in each piece, no indexes',
      { repeatToolCallHeads: true, toolCallIndexes: 'none', interleaveToolCalls: true },
    ],
    ['usage in each chunk', { usage: 'every' }],
  ];
  it.each(shapes)('%s', async (_name, stream) => {
    for (const [name, reply] of replies) {
      const fixed = { ...reply, id: 'chatcmpl-1' };
      expect(await streamed(fixed, stream), name).toEqual(await whole(fixed));
    }
  });
});

describe('a stream', () => {
  it('is whole when every byte comes alone', async () => {
    const reply = { text: 'ö🍞寿', id: 'chatcmpl-1' };
    expect(await streamed(reply, { bytesPerWrite: 1 })).toEqual(await whole(reply));
  });

  it('brings each piece as it comes, and usage once, at the end', async () => {
    server.script({
      text: 'Hej du',
      usage,
      id: 'chatcmpl-1',
      stream: { pieceLength: 3, usage: 'every' },
    });
    const updates = await collect(clientOf(server).getStreamingResponse(messages));
    const metadata = { 'minne.service_id': 'chatcmpl-1' };
    const head = {
      metadata,
      role: 'assistant',
      messageId: 'chatcmpl-1',
      responseId: 'chatcmpl-1',
      modelId: 'gpt-test',
    };
    expect(updates).toEqual([
      { ...head, contents: [{ type: 'text', text: 'Hej' }] },
      { ...head, contents: [{ type: 'text', text: ' du' }] },
      { ...head, contents: [], finishReason: 'stop' },
      {
        ...head,
        contents: [{ type: 'usage', usage: expect.objectContaining({ totalTokens: 120 }) }],
      },
    ]);
  });

  it('numbers the pieces of parallel calls, and says id and name once', async () => {
    const toolCalls = [
      { id: 'c1', name: 'add', arguments: '12345678' },
      { id: 'c2', name: 'sub', arguments: '1234' },
    ];
    server.script({ toolCalls, stream: { interleaveToolCalls: true, repeatToolCallHeads: true } });
    const updates = await collect(clientOf(server).getStreamingResponse(messages));
    expect(
      updates.flatMap(({ contents }) => contents).filter(({ type }) => type !== 'usage'),
    ).toEqual([
      { type: 'tool_call_delta', index: 0, callId: 'c1', name: 'add' },
      { type: 'tool_call_delta', index: 1, callId: 'c2', name: 'sub' },
      { type: 'tool_call_delta', index: 0, arguments: '1234' },
      { type: 'tool_call_delta', index: 1, arguments: '1234' },
      { type: 'tool_call_delta', index: 0, arguments: '5678' },
    ]);
  });

  it.each(openAIVersions)('works with openai %s', async (_version, OpenAI) => {
    server.script({ text: 'Hej', id: 'a' }, { text: 'Hej', id: 'a' });
    const client = clientOf(server, {}, OpenAI);
    const answer = await accumulate(client.getStreamingResponse(messages));
    const response = await client.getResponse(messages);
    expect(answer.messages()[0]?.contents).toEqual(response.messages[0]?.contents);
  });
});

describe('what other servers send', () => {
  const body = async (message: object, rest: object = {}): Promise<ChatResponse> => {
    server.script({ status: 200, body: { choices: [{ message, ...rest }] } });
    return await clientOf(server).getResponse(messages);
  };

  it('content in parts, thinking among them', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'Ja' },
      { type: 'text', text: '!' },
    ];
    expect(await body({ content })).toEqual({
      messages: [
        {
          role: 'assistant',
          contents: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'text', text: 'Ja!' },
          ],
        },
      ],
    });
  });

  it('arguments as an object, calls with null for everything else', async () => {
    const call = { function: { name: 'add', arguments: { a: 1 } }, index: null };
    const response = await body({ content: null, tool_calls: [call] }, { finish_reason: 'stop' });
    expect(response.messages[0]?.contents).toEqual([
      {
        type: 'tool_call',
        callId: expect.stringMatching(/^call_\w+$/),
        name: 'add',
        arguments: '{"a":1}',
      },
    ]);
  });

  it('null where lists and objects belong', async () => {
    const response = await body({
      content: 'Ja',
      tool_calls: null,
      refusal: null,
      reasoning: null,
    });
    expect(response.messages[0]?.contents).toEqual([{ type: 'text', text: 'Ja' }]);
  });
});

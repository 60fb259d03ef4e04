import type { ChatResponse, Content } from '@minne/core';
import type { OpenAIWireServer, ResponseReply, StreamShape } from '@minne/openai-wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accumulate,
  collect,
  failureOf,
  openAIVersions,
  responsesClientOf,
  startWire,
  user,
} from './wire-fixture.js';

let server: OpenAIWireServer;
beforeAll(async () => {
  server = await startWire();
});
afterAll(() => server.close());

const messages = [user('hi')];
const modelId = 'gpt-5-test';
const usage = {
  input_tokens: 100,
  output_tokens: 20,
  total_tokens: 120,
  input_tokens_details: { cached_tokens: 64 },
  output_tokens_details: { reasoning_tokens: 8 },
};

async function whole(reply: ResponseReply, store = true): Promise<ChatResponse> {
  server.script(reply);
  return await responsesClientOf(server, { modelId }).getResponse(messages, { store });
}

/** The same, streamed and put together as the agent does it. */
async function streamed(
  reply: ResponseReply,
  stream: StreamShape = {},
  store = true,
): Promise<ChatResponse> {
  server.script({ ...reply, stream });
  const client = responsesClientOf(server, { modelId });
  const answer = await accumulate(client.getStreamingResponse(messages, { store }));
  const { finishReason, responseId, serviceSessionId } = answer;
  return {
    messages: answer
      .messages()
      .map(({ role, contents, metadata = {} }) => ({ role, contents, metadata })),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(answer.usage === undefined ? {} : { usage: answer.usage }),
    ...(answer.modelId === undefined ? {} : { modelId: answer.modelId }),
    ...(responseId === undefined ? {} : { responseId }),
    ...(serviceSessionId === undefined ? {} : { serviceSessionId }),
  };
}

/** Item ids differ from answer to answer; which content came from which item does not. */
function withoutIds(response: ChatResponse): unknown {
  const ids = new Map<string, string>();
  return JSON.parse(
    JSON.stringify(response).replaceAll(/\b(rs|msg|fc)_\d+/g, (id: string, kind: string) => {
      const known = ids.get(id) ?? `${kind}_${ids.size}`;
      ids.set(id, known);
      return known;
    }),
  );
}

const item = (prefix: string) => ({ 'minne.item_id': expect.stringMatching(`^${prefix}_`) });

describe('an answer', () => {
  it('has its text, usage, model, finish reason, and the service’s ids as metadata only', async () => {
    expect(await whole({ text: 'Hej 🌊', usage, id: 'resp_1', model: 'gpt-5-test-2' })).toEqual({
      messages: [
        {
          role: 'assistant',
          contents: [{ type: 'text', text: 'Hej 🌊', metadata: item('msg') }],
          metadata: { 'minne.service_id': 'resp_1' },
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
      modelId: 'gpt-5-test-2',
      responseId: 'resp_1',
      serviceSessionId: 'resp_1',
    });
  });

  it('has tool calls with the call id apart from the id of the item, and the arguments as they came', async () => {
    const response = await whole({
      toolCalls: [
        { id: 'call_9', name: 'add', arguments: '{ "a": 1 }' },
        { id: 'call_10', name: 'find', arguments: '{"q":"abc' },
      ],
    });
    expect(response.finishReason).toBe('tool_calls');
    expect(response.messages[0]?.contents).toEqual([
      {
        type: 'tool_call',
        callId: 'call_9',
        name: 'add',
        arguments: '{ "a": 1 }',
        metadata: item('fc'),
      },
      {
        type: 'tool_call',
        callId: 'call_10',
        name: 'find',
        arguments: '{"q":"abc',
        metadata: item('fc'),
      },
    ]);
  });

  it('has reasoning as its summary, sealed where it is to go back', async () => {
    const reply = { reasoningSummary: ['First.', 'Then.'], text: 'Ja' };
    const thought = { type: 'reasoning', text: 'First.\n\nThen.', metadata: item('rs') };
    expect((await whole(reply)).messages[0]?.contents[0]).toEqual(thought);
    expect((await whole(reply, false)).messages[0]?.contents[0]).toEqual({
      ...thought,
      protectedData: expect.any(String),
    });
    // Nothing to read and nothing to send back is no content.
    expect((await whole({ reasoning: '', text: 'Ja' })).messages[0]?.contents).toHaveLength(1);
  });

  it('turns a refusal into an error content', async () => {
    expect((await whole({ text: 'Well,', refusal: 'no.' })).messages[0]?.contents).toMatchObject([
      { type: 'text', text: 'Well,' },
      { type: 'error', message: 'no.', code: 'refusal' },
    ]);
  });

  it.each([
    ['length', 'length'],
    ['content_filter', 'content_filter'],
  ])('that is incomplete for %s says so', async (finishReason, expected) => {
    const reply = { text: 'He', finishReason };
    expect((await whole(reply)).finishReason).toBe(expected);
    expect((await streamed(reply)).finishReason).toBe(expected);
    const cut = { toolCalls: [{ id: 'c1', name: 'add', arguments: '{"a"' }], finishReason };
    expect(await whole(cut)).toMatchObject({
      finishReason: expected,
      messages: [{ contents: [{ type: 'tool_call', arguments: '{"a"' }] }],
    });
  });

  it('is no message when nothing was said', async () => {
    for (const response of [await whole({}), await streamed({})]) {
      expect(response).toMatchObject({ messages: [], finishReason: 'stop' });
    }
  });

  it.each<[string, ResponseReply, boolean, string | undefined]>([
    ['is kept', { text: 'ok', id: 'resp_1' }, true, 'resp_1'],
    ['is not to be kept', { text: 'ok', id: 'resp_1' }, false, undefined],
    ['was not kept all the same', { text: 'ok', id: 'resp_1', kept: false }, true, undefined],
  ])('that %s is named so', async (_name, reply, store, expected) => {
    expect((await whole(reply, store)).serviceSessionId).toBe(expected);
    expect((await streamed(reply, {}, store)).serviceSessionId).toBe(expected);
  });
});

describe('streamed is the same as not streamed', () => {
  const replies: [string, ResponseReply][] = [
    ['text', { text: 'smörgåsbord 🍞 — 寿司 👩‍👩‍👧', usage }],
    ['reasoning and text', { reasoning: 'Hmm… 🤔', text: 'Ja!' }],
    ['reasoning in parts', { reasoningSummary: ['One.', 'Two.', 'Three.'], text: 'Ja!' }],
    ['reasoning without a summary', { reasoning: '', text: 'Ja!' }],
    ['a refusal', { refusal: 'I cannot help with that.' }],
    ['text and a refusal', { text: 'Well,', refusal: 'no.' }],
    ['a call without arguments', { toolCalls: [{ id: 'c1', name: 'now', arguments: '' }] }],
    [
      'parallel calls, one cut',
      {
        reasoning: 'Both.',
        text: 'Both.',
        toolCalls: [
          { id: 'c1', name: 'add', arguments: { a: 1, b: 'å' } },
          { id: 'c2', name: 'add', arguments: { a: 3 } },
          { id: 'c3', name: 'find', arguments: '{"q":"ab' },
        ],
      },
    ],
  ];
  const shapes: [string, StreamShape][] = [
    ['as it comes', {}],
    ['one character an event, in writes of 19 bytes', { pieceLength: 1, bytesPerWrite: 19 }],
    ['writes of 7 bytes', { bytesPerWrite: 7 }],
    ['calls taking turns', { interleaveToolCalls: true, pieceLength: 3 }],
  ];
  it.each(shapes)('%s', async (_name, stream) => {
    for (const [name, reply] of replies) {
      for (const store of [true, false]) {
        const fixed = { ...reply, id: 'resp_1' };
        expect(withoutIds(await streamed(fixed, stream, store)), name).toEqual(
          withoutIds(await whole(fixed, store)),
        );
      }
    }
  });
});

describe('a stream', () => {
  it('names the conversation first, then brings each piece as it comes, and usage at the end', async () => {
    server.script({ text: 'Hej du', usage, id: 'resp_1', stream: { pieceLength: 3 } });
    const client = responsesClientOf(server);
    const updates = await collect(client.getStreamingResponse(messages, { store: true }));
    const head = {
      role: 'assistant',
      messageId: 'resp_1',
      responseId: 'resp_1',
      serviceSessionId: 'resp_1',
      modelId: 'gpt-test',
      metadata: { 'minne.service_id': 'resp_1' },
    };
    const metadata = item('msg');
    expect(updates).toEqual([
      { ...head, contents: [] },
      { ...head, contents: [{ type: 'text', text: 'Hej', metadata }] },
      { ...head, contents: [{ type: 'text', text: ' du', metadata }] },
      {
        ...head,
        contents: [{ type: 'usage', usage: expect.objectContaining({ totalTokens: 120 }) }],
        finishReason: 'stop',
      },
    ]);
  });

  it('numbers the pieces of parallel calls, and says id and name once', async () => {
    const toolCalls = [
      { id: 'c1', name: 'add', arguments: '12345678' },
      { id: 'c2', name: 'sub', arguments: '1234' },
    ];
    server.script({ toolCalls, stream: { interleaveToolCalls: true } });
    const updates = await collect(responsesClientOf(server).getStreamingResponse(messages));
    const pieces = updates.flatMap(({ contents }) => contents);
    expect(pieces.filter(({ type }) => type === 'tool_call_delta')).toEqual([
      { type: 'tool_call_delta', index: 0, callId: 'c1', name: 'add', metadata: item('fc') },
      { type: 'tool_call_delta', index: 1, callId: 'c2', name: 'sub', metadata: item('fc') },
      { type: 'tool_call_delta', index: 0, arguments: '1234' },
      { type: 'tool_call_delta', index: 1, arguments: '1234' },
      { type: 'tool_call_delta', index: 0, arguments: '5678' },
    ]);
  });

  it.each(openAIVersions)('works with openai %s', async (_version, OpenAI) => {
    const reply = { text: 'Hej', id: 'resp_1' };
    server.script(reply, reply);
    const client = responsesClientOf(server, {}, OpenAI);
    const answer = await accumulate(client.getStreamingResponse(messages));
    const { messages: expected } = await client.getResponse(messages);
    expect(answer.messages()[0]?.contents).toMatchObject([{ type: 'text', text: 'Hej' }]);
    expect(expected[0]?.contents).toMatchObject([{ type: 'text', text: 'Hej' }]);
  });
});

describe('what other servers send', () => {
  const events = (...list: { type: string }[]) => ({
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  });
  const completed = { type: 'response.completed', response: { id: 'resp_1', output: [] } };
  const contentsOf = async (...list: { type: string }[]): Promise<readonly Content[]> => {
    server.script(events(...list));
    const answer = await accumulate(responsesClientOf(server).getStreamingResponse(messages));
    return answer.messages()[0]?.contents ?? [];
  };

  it('reasoning that is told whole, of an item that was not announced', async () => {
    const delta = { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0 };
    const said = {
      type: 'response.output_text.delta',
      output_index: 1,
      item_id: 'msg_1',
      delta: 'Ja',
    };
    expect(await contentsOf({ ...delta, delta: 'Hm' } as never, said, completed)).toMatchObject([
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'Ja', metadata: { 'minne.item_id': 'msg_1' } },
    ]);
    server.script({
      status: 200,
      body: { output: [{ type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hm' }] }] },
    });
    const response = await responsesClientOf(server).getResponse(messages);
    expect(response.messages[0]?.contents).toEqual([{ type: 'reasoning', text: 'Hm' }]);
  });

  it('items only when they are done', async () => {
    const done = (index: number, body: object) => ({
      type: 'response.output_item.done',
      output_index: index,
      item: body,
    });
    const contents = await contentsOf(
      done(0, { type: 'reasoning', id: 'rs_1', summary: [{ text: 'Hm' }], encrypted_content: 'x' }),
      done(1, { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: 'Ja' }] }),
      done(2, { type: 'function_call', call_id: 'c1', name: 'add', arguments: { a: 1 } }),
      done(3, { type: 'web_search_call', id: 'ws_1' }),
      completed,
    );
    expect(contents).toMatchObject([
      { type: 'reasoning', text: 'Hm', protectedData: 'x' },
      { type: 'text', text: 'Ja' },
      { type: 'tool_call', callId: 'c1', name: 'add', arguments: '{"a":1}' },
    ]);
  });

  it('the phase of a message is kept', async () => {
    const body = { type: 'message', id: 'msg_1', phase: 'final_answer', content: [{ text: 'Ja' }] };
    server.script({ status: 200, body: { output: [body] } });
    const response = await responsesClientOf(server).getResponse(messages);
    expect(response.messages[0]?.contents).toMatchObject([
      { metadata: { 'minne.item_id': 'msg_1', 'minne.phase': 'final_answer' } },
    ]);
  });

  it('something else altogether', async () => {
    server.script({ status: 200, body: { choices: [] } });
    const error = await failureOf(responsesClientOf(server).getResponse(messages));
    expect(error).toMatchObject({ code: 'chat_client_failed', field: 'baseUrl', retryable: false });
    server.script(events());
    const empty = await failureOf(
      collect(responsesClientOf(server).getStreamingResponse(messages)),
    );
    expect(empty).toMatchObject({ field: 'baseUrl' });
  });
});

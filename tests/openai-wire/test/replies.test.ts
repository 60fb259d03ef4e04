import OpenAI, { APIError } from 'openai';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type FixedReply,
  htmlPage,
  type OpenAIWireServer,
  quotaExceeded,
  rateLimited,
  serverError,
  startOpenAIWire,
} from '../src/index.js';

let server: OpenAIWireServer;
let client: OpenAI;

beforeAll(async () => {
  server = await startOpenAIWire();
  client = new OpenAI({ apiKey: 'x', baseURL: server.baseUrl, maxRetries: 0, logLevel: 'off' });
});
afterAll(() => server.close());
beforeEach(() => server.script());

const messages = [{ role: 'user' as const, content: 'hi' }];
const body = { model: 'gpt-test', messages };

async function chunksOf(reply: FixedReply, includeUsage = true) {
  server.script(reply);
  const stream = await client.chat.completions.create({
    ...body,
    stream: true,
    ...(includeUsage ? { stream_options: { include_usage: true } } : {}),
  });
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

describe('an answer', () => {
  it('comes whole, with text, usage and a finish reason', async () => {
    server.script({
      text: 'Hej',
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    });
    const answer = await client.chat.completions.create(body);
    expect(answer.choices[0]).toMatchObject({
      message: { role: 'assistant', content: 'Hej', refusal: null },
      finish_reason: 'stop',
    });
    expect(answer.usage).toEqual({ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 });
  });

  it('follows the script, then functions of the request, and says when the script is over', async () => {
    server.enqueue({ text: 'one' }, (request) => ({
      text: `to ${JSON.stringify((request.body as typeof body).messages[0]?.content)}`,
    }));
    const text = async () =>
      (await client.chat.completions.create(body)).choices[0]?.message.content;
    expect([await text(), await text()]).toEqual(['one', 'to "hi"']);
    await expect(text()).rejects.toThrow(/script is at its end/);
    expect(server.requests.at(-1)).toMatchObject({ status: 400, path: '/v1/chat/completions' });
    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer x');
  });

  it.each([
    ['text', { text: 'smörgåsbord 🍞 寿司', reasoning: 'hm' }],
    ['a refusal', { refusal: 'I cannot help with that.' }],
    ['one call', { text: 'Let me see', toolCalls: [{ name: 'add', arguments: { a: 1, b: 'å' } }] }],
    [
      'parallel calls',
      {
        toolCalls: [
          { name: 'add', arguments: { a: 1 } },
          { name: 'sub', arguments: '{"q":"abc' },
        ],
      },
    ],
  ])('streamed holds what it holds not streamed: %s', async (_name, reply) => {
    for (const stream of [
      {},
      { pieceLength: 1, bytesPerWrite: 1 },
      { interleaveToolCalls: true },
    ]) {
      const chunks = await chunksOf({ ...reply, id: 'c1', stream });
      const lines = chunks.map((chunk) => JSON.stringify(chunk)).join('\n');
      const runner = ChatCompletionStream.fromReadableStream(
        new Response(lines).body as ReadableStream,
      );
      const streamed = await runner.finalChatCompletion();
      server.script({ ...reply, id: 'c1' });
      const { choices } = await client.chat.completions.create(body);
      const ids = (calls: { id: string }[] = []): object[] =>
        calls.map((item) => ({ ...item, id: undefined, parsed_arguments: undefined }));
      expect(streamed.choices[0]?.message.content).toBe(choices[0]?.message.content);
      expect(streamed.choices[0]?.message.refusal).toBe(choices[0]?.message.refusal);
      expect(streamed.choices[0]?.finish_reason).toBe(choices[0]?.finish_reason);
      expect(ids(streamed.choices[0]?.message.tool_calls)).toMatchObject(
        ids(choices[0]?.message.tool_calls),
      );
    }
  });

  it('ends with usage and no choices only when asked to', async () => {
    const asked = await chunksOf({ text: 'Hej' });
    expect(asked.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: expect.any(Number) },
    });
    expect(asked.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    const unasked = await chunksOf({ text: 'Hej' }, false);
    expect(unasked.at(-1)?.choices[0]?.finish_reason).toBe('stop');
    expect(unasked.some((chunk) => 'usage' in chunk)).toBe(false);
  });

  it('lets pieces of parallel calls take turns, and leaves out what other servers leave out', async () => {
    const toolCalls = [
      { name: 'add', arguments: '{"a":1}', id: null },
      { name: 'sub', arguments: '{"b":2}', id: 'call_b' },
    ];
    const deltas = async (stream: object) =>
      (await chunksOf({ toolCalls, stream }, false)).flatMap(
        ({ choices }) => choices[0]?.delta.tool_calls ?? [],
      );
    const turns = await deltas({ interleaveToolCalls: true });
    expect(turns.map(({ index }) => index)).toEqual([0, 1, 0, 1, 0, 1]);
    expect(turns.map(({ id }) => id)).toEqual([undefined, 'call_b', ...Array(4).fill(undefined)]);
    const zero = await deltas({ toolCallIndexes: 'zero' });
    expect(new Set(zero.map(({ index }) => index))).toEqual(new Set([0]));
    expect((await deltas({ toolCallIndexes: 'none' })).some((delta) => 'index' in delta)).toBe(
      false,
    );
    const heads = await deltas({ repeatToolCallHeads: true });
    expect(heads.filter((delta) => delta.function?.name === 'sub')).toHaveLength(3);
  });
});

describe('a fault', () => {
  it.each([
    ['429', rateLimited({ retryAfter: 3 }), 429],
    ['429 without credit', quotaExceeded(), 429],
    ['500', serverError(), 500],
    ['a page of a proxy', htmlPage(502), 502],
  ])('%s', async (_name, reply, status) => {
    server.script(reply);
    const error = await client.chat.completions.create(body).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ status });
    if (status === 429 && reply.headers !== undefined) {
      expect((error as APIError).headers?.get('retry-after')).toBe('3');
    }
  });

  it('cuts, ends early, tears a chunk or reports an error in the stream', async () => {
    const text = 'a longer text of several chunks';
    await expect(chunksOf({ text, fault: { kind: 'cut' } })).rejects.toThrow(/terminated/);
    expect(await server.requests.at(-1)?.outcome).toBe('cut');
    const ended = await chunksOf({ text, fault: { kind: 'end', afterChunks: 3 } });
    expect(ended).toHaveLength(3);
    await expect(chunksOf({ text, fault: { kind: 'malformed' } })).rejects.toThrow(/JSON/);
    await expect(chunksOf({ text, fault: { kind: 'error' } })).rejects.toThrow(/had an error/);
  });

  it('stalls until the client leaves, and knows that it left', async () => {
    server.script({ text: 'never said', fault: { kind: 'stall', afterChunks: 1 } });
    const stream = await client.chat.completions.create({ ...body, stream: true });
    for await (const chunk of stream) {
      expect(chunk.choices[0]?.delta.role).toBe('assistant');
      break;
    }
    expect(await server.requests.at(-1)?.outcome).toBe('left');
  });
});

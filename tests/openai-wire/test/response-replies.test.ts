import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpenAIWireServer, type ResponseReply, startOpenAIWire } from '../src/index.js';

let server: OpenAIWireServer;
let client: OpenAI;

beforeAll(async () => {
  server = await startOpenAIWire();
  client = new OpenAI({ apiKey: 'x', baseURL: server.baseUrl, maxRetries: 0, logLevel: 'off' });
});
afterAll(() => server.close());
beforeEach(() => server.script());

const ask = { model: 'gpt-5-test', input: 'hi', include: ['reasoning.encrypted_content' as const] };

async function eventsOf(reply: ResponseReply) {
  server.script(reply);
  return await Array.fromAsync(await client.responses.create({ ...ask, stream: true }));
}

const replies: [string, ResponseReply][] = [
  ['text', { text: 'Hej på dig 🌊' }],
  ['a refusal', { refusal: 'No.' }],
  ['reasoning and text', { reasoningSummary: ['One.', 'Two.'], text: 'Ja' }],
  [
    'calls',
    {
      reasoning: '',
      toolCalls: [
        { id: 'c1', name: 'add', arguments: { a: 1 } },
        { id: 'c2', name: 'add', arguments: '{"a":' },
      ],
    },
  ],
];

/** All that grows in an item. */
function saidBy(item: OpenAI.Responses.ResponseOutputItem): string {
  switch (item.type) {
    case 'reasoning':
      return item.summary.map(({ text }) => text).join('');
    case 'message':
      return item.content
        .map((part) => (part.type === 'refusal' ? part.refusal : part.text))
        .join('');
    case 'function_call':
      return item.arguments;
    default:
      throw new Error(`no item of the script: ${item.type}`);
  }
}

describe('a streamed response', () => {
  it.each(replies)('ends with what its pieces add up to: %s', async (_name, reply) => {
    for (const stream of [{}, { interleaveToolCalls: true, pieceLength: 3, bytesPerWrite: 7 }]) {
      const events = await eventsOf({ ...reply, stream });
      expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
      expect(events[0]?.type).toBe('response.created');
      const last = events.at(-1);
      if (last?.type !== 'response.completed') throw new Error(`ends with ${last?.type}`);
      const done = events.flatMap((event) =>
        event.type === 'response.output_item.done'
          ? [[event.output_index, event.item] as const]
          : [],
      );
      expect(done.toSorted(([a], [b]) => a - b).map(([, item]) => item)).toEqual(
        last.response.output,
      );
      for (const [index, item] of done) {
        const deltas = events.flatMap((event) =>
          'delta' in event && 'output_index' in event && event.output_index === index
            ? [event.delta]
            : [],
        );
        expect(deltas.join('')).toBe(saidBy(item));
      }
    }
  });

  it('is what the client puts together itself', async () => {
    server.script({ reasoning: 'Hm.', text: 'Hej 🌊', stream: { bytesPerWrite: 1 } });
    const stream = client.responses.stream(ask);
    expect((await stream.finalResponse()).output_text).toBe('Hej 🌊');
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('is incomplete for the finish reason %s', async (finishReason, reason) => {
    const events = await eventsOf({ text: 'He', finishReason });
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason } },
    });
  });

  it('fails with what the script says', async () => {
    const failure = { code: 'rate_limit_exceeded', message: 'Slow down.' };
    expect((await eventsOf({ text: 'He', failure })).at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: failure },
    });
    server.script({ failure });
    expect(await client.responses.create(ask)).toMatchObject({ status: 'failed', error: failure });
  });

  it.each([
    ['cut', /terminated|socket|connection/i],
    ['malformed', /JSON/],
    ['error', /error/i],
  ] as const)('breaks off: %s', async (kind, message) => {
    await expect(
      eventsOf({ text: 'a longer text', fault: { kind, afterChunks: 6 } }),
    ).rejects.toThrow(message);
  });

  it('ends early, or stands still until the client leaves', async () => {
    const ended = await eventsOf({ text: 'a longer text', fault: { kind: 'end', afterChunks: 6 } });
    expect(ended).toHaveLength(6);
    server.script({ text: 'a longer text', fault: { kind: 'stall', afterChunks: 6 } });
    for await (const event of await client.responses.create({ ...ask, stream: true })) {
      if (event.type === 'response.output_text.delta') break;
    }
    expect(await server.requests.at(-1)?.outcome).toBe('left');
  });
});

describe('a response that is not streamed', () => {
  it('repeats its request, says what it cost, and what is encrypted only when asked', async () => {
    server.script({ reasoning: 'Hm.', text: 'Hej' }, { reasoning: 'Hm.', text: 'Hej' });
    const answer = await client.responses.create({
      ...ask,
      store: false,
      instructions: 'Be kind.',
    });
    expect(answer).toMatchObject({
      instructions: 'Be kind.',
      store: false,
      output: [{ type: 'reasoning', encrypted_content: expect.any(String) }, { type: 'message' }],
      usage: { output_tokens_details: { reasoning_tokens: 1 } },
    });
    const plain = await client.responses.create({ model: 'gpt-5-test', input: 'hi' });
    expect(plain.output[0]).not.toHaveProperty('encrypted_content');
  });

  it.each(['cut', 'malformed', 'error'] as const)('breaks off: %s', async (kind) => {
    server.script({ text: 'x', fault: { kind } });
    await expect(client.responses.create(ask)).rejects.toThrow();
  });
});

import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenAIWireServer, startOpenAIWire } from '../src/index.js';

let server: OpenAIWireServer;
let client: OpenAI;

beforeAll(async () => {
  server = await startOpenAIWire({ fallback: { text: 'ok' } });
  client = new OpenAI({ apiKey: 'x', baseURL: server.baseUrl, maxRetries: 0, logLevel: 'off' });
});
afterAll(() => server.close());

const model = 'gpt-test';
const user = { role: 'user' as const, content: 'hi' };

describe('a conversation', () => {
  it('grows by what is said in it, and is gone when it is deleted', async () => {
    const { id } = await client.conversations.create({ items: [user], metadata: { topic: 'x' } });
    expect(await client.conversations.retrieve(id)).toMatchObject({ metadata: { topic: 'x' } });
    const answer = await client.responses.create({ model, input: 'and?', conversation: id });
    expect(answer.conversation).toEqual({ id });
    expect(server.requests.at(-1)?.effectiveInput).toHaveLength(2);
    const items = await Array.fromAsync(client.conversations.items.list(id, { order: 'asc' }));
    expect(items.map(({ type }) => type)).toEqual(['message', 'message', 'message']);
    const newest = await client.conversations.items.list(id, { limit: 1 });
    expect(newest.data).toMatchObject([{ role: 'assistant', status: 'completed' }]);
    expect(newest.has_more).toBe(true);
    await client.conversations.delete(id);
    for (const work of [
      client.conversations.retrieve(id),
      client.responses.create({ model, input: 'and?', conversation: { id } }),
    ]) {
      await expect(work).rejects.toMatchObject({
        status: 404,
        message: expect.stringContaining(`Conversation with id '${id}' not found.`),
      });
    }
  });

  it('takes items and gives them back, and loses those that are deleted', async () => {
    const { id } = await client.conversations.create();
    const added = await client.conversations.items.create(id, {
      items: [user, { role: 'assistant', content: 'Hej' }],
    });
    expect(added.data).toMatchObject([
      { type: 'message', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'message', content: [{ type: 'output_text', text: 'Hej' }] },
    ]);
    const [first] = added.data;
    if (first === undefined || first.id === undefined || first.id === null)
      throw new Error('no item');
    await client.conversations.items.delete(first.id, { conversation_id: id });
    expect((await client.conversations.items.list(id)).data).toHaveLength(1);
    await expect(
      client.conversations.items.delete(first.id, { conversation_id: id }),
    ).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    [
      'a status',
      { type: 'message', status: 'completed', role: 'assistant', content: [] },
      'items[0].status',
    ],
    [
      'a status on reasoning',
      { type: 'reasoning', summary: [], status: 'completed' },
      'items[0].status',
    ],
    [
      'log probabilities',
      { role: 'assistant', content: [{ type: 'output_text', text: 'x', logprobs: [] }] },
      'items[0].content[0].logprobs',
    ],
    ['a reference', { type: 'item_reference', id: 'msg_1' }, 'items[0]'],
    ['an unknown member', { ...user, name: 'kim' }, 'items[0].name'],
  ])('refuses items with %s', async (_name, item, param) => {
    const { id } = await client.conversations.create();
    const work = client.post(`/conversations/${id}/items`, { body: { items: [item] } });
    await expect(work).rejects.toMatchObject({ status: 400, param });
  });

  it('refuses more than 20 items at once', async () => {
    await expect(
      client.conversations.create({ items: Array.from({ length: 21 }, () => user) }),
    ).rejects.toMatchObject({ code: 'array_above_max_length', param: 'items' });
  });

  it('is refused together with a previous response', async () => {
    const { id } = await client.conversations.create();
    const { id: previous } = await client.responses.create({ model, input: 'hi' });
    await expect(
      client.responses.create({
        model,
        input: 'hi',
        conversation: id,
        previous_response_id: previous,
      }),
    ).rejects.toMatchObject({ code: 'mutually_exclusive_parameters' });
  });

  it('is locked while a response is made in it, and keeps nothing of one that broke off', async () => {
    const { id } = await client.conversations.create();
    server.script({ text: 'a longer text', fault: { kind: 'stall', afterChunks: 6 } });
    const stream = await client.responses.create({
      model,
      input: 'hi',
      conversation: id,
      stream: true,
    });
    for await (const event of stream) {
      if (event.type !== 'response.output_text.delta') continue;
      await expect(
        client.responses.create({ model, input: 'hi', conversation: id }),
      ).rejects.toMatchObject({ code: 'conversation_locked' });
      break;
    }
    await server.requests.at(-2)?.outcome;
    expect((await client.conversations.items.list(id)).data).toEqual([]);
  });

  it('wants the outputs of its calls', async () => {
    const { id } = await client.conversations.create();
    server.script({ toolCalls: [{ id: 'c1', name: 'add', arguments: {} }] });
    await client.responses.create({ model, input: 'hi', conversation: id });
    await expect(client.responses.create({ model, input: 'hi', conversation: id })).rejects.toThrow(
      'No tool output found for function call c1.',
    );
  });
});

import type { ChatMessage, ChatOptions, Content, ReasoningContent } from '@minne/core';
import type { OpenAIWireServer, ResponseReply } from '@minne/openai-wire';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenAIResponsesCommonOptions } from '../src/index.js';
import {
  apiKey,
  failureOf,
  lastBody,
  responsesClientOf,
  said,
  startWire,
  user,
} from './wire-fixture.js';

let server: OpenAIWireServer;
beforeAll(async () => {
  server = await startWire({ fallback: { text: 'ok' } });
});
afterAll(() => server.close());

/** What is sent; the server has taken it. */
async function sent(
  messages: readonly ChatMessage[],
  options: ChatOptions = {},
  settings: Partial<OpenAIResponsesCommonOptions> = {},
): Promise<Record<string, unknown>> {
  await responsesClientOf(server, settings).getResponse(messages, options);
  return lastBody(server);
}

async function inputOf(...messages: readonly ChatMessage[]): Promise<unknown> {
  return (await sent(messages))['input'];
}

const text = (role: string, content: string): object => ({ type: 'message', role, content });
const hi = text('user', 'hi');
const call = (callId: string, rest: Partial<Content> = {}): Content =>
  ({
    type: 'tool_call',
    callId,
    name: 'add',
    arguments: '{"a":1}',
    ...rest,
  }) as Content;
const result = (callId: string, value: unknown, error?: string): Content =>
  ({
    type: 'tool_result',
    callId,
    result: value,
    ...(error === undefined ? {} : { error }),
  }) as Content;

describe('messages', () => {
  it('go as items of their roles, one text as a string', async () => {
    const messages = [said('system', 'Be kind.'), said('developer', 'Be brief.'), user('hi')];
    expect(await inputOf(...messages, said('assistant', 'Hej'), user('a', 'b'))).toEqual([
      text('system', 'Be kind.'),
      text('developer', 'Be brief.'),
      hi,
      text('assistant', 'Hej'),
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'a' },
          { type: 'input_text', text: 'b' },
        ],
      },
    ]);
  });

  it('carry bytes as they are: base64 once, and an address untouched', async () => {
    // The bytes 255, 216, 255, 0.
    const jpeg = { type: 'data', mediaType: 'image/jpeg', data: '/9j/AA==' } as const;
    const url = 'https://example.org/b.png?c=d';
    const input = await inputOf(
      user(
        jpeg,
        { ...jpeg, data: 'data:image/jpeg;base64,/9j/AA==' },
        { type: 'uri', mediaType: 'image/png', uri: url },
        { type: 'data', mediaType: 'audio/mpeg', data: 'AAAA' },
        { type: 'data', mediaType: 'application/pdf', data: 'AAAA', name: 'plan.pdf' },
        { type: 'data', mediaType: 'text/csv', data: 'AAAA' },
        { type: 'uri', mediaType: 'application/pdf', uri: 'https://example.org/a.pdf' },
        { type: 'uri', mediaType: 'text/plain', uri: 'ftp://example.org/a' },
        { type: 'hosted_file', fileId: 'file-1' },
        { type: 'hosted_file', fileId: 'file-2', mediaType: 'image/png' },
      ),
    );
    const image = { type: 'input_image', detail: 'auto' };
    expect(input).toEqual([
      {
        type: 'message',
        role: 'user',
        content: [
          { ...image, image_url: 'data:image/jpeg;base64,/9j/AA==' },
          { ...image, image_url: 'data:image/jpeg;base64,/9j/AA==' },
          { ...image, image_url: url },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
          {
            type: 'input_file',
            filename: 'plan.pdf',
            file_data: 'data:application/pdf;base64,AAAA',
          },
          { type: 'input_file', filename: 'file.csv', file_data: 'data:text/csv;base64,AAAA' },
          { type: 'input_file', file_url: 'https://example.org/a.pdf' },
          { type: 'input_text', text: 'Attachment (text/plain): ftp://example.org/a' },
          { type: 'input_file', file_id: 'file-1' },
          { ...image, file_id: 'file-2' },
        ],
      },
    ]);
  });

  it('carry calls and their outputs, matched by the call id and never by the id of the item', async () => {
    const metadata = { 'minne.item_id': 'fc_1' };
    expect(
      await inputOf(
        user('hi'),
        said('assistant', 'Let me see.', call('call_9', { metadata }), call('call_10')),
        said('tool', result('call_9', { sum: 3 })),
        said('tool', result('call_10', null, 'No such number.')),
      ),
    ).toEqual([
      hi,
      text('assistant', 'Let me see.'),
      { type: 'function_call', call_id: 'call_9', name: 'add', arguments: '{"a":1}' },
      { type: 'function_call', call_id: 'call_10', name: 'add', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'call_9', output: '{"sum":3}' },
      { type: 'function_call_output', call_id: 'call_10', output: 'Error: No such number.' },
    ]);
  });

  it('bring ids, names and arguments into a form that the service takes', async () => {
    const long = 'toolu_'.repeat(20);
    const cut = call(long, { arguments: '{"q":"abc', name: 'functions.add' } as Partial<Content>);
    const input = (await inputOf(
      user('hi'),
      said('assistant', cut),
      said('tool', result(long, 1)),
    )) as Record<string, unknown>[];
    expect(input[1]).toMatchObject({ name: 'functions_add', arguments: '{}' });
    expect(input[1]?.['call_id']).toHaveLength(64);
    expect(input[2]?.['call_id']).toBe(input[1]?.['call_id']);
  });

  it('put outputs in front of what else a user said, and leave out what means nothing to a model', async () => {
    const unknown = { type: 'hologram', beam: 1 } as unknown as Content;
    expect(
      await inputOf(
        user('hi'),
        said('assistant', call('c1'), { type: 'error', message: 'no', code: 'refusal' }),
        said('user', 'and', result('c1', 'x'), unknown),
        said('assistant', ''),
        said('system', { type: 'data', mediaType: 'image/png', data: 'AAAA' }),
      ),
    ).toEqual([
      hi,
      { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c1', output: 'x' },
      text('user', 'and'),
    ]);
  });

  it('are refused before anything is sent when nothing is left of them', async () => {
    const before = server.requests.length;
    const error = await failureOf(responsesClientOf(server).getResponse([user('')]));
    expect(error).toMatchObject({ code: 'invalid_input', field: 'messages' });
    expect(server.requests).toHaveLength(before);
  });
});

function reasoning(id?: string, protectedData = 'gAAAA'): Content {
  const metadata = id === undefined ? {} : { metadata: { 'minne.item_id': id } };
  return { type: 'reasoning', text: 'Hm.', protectedData, ...metadata };
}

describe('reasoning', () => {
  const model = { modelId: 'gpt-5-test' };
  const { protectedData: _, ...unsealed } = reasoning('rs_1') as ReasoningContent;
  const spoken = (id?: string): Content => ({
    type: 'text',
    text: 'Ja',
    ...(id === undefined ? {} : { metadata: { 'minne.item_id': id } }),
  });

  /** An answer as the service makes it, with its reasoning sealed. */
  async function thoughtful(reply: ResponseReply = {}): Promise<ChatMessage> {
    server.script({ reasoning: 'Hm.', text: 'Ja', ...reply });
    const client = responsesClientOf(server, model);
    const { messages } = await client.getResponse([user('hi')], { store: false });
    return said('assistant', ...messages.flatMap(({ contents }) => contents as Content[]));
  }

  it('is asked for in encrypted form where the service keeps nothing, of models that reason', async () => {
    const encrypted = ['reasoning.encrypted_content'];
    expect((await sent([user('hi')], { store: false }, model))['include']).toEqual(encrypted);
    for (const modelId of ['o4-mini', 'gpt-5.6', 'gpt-6', 'codex-mini']) {
      server.script({ status: 200, body: { output: [] } });
      await responsesClientOf(server)
        .getResponse([user('hi')], { store: false, modelId })
        .catch(() => undefined);
      expect(lastBody(server)['include'], modelId).toEqual(encrypted);
    }
    for (const modelId of ['gpt-4.1-mini', 'gpt-5-chat-latest', 'my-deployment']) {
      expect(await sent([user('hi')], { store: false, modelId })).not.toHaveProperty('include');
    }
    expect(await sent([user('hi')], { store: true }, model)).not.toHaveProperty('include');
    const off = { ...model, encryptedReasoning: false };
    expect(await sent([user('hi')], { store: false }, off)).not.toHaveProperty('include');
  });

  it('goes back as it came, in front of what it led to, by their ids', async () => {
    const answer = await thoughtful({ toolCalls: [{ id: 'c1', name: 'add', arguments: {} }] });
    const [thought, message, asked] = answer.contents;
    const body = await sent(
      [user('hi'), answer, said('tool', result('c1', 3))],
      { store: false },
      model,
    );
    const id = (content: Content | undefined): unknown => content?.metadata?.['minne.item_id'];
    expect(body['input']).toEqual([
      hi,
      {
        type: 'reasoning',
        id: id(thought),
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        encrypted_content: expect.stringMatching(/^gAAAA/),
      },
      {
        type: 'message',
        role: 'assistant',
        id: id(message),
        content: [{ type: 'output_text', text: 'Ja' }],
      },
      { type: 'function_call', id: id(asked), call_id: 'c1', name: 'add', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: '3' },
    ]);
    expect(body).not.toHaveProperty('previous_response_id');
  });

  it.each<[string, Content[]]>([
    ['without its encrypted form', [unsealed, spoken('msg_1')]],
    ['without its id', [reasoning(undefined), spoken('msg_1')]],
    ['of another service', [reasoning('thinking_1', 'sig'), spoken('msg_1')]],
    ['in front of something without an id', [reasoning('rs_1'), spoken()]],
    ['that leads to nothing', [spoken('msg_1'), reasoning('rs_1')]],
    ['twice', [reasoning('rs_1'), spoken('msg_1'), reasoning('rs_1'), spoken('msg_2')]],
  ])('is left out %s, and every id with it', async (_name, contents) => {
    const body = await sent(
      [user('hi'), said('assistant', ...contents), user('and?')],
      { store: false },
      model,
    );
    expect(JSON.stringify(body['input'])).not.toMatch(/rs_1|msg_|gAAAA|"id"/);
    expect(JSON.stringify(body['input'])).toContain('Ja');
  });

  it('is left out of an answer that comes a second time, and where the service keeps it', async () => {
    const answer = await thoughtful();
    const again = [user('hi'), answer, user('hi'), answer, user('and?')];
    const body = await sent(again, { store: false }, model);
    expect(JSON.stringify(body['input']).match(/"reasoning"/g)).toHaveLength(1);
    expect((await sent(again, { store: true }, model))['input']).toEqual([
      hi,
      text('assistant', 'Ja'),
      hi,
      text('assistant', 'Ja'),
      text('user', 'and?'),
    ]);
  });

  it('is of a form that a conversation at the service takes too', async () => {
    const body = await sent(
      [user('hi'), await thoughtful({ refusal: 'No.' }), user('and?')],
      { store: false },
      model,
    );
    const client = new OpenAI({ apiKey, baseURL: server.baseUrl });
    const { id } = await client.conversations.create({ items: body['input'] as [] });
    expect((await client.conversations.items.list(id)).data).toHaveLength(4);
  });

  it('says the phase of a message again, with an id and without', async () => {
    const phased = {
      ...spoken('msg_1'),
      metadata: { 'minne.item_id': 'msg_1', 'minne.phase': 'commentary' },
    };
    expect(await inputOf(user('hi'), said('assistant', phased))).toMatchObject([
      {},
      { role: 'assistant', phase: 'commentary' },
    ]);
  });
});

describe('options', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const add = { name: 'add', description: 'Adds.', parameters: schema };

  it('say store in every request', async () => {
    expect(await sent([user('hi')])).toMatchObject({ store: true });
    expect(await sent([user('hi')], { store: false })).toMatchObject({ store: false });
    expect(await sent([user('hi')], {}, { storesByDefault: false })).toMatchObject({
      store: false,
    });
    expect(await sent([user('hi')], { store: true }, { storesByDefault: false })).toMatchObject({
      store: true,
    });
  });

  it('go where Responses has them', async () => {
    const body = await sent([user('hi')], {
      instructions: 'Be kind.',
      temperature: 0.5,
      topP: 0.9,
      maxOutputTokens: 100,
      modelId: 'gpt-other',
      tools: [add, { ...add, name: 'sub', parameters: {}, strict: false }],
      toolChoice: { name: 'add' },
      parallelToolCalls: false,
      responseFormat: { type: 'json', name: 'answer', schema },
      additional: {
        text: { verbosity: 'low' },
        truncation: 'auto',
        include: ['file_search_call.results'],
      },
    });
    expect(body).toMatchObject({
      model: 'gpt-other',
      instructions: 'Be kind.',
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 100,
      tools: [
        { type: 'function', name: 'add', description: 'Adds.', parameters: schema, strict: false },
        { name: 'sub', parameters: { type: 'object', properties: {} }, strict: false },
      ],
      tool_choice: { type: 'function', name: 'add' },
      parallel_tool_calls: false,
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'answer', schema } },
      truncation: 'auto',
      include: ['file_search_call.results'],
    });
    const strict = {
      ...add,
      parameters: { ...schema, required: ['a'], additionalProperties: false },
      strict: true,
    };
    expect(await sent([user('hi')], { tools: [strict] })).toMatchObject({
      tools: [{ strict: true }],
    });
  });

  it('are left out where Responses has none for them', async () => {
    const body = await sent([user('Give me JSON.')], {
      stop: ['END'],
      seed: 1,
      toolChoice: 'auto',
      instructions: '',
      responseFormat: { type: 'json' },
    });
    expect(Object.keys(body).toSorted()).toEqual(['input', 'model', 'store', 'text']);
    expect(body['text']).toEqual({ format: { type: 'json_object' } });
  });

  it('name no conversation beside the one that is told', async () => {
    const before = server.requests.length;
    for (const name of ['conversation', 'previous_response_id']) {
      const work = responsesClientOf(server).getResponse([user('Hi')], {
        store: false,
        additional: { [name]: 'conv_1' },
      });
      const error = await failureOf(work);
      expect(error).toMatchObject({ code: 'invalid_input', field: 'additional' });
      expect(error.message).toMatch(new RegExp(`${name}.*serviceSessionId`));
    }
    expect(server.requests).toHaveLength(before);
  });

  it('name what is continued by what it is', async () => {
    const client = new OpenAI({ apiKey, baseURL: server.baseUrl });
    const { id: conversation } = await client.conversations.create();
    const { id: response } = await client.responses.create({ model: 'gpt-test', input: 'hi' });
    expect(await sent([user('hi')], { serviceSessionId: conversation })).toMatchObject({
      conversation,
    });
    const body = await sent([user('hi')], { serviceSessionId: response });
    expect(body).toMatchObject({ previous_response_id: response });
    expect(body).not.toHaveProperty('conversation');
  });

  it.each<[string, ChatOptions]>([
    ['toolChoice', { toolChoice: 'required' }],
    ['store', { store: false, serviceSessionId: 'conv_1' }],
  ])('are refused before anything is sent: %s', async (field, options) => {
    const before = server.requests.length;
    const error = await failureOf(responsesClientOf(server).getResponse([user('hi')], options));
    expect(error).toMatchObject({ code: 'invalid_input', field });
    expect(server.requests).toHaveLength(before);
  });
});

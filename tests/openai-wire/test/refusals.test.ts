import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenAIWireServer, startOpenAIWire } from '../src/index.js';

const apiKey = 'sk-test-1234567890abcdef';
let server: OpenAIWireServer;
let client: OpenAI;

beforeAll(async () => {
  server = await startOpenAIWire({ apiKey, models: ['gpt-test', 'gpt-5-test'], fallback: {} });
  client = new OpenAI({ apiKey, baseURL: server.baseUrl, maxRetries: 0 });
});
afterAll(() => server.close());

async function refusalOf(body: unknown, as: OpenAI = client): Promise<APIError> {
  const error = await as.post('/chat/completions', { body: body as object }).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (error instanceof APIError) return error;
  throw new Error(`expected a refusal, got ${String(error)}`);
}

const user = { role: 'user', content: 'hi' };
const request = (members: object): object => ({ model: 'gpt-test', messages: [user], ...members });
const conversation = (...messages: object[]): object => request({ messages });
const call = (id: string, members: object = {}): object => ({
  id,
  type: 'function',
  function: { name: 'add', arguments: '{}' },
  ...members,
});
const asks = (...calls: object[]): object => ({
  role: 'assistant',
  content: null,
  tool_calls: calls,
});
const tells = (id: string): object => ({ role: 'tool', tool_call_id: id, content: '3' });
const add = (members: object = {}): object => ({
  type: 'function',
  function: { name: 'add', parameters: { type: 'object', properties: {} }, ...members },
});
const content = (...parts: object[]): object => conversation({ role: 'user', content: parts });
const image = (url: unknown): object => content({ type: 'image_url', image_url: { url } });

describe('who may ask', () => {
  it.each([
    ['no key', {}, "You didn't provide an API key", null],
    [
      'a wrong key',
      { authorization: 'Bearer sk-wrong-0000000000xyz' },
      'Incorrect',
      'invalid_api_key',
    ],
  ])('refuses %s with 401', async (_name, headers: Record<string, string>, message, code) => {
    const response = await fetch(`${server.baseUrl}/models`, { headers });
    expect(response.status).toBe(401);
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ type: 'invalid_request_error', param: null, code });
    expect(error['message']).toContain(message);
    expect(error['message']).not.toContain('sk-wrong-0000000000xyz');
  });

  it('tells an unknown path, an unknown method, a body that is not JSON and an unknown model', async () => {
    const headers = { authorization: `Bearer ${apiKey}` };
    expect((await fetch(`${server.baseUrl}/nothing`, { headers })).status).toBe(404);
    expect((await fetch(`${server.baseUrl}/chat/completions`, { headers })).status).toBe(405);
    const torn = await fetch(`${server.baseUrl}/chat/completions`, {
      method: 'POST',
      headers,
      body: '{"model":',
    });
    expect(torn.status).toBe(400);
    expect(await refusalOf(request({ model: 'gpt-none' }))).toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
  });

  it('lists its models', async () => {
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(['gpt-test', 'gpt-5-test']);
    expect(await client.models.retrieve('gpt-test')).toMatchObject({ object: 'model' });
  });
});

describe('what it takes', () => {
  it.each<[string, object]>([
    [
      'an answer with its own members in its text, as OpenAI Agents JS sends it',
      conversation(user, {
        role: 'assistant',
        content: [{ type: 'text', text: 'x', role: 'assistant', refusal: null, annotations: [] }],
      }),
    ],
    [
      'tool results in another order than the calls',
      conversation(user, asks(call('a'), call('b')), tells('b'), tells('a')),
    ],
    [
      'an id that an earlier turn had too',
      conversation(user, asks(call('a')), tells('a'), asks(call('a')), tells('a')),
    ],
    [
      'arguments that are not JSON',
      conversation(
        user,
        asks(call('a', { function: { name: 'add', arguments: '{"q' } })),
        tells('a'),
      ),
    ],
    [
      'images, audio and files',
      content(
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } },
        { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
        { type: 'file', file: { file_id: 'file-1' } },
        {
          type: 'file',
          file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' },
        },
      ),
    ],
    [
      'every parameter at once',
      request({
        temperature: 1,
        top_p: 1,
        n: 1,
        stop: ['a', 'b'],
        seed: 1,
        max_completion_tokens: 10,
        user: 'u',
        tools: [add()],
        tool_choice: { type: 'function', function: { name: 'add' } },
        parallel_tool_calls: false,
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'answer', schema: { type: 'object', properties: {} } },
        },
      }),
    ],
  ])('%s', async (_name, body) => {
    await expect(client.post('/chat/completions', { body })).resolves.toMatchObject({
      object: 'chat.completion',
    });
  });
});

describe('what it refuses', () => {
  const cases: [
    string,
    object,
    { param?: string | null; code?: string | null; message?: RegExp },
  ][] = [
    ['no model', { messages: [user] }, { param: 'model', code: 'missing_required_parameter' }],
    [
      'no messages',
      { model: 'gpt-test' },
      { param: 'messages', code: 'missing_required_parameter' },
    ],
    ['an empty list of messages', conversation(), { param: 'messages', code: 'empty_array' }],
    [
      'messages of another type',
      request({ messages: 'hi' }),
      { param: 'messages', code: 'invalid_type' },
    ],
    [
      'an unknown parameter',
      request({ top_k: 4 }),
      { param: null, message: /Unrecognized request argument supplied: top_k/ },
    ],
    [
      'a parameter named like a method of every object',
      request({ constructor: 1 }),
      { message: /constructor/ },
    ],
    [
      'an unknown role',
      conversation({ role: 'bot', content: 'hi' }),
      { param: 'messages[0].role', code: 'invalid_value' },
    ],
    [
      'a message without a role',
      conversation({ content: 'hi' }),
      { param: 'messages[0].role', code: 'missing_required_parameter' },
    ],
    [
      'a message without content',
      conversation({ role: 'user' }),
      { param: 'messages[0].content', code: 'missing_required_parameter' },
    ],
    [
      'null content of a user',
      conversation({ role: 'user', content: null }),
      { param: 'messages.[0].content' },
    ],
    [
      'members of an answer in the text of a user',
      conversation({ role: 'user', content: [{ type: 'text', text: 'x', role: 'assistant' }] }),
      { param: 'messages[0].content[0].role', code: 'unknown_parameter' },
    ],
    [
      'null content of an assistant without calls',
      conversation(user, { role: 'assistant', content: null }),
      { param: 'messages.[1].content' },
    ],
    [
      'an unknown field of a message',
      conversation({ ...user, id: 'm1' }),
      { param: 'messages[0].id', code: 'unknown_parameter' },
    ],
    [
      'a name with a space',
      conversation({ ...user, name: 'Kim Larsen' }),
      { param: 'messages[0].name', code: 'invalid_value' },
    ],
    [
      'an unknown content part',
      content({ type: 'video', video: {} }),
      { param: 'messages[0].content[0].type', code: 'invalid_value' },
    ],
    [
      'a content part without a type',
      content({ text: 'hi' }),
      { param: 'messages[0].content[0].type', code: 'missing_required_parameter' },
    ],
    [
      'a field too many in a content part',
      content({ type: 'text', text: 'hi', cache_control: {} }),
      { param: 'messages[0].content[0].cache_control', code: 'unknown_parameter' },
    ],
    [
      'an image in a system message',
      conversation({
        role: 'system',
        content: [{ type: 'image_url', image_url: { url: 'https://a.b/c' } }],
      }),
      { param: 'messages[0].content[0].type' },
    ],
    [
      'an image as a bare string',
      content({ type: 'image_url', image_url: 'https://a.b/c' }),
      { param: 'messages[0].content[0].image_url', code: 'invalid_type' },
    ],
    [
      'an image that is bare base64',
      image('iVBORw=='),
      { code: 'invalid_value', message: /without the 'data:' prefix/ },
    ],
    [
      'an image with broken base64',
      image('data:image/png;base64,@@@'),
      { code: 'invalid_value', message: /invalid base64/ },
    ],
    ['an image of no bytes', image('data:image/png;base64,'), { message: /empty base64/ }],
    [
      'bytes written as numbers',
      image('data:image/jpeg;base64,255,216,255,0'),
      { message: /invalid base64/ },
    ],
    [
      'an image of another type',
      image('data:image/tiff;base64,SUkqAA=='),
      { message: /unsupported MIME type/ },
    ],
    [
      'audio of another format',
      content({ type: 'input_audio', input_audio: { data: 'T2dnUw==', format: 'ogg' } }),
      { param: 'messages[0].content[0].input_audio.format' },
    ],
    [
      'audio as a data URL',
      content({
        type: 'input_audio',
        input_audio: { data: 'data:audio/wav;base64,UklGRg==', format: 'wav' },
      }),
      { param: 'messages[0].content[0].input_audio.data' },
    ],
    [
      'a file that is neither data nor id',
      content({ type: 'file', file: { filename: 'a.pdf' } }),
      { code: 'missing_required_parameter' },
    ],
    [
      'file data without its data URL',
      content({ type: 'file', file: { file_data: 'JVBERg==' } }),
      { message: /Invalid file data/ },
    ],
    [
      'a tool message first',
      conversation(tells('a'), user),
      { param: 'messages.[0].role', message: /must be a response to a preceeding message/ },
    ],
    [
      'a tool message after a user',
      conversation(asks(call('a')), tells('a'), user, tells('a')),
      { param: 'messages.[3].role' },
    ],
    [
      'a tool message for another call',
      conversation(user, asks(call('a')), tells('b')),
      { param: 'messages.[2].tool_call_id' },
    ],
    [
      'a call without its result',
      conversation(user, asks(call('a'), call('b')), tells('a'), user),
      { param: 'messages.[3].role', message: /did not have response messages: b$/ },
    ],
    [
      'a call at the end',
      conversation(user, asks(call('a'))),
      { param: 'messages.[1].role', message: /: a$/ },
    ],
    [
      'results parted from their call',
      conversation(user, asks(call('a')), user, tells('a')),
      { param: 'messages.[2].role' },
    ],
    [
      'a tool message without id',
      conversation(user, asks(call('a')), { role: 'tool', content: '3' }),
      { param: 'messages[2].tool_call_id', code: 'missing_required_parameter' },
    ],
    [
      'an empty list of calls',
      conversation(user, { role: 'assistant', content: 'x', tool_calls: [] }),
      { param: 'messages[1].tool_calls', code: 'empty_array' },
    ],
    [
      'arguments that are no string',
      conversation(
        user,
        asks(call('a', { function: { name: 'add', arguments: { a: 1 } } })),
        tells('a'),
      ),
      { param: 'messages[1].tool_calls[0].function.arguments', code: 'invalid_type' },
    ],
    [
      'a call without id',
      conversation(user, asks({ type: 'function', function: { name: 'add', arguments: '{}' } })),
      { param: 'messages[1].tool_calls[0].id' },
    ],
    [
      'a call id of 41 characters',
      conversation(user, asks(call('c'.repeat(41)))),
      { code: 'string_above_max_length' },
    ],
    [
      'a tool without a name',
      request({ tools: [{ type: 'function', function: {} }] }),
      { param: 'tools[0].function.name' },
    ],
    [
      'a tool name with a dot',
      request({ tools: [add({ name: 'a.b' })] }),
      { param: 'tools[0].function.name', code: 'invalid_value' },
    ],
    [
      'a tool name of 65 characters',
      request({ tools: [add({ name: 'a'.repeat(65) })] }),
      { code: 'string_above_max_length' },
    ],
    [
      'two tools of one name',
      request({ tools: [add(), add()] }),
      { param: 'tools[1].function.name' },
    ],
    ['an empty list of tools', request({ tools: [] }), { param: 'tools', code: 'empty_array' }],
    [
      '129 tools',
      request({ tools: Array.from({ length: 129 }, (_, n) => add({ name: `t${n}` })) }),
      { code: 'array_above_max_length' },
    ],
    [
      'parameters that are no object schema',
      request({ tools: [add({ parameters: { type: 'string' } })] }),
      { param: 'tools[0].function.parameters', code: 'invalid_function_parameters' },
    ],
    [
      'parameters without a type',
      request({ tools: [add({ parameters: { anyOf: [] } })] }),
      { message: /got 'type: "None"'/ },
    ],
    [
      'an object schema without properties',
      request({ tools: [add({ parameters: { type: 'object' } })] }),
      { message: /object schema missing properties/ },
    ],
    [
      'an array schema without items',
      request({
        tools: [add({ parameters: { type: 'object', properties: { list: { type: 'array' } } } })],
      }),
      { message: /In context=\('properties', 'list'\), array schema missing items/ },
    ],
    [
      'a strict schema that allows more',
      request({ tools: [add({ strict: true })] }),
      { message: /'additionalProperties' is required/ },
    ],
    [
      'a strict schema with an optional property',
      request({
        tools: [
          add({
            strict: true,
            parameters: {
              type: 'object',
              properties: { a: { type: 'string' } },
              required: [],
              additionalProperties: false,
            },
          }),
        ],
      }),
      { message: /Missing 'a'/ },
    ],
    [
      'tool_choice without tools',
      request({ tool_choice: 'none' }),
      { param: 'tool_choice', code: null },
    ],
    [
      'parallel_tool_calls without tools',
      request({ parallel_tool_calls: true }),
      { param: 'parallel_tool_calls', code: null },
    ],
    [
      'a choice of a tool that is not there',
      request({ tools: [add()], tool_choice: { type: 'function', function: { name: 'sub' } } }),
      { param: 'tool_choice' },
    ],
    [
      'stream_options without stream',
      request({ stream_options: { include_usage: true } }),
      { param: 'stream_options', code: null },
    ],
    [
      'two limits of tokens',
      request({ max_tokens: 5, max_completion_tokens: 5 }),
      { code: 'invalid_parameter_combination' },
    ],
    ['metadata of what is not kept', request({ metadata: { a: 'b' } }), { param: 'metadata' }],
    [
      'a temperature of a reasoning model',
      request({ model: 'gpt-5-test', temperature: 0.5 }),
      { param: 'temperature', code: 'unsupported_value' },
    ],
    [
      'places to stop of a reasoning model',
      request({ model: 'gpt-5-test', stop: ['END'] }),
      { param: 'stop', code: 'unsupported_parameter' },
    ],
    [
      'an answer that is to be no object',
      request({
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'a', schema: { type: 'array', items: {} } },
        },
      }),
      { param: 'response_format', message: /must be a JSON Schema of 'type: "object"'/ },
    ],
    [
      'max_tokens of a reasoning model',
      request({ model: 'gpt-5-test', max_tokens: 5 }),
      { code: 'unsupported_parameter' },
    ],
    [
      'no tokens at all',
      request({ max_completion_tokens: 0 }),
      { code: 'integer_below_min_value' },
    ],
    ['half a token', request({ max_completion_tokens: 1.5 }), { code: 'invalid_type' }],
    ['too hot', request({ temperature: 2.1 }), { code: 'decimal_above_max_value' }],
    [
      'a temperature as text',
      request({ temperature: '1' }),
      { param: 'temperature', code: 'invalid_type' },
    ],
    [
      'five stop sequences',
      request({ stop: ['a', 'b', 'c', 'd', 'e'] }),
      { code: 'array_above_max_length' },
    ],
    [
      'JSON mode that no message speaks of',
      request({ response_format: { type: 'json_object' } }),
      { param: 'messages' },
    ],
    [
      'a response schema without a name',
      request({ response_format: { type: 'json_schema', json_schema: { schema: {} } } }),
      { param: 'response_format.json_schema.name' },
    ],
  ];
  it.each(cases)('%s', async (_name, body, { param, code, message }) => {
    const error = await refusalOf(body);
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error' });
    if (param !== undefined) expect(error.param).toBe(param);
    if (code !== undefined) expect(error.code).toBe(code);
    if (message !== undefined) expect(error.message).toMatch(message);
    expect(server.requests.at(-1)?.refusal?.error.message).toBe(error.message.replace(/^400 /, ''));
  });

  it('more than the context holds, and parameters that an older server does not know', async () => {
    await using small = await startOpenAIWire({ contextLength: 20, without: ['stream_options'] });
    const to = new OpenAI({ apiKey: 'x', baseURL: small.baseUrl, maxRetries: 0 });
    const long = conversation({ role: 'user', content: 'word '.repeat(50) });
    expect(await refusalOf(long, to)).toMatchObject({ code: 'context_length_exceeded' });
    const newer = request({ stream: true, stream_options: { include_usage: true } });
    expect((await refusalOf(newer, to)).message).toMatch(/supplied: stream_options/);
  });
});

import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpenAIWireServer, type ResponseReply, startOpenAIWire } from '../src/index.js';

let server: OpenAIWireServer;
let client: OpenAI;

beforeAll(async () => {
  server = await startOpenAIWire({ models: ['gpt-test', 'gpt-5-test'], fallback: { text: 'ok' } });
  client = new OpenAI({ apiKey: 'x', baseURL: server.baseUrl, maxRetries: 0, logLevel: 'off' });
});
afterAll(() => server.close());
beforeEach(() => server.script());

async function refusalOf(members: object, as: OpenAI = client): Promise<APIError> {
  const body = { model: 'gpt-test', input: 'hi', ...members };
  const error = await as.post('/responses', { body }).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (error instanceof APIError) return error;
  throw new Error(`expected a refusal, got ${String(error)}`);
}

const user = { role: 'user', content: 'hi' };
const call = { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'c1', output: '3' };
const tool = (members: object = {}): object => ({
  type: 'function',
  name: 'add',
  parameters: { type: 'object', properties: {} },
  ...members,
});
const input = (...items: unknown[]): object => ({ input: items });
const content = (...parts: object[]): object => input({ role: 'user', content: parts });
const said = (...parts: object[]): object => input({ role: 'assistant', content: parts });

async function ask(members: object, reply: ResponseReply = { text: 'ok' }) {
  server.script(reply);
  const body = { model: 'gpt-test', input: 'hi', ...members };
  return await client.responses.create(body as { model: string; input: string });
}

describe('parameters', () => {
  const refused: [string, object, object][] = [
    [
      'a missing model',
      { model: undefined },
      { code: 'missing_required_parameter', param: 'model' },
    ],
    [
      'a missing input',
      { input: undefined },
      { code: 'missing_required_parameter', param: 'input' },
    ],
    ['an empty input', input(), { code: 'missing_required_parameter', param: null }],
    ['an empty text', { input: '' }, { code: 'missing_required_parameter', param: null }],
    ['an unknown parameter', { stop: ['a'] }, { code: 'unknown_parameter', param: 'stop' }],
    ['a parameter of Chat Completions', { messages: [user] }, { code: 'unsupported_parameter' }],
    ['its response format', { response_format: {} }, { message: /moved to 'text.format'/ }],
    [
      'its usage in streams',
      { stream: true, stream_options: { include_usage: true } },
      { param: 'stream_options.include_usage' },
    ],
    ['options of a stream without one', { stream_options: {} }, { param: 'stream_options' }],
    ['too few tokens', { max_output_tokens: 10 }, { code: 'integer_below_min_value' }],
    ['an unknown inclusion', { include: ['thoughts'] }, { param: 'include[0]' }],
    [
      'encrypted reasoning of a model that does not reason',
      { include: ['reasoning.encrypted_content'] },
      { param: 'include', message: /not supported with this model/ },
    ],
    [
      'sampling of a model that reasons',
      { model: 'gpt-5-test', temperature: 0.5 },
      { param: 'temperature' },
    ],
    [
      'effort of a model that does not reason',
      { reasoning: { effort: 'low' } },
      { param: 'reasoning.effort', code: 'unsupported_parameter' },
    ],
    [
      'an answer that is to be no object',
      {
        text: {
          format: { type: 'json_schema', name: 'a', schema: { type: 'array', items: {} } },
        },
      },
      { code: 'invalid_json_schema', message: /must be a JSON Schema of 'type: "object"'/ },
    ],
    ['an unknown effort', { reasoning: { effort: 'most' } }, { param: 'reasoning.effort' }],
    ['an unknown model', { model: 'gpt-none' }, { status: 404, code: 'model_not_found' }],
    [
      'JSON mode that nobody mentioned',
      { text: { format: { type: 'json_object' } } },
      { param: 'input' },
    ],
    [
      'a format without name',
      { text: { format: { type: 'json_schema', schema: {} } } },
      { param: 'text.format.name' },
    ],
    [
      'a schema that strict mode cannot hold',
      {
        text: {
          format: {
            type: 'json_schema',
            name: 'a',
            strict: true,
            schema: { type: 'object', properties: {} },
          },
        },
      },
      { code: 'invalid_json_schema' },
    ],
    [
      'a previous id with other letters',
      { previous_response_id: 'a b' },
      { code: 'invalid_value' },
    ],
  ];
  it.each(refused)('refuses %s', async (_name, members, expected) => {
    const { message, ...rest } = expected as { message?: RegExp };
    expect(await refusalOf(members)).toMatchObject({
      status: 400,
      ...rest,
      ...(message === undefined ? {} : { message: expect.stringMatching(message) }),
    });
  });

  it('takes all parameters that the API description has for models that reason', async () => {
    const reasoning = { effort: 'low', summary: 'auto', generate_summary: null, context: 'auto' };
    for (const model of ['gpt-5-test', 'gpt-6-test', 'codex-test']) {
      await using wide = await startOpenAIWire({ fallback: { text: 'ok' } });
      const there = client.withOptions({ baseURL: wide.baseUrl });
      const include = ['reasoning.encrypted_content'] as const;
      const response = await there.responses.create({
        ...{ background_options: {}, access_programs: {} },
        model,
        input: 'hi',
        reasoning: reasoning as OpenAI.Reasoning,
        include: [...include],
      });
      expect(response.status).toBe('completed');
    }
  });

  it('refuses what this server is told not to know', async () => {
    await using older = await startOpenAIWire({ without: ['include'] });
    const there = client.withOptions({ baseURL: older.baseUrl });
    expect(await refusalOf({ include: [] }, there)).toMatchObject({ param: 'include' });
  });
});

describe('tools', () => {
  const refused: [string, object, object][] = [
    [
      'one in the shape of Chat Completions',
      { tools: [{ type: 'function', function: { name: 'add' } }] },
      { param: 'tools[0].name' },
    ],
    ['one without a type', { tools: [{}] }, { param: 'tools[0].type' }],
    [
      'parameters that are no object',
      { tools: [tool({ parameters: { type: 'string' } })] },
      { code: 'invalid_function_parameters' },
    ],
    [
      'a list without items',
      { tools: [tool({ parameters: { type: 'object', properties: { a: { type: 'array' } } } })] },
      { param: 'tools[0].parameters' },
    ],
    [
      'a schema that strict mode cannot hold',
      { tools: [tool({ strict: true })] },
      { message: /additionalProperties/ },
    ],
    ['two of one name', { tools: [tool(), tool()] }, { message: /unique/ }],
    ['a name with a space', { tools: [tool({ name: 'a b' })] }, { param: 'tools[0].name' }],
    [
      'a choice of what is not there',
      { tools: [tool()], tool_choice: { type: 'function', name: 'sub' } },
      { param: 'tool_choice' },
    ],
    [
      'a choice in the shape of Chat Completions',
      { tools: [tool()], tool_choice: { type: 'function', function: { name: 'add' } } },
      { param: 'tool_choice.name' },
    ],
    ['a required call without tools', { tool_choice: 'required' }, { param: 'tool_choice' }],
  ];
  it.each(refused)('refuses %s', async (_name, members, expected) => {
    const { message, ...rest } = expected as { message?: RegExp };
    expect(await refusalOf(members)).toMatchObject({
      status: 400,
      ...rest,
      ...(message === undefined ? {} : { message: expect.stringMatching(message) }),
    });
  });

  it('takes the tools that the service runs itself', async () => {
    for (const type of ['web_search_preview', 'computer', 'shell', 'apply_patch', 'tool_search']) {
      expect(await ask({ tools: [{ type }] })).toMatchObject({ status: 'completed' });
    }
  });

  it('takes an empty list, and a choice between nothing', async () => {
    expect(await ask({ tools: [], tool_choice: 'auto' })).toMatchObject({ status: 'completed' });
  });
});

describe('items', () => {
  const refused: [string, object, string][] = [
    ['something that is no item', input(7), 'input[0]'],
    ['an unknown type', input({ type: 'hologram' }), 'input[0]'],
    ['an unknown role', input({ role: 'tool', content: 'x' }), 'input[0]'],
    ['a message without content', input({ role: 'user' }), 'input[0].content'],
    ['an unknown member', input({ ...user, name: 'kim' }), 'input[0].name'],
    [
      'a part of Chat Completions',
      content({ type: 'text', text: 'x' }),
      'input[0].content[0].type',
    ],
    [
      'what the model says from a user',
      content({ type: 'output_text', text: 'x' }),
      'input[0].content[0]',
    ],
    [
      'what a user says from the model',
      said({ type: 'input_text', text: 'x' }),
      'input[0].content[0]',
    ],
    [
      'a picture from the model',
      said({ type: 'input_image', image_url: 'https://a/b.png' }),
      'input[0].content[0]',
    ],
    [
      'an image as an object',
      content({ type: 'input_image', image_url: { url: 'https://a/b.png' } }),
      'input[0].content[0].image_url',
    ],
    [
      'an image that is no base64',
      content({ type: 'input_image', image_url: 'data:image/png;base64,255,216' }),
      'input[0].content[0].image_url',
    ],
    ['an image that is nowhere', content({ type: 'input_image' }), 'input[0].content[0].image_url'],
    [
      'a file that is nowhere',
      content({ type: 'input_file', filename: 'a.pdf' }),
      'input[0].content[0].file_id',
    ],
    ['an id of another kind', input({ ...call, id: 'call_1' }, output), 'input[0].id'],
    ['a call id that is too long', input({ ...call, call_id: 'c'.repeat(65) }), 'input[0].call_id'],
    [
      'a call with a name that is none',
      input({ ...call, name: 'functions.add' }, output),
      'input[0].name',
    ],
    [
      'a call without an id',
      input({ type: 'function_call', name: 'add', arguments: '' }),
      'input[0].call_id',
    ],
    [
      'an output that is an object',
      input(call, { ...output, output: { sum: 3 } }),
      'input[1].output',
    ],
    ['reasoning without a summary', input({ type: 'reasoning' }), 'input[0].summary'],
    [
      'reasoning with a status',
      input({ type: 'reasoning', summary: [], status: 'completed' }),
      'input[0].status',
    ],
  ];
  it.each(refused)('refuses %s', async (_name, members, param) => {
    expect(await refusalOf(members)).toMatchObject({ status: 400, param });
  });

  it('takes messages of each role, also as an answer gave them, images, files and audio', async () => {
    const answer = await ask(
      content(
        { type: 'input_text', text: 'x' },
        { type: 'input_image', image_url: 'data:image/jpeg;base64,/9j/AA==' },
        { type: 'input_image', file_id: 'file-1' },
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' },
        { type: 'input_file', file_url: 'https://a/b.pdf' },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      ),
    );
    const roles = ['system', 'developer'].map((role) => ({ role, content: 'x' }));
    expect(await ask(input(...roles, ...answer.output, user))).toMatchObject({ output_text: 'ok' });
  });
});

describe('what goes together', () => {
  it.each([
    ['a call without its output', input(user, call), 'No tool output found for function call c1.'],
    [
      'an output without its call',
      input(user, output),
      'No tool call found for function call output with call_id c1.',
    ],
    ['an output before its call', input(output, call), 'No tool call found'],
    ['two outputs of one call', input(call, output, output), 'No tool call found'],
    [
      'two items of one id',
      input({ ...call, id: 'fc_1' }, output, { ...call, id: 'fc_1' }, output),
      'Duplicate item found with id fc_1.',
    ],
    [
      'an item by an id that nobody knows',
      input({ type: 'item_reference', id: 'msg_9' }),
      "Item with id 'msg_9' not found.",
    ],
    [
      'reasoning that leads to nothing',
      input(user, { type: 'reasoning', summary: [] }),
      "of type 'reasoning' was provided without its required following item.",
    ],
    [
      'reasoning in front of the user',
      input({ type: 'reasoning', summary: [] }, user),
      'without its required following item.',
    ],
    [
      'reasoning of somebody else',
      input({ type: 'reasoning', summary: [], encrypted_content: 'gAAAAxyz' }, call, output),
      'could not be verified.',
    ],
  ])('refuses %s', async (_name, members, message) => {
    expect(await refusalOf(members)).toMatchObject({ message: expect.stringContaining(message) });
  });

  it('takes a call id again once its call is answered', async () => {
    expect(await ask(input(call, output, call, output))).toMatchObject({ output_text: 'ok' });
  });

  it('takes a call without its id behind its reasoning', async () => {
    const reply = { reasoning: 'Hm.', toolCalls: [{ name: 'add', arguments: {}, id: 'c1' }] };
    const { output: made } = await ask({ model: 'gpt-5-test', tools: [tool()] }, reply);
    const [thought, called] = made;
    expect(called?.type).toBe('function_call');
    expect(await ask(input(user, thought, call, output))).toMatchObject({ output_text: 'ok' });
    expect(await refusalOf(input(user, thought, { ...call, id: 'fc_9' }, output))).toMatchObject({
      message: expect.stringContaining('without its required following item.'),
    });
  });

  it('refuses an item without the reasoning it came of, and the reverse', async () => {
    const reply = { reasoning: 'Hm.', text: 'Yes.' };
    const include = ['reasoning.encrypted_content'];
    const { output: made } = await ask({ model: 'gpt-5-test', store: false, include }, reply);
    const [thought, message] = made;
    expect(await refusalOf(input(user, message))).toMatchObject({
      message: expect.stringContaining(
        `Item '${message?.id}' of type 'message' was provided without its required 'reasoning' item: '${thought?.id}'.`,
      ),
    });
    const renamed = { role: 'assistant', content: 'Yes.' };
    expect(await refusalOf(input(user, thought, renamed))).toMatchObject({
      message: expect.stringContaining('without its required following item.'),
    });
    expect(await ask(input(user, thought, message, user))).toMatchObject({ output_text: 'ok' });
    expect(await ask(input(user, renamed, user))).toMatchObject({ output_text: 'ok' });
  });

  it('refuses items by id that were made without being kept, and takes kept ones', async () => {
    const reply = { reasoning: 'Hm.', text: 'Yes.' };
    const passing = await ask({ store: false }, reply);
    const [thought, message] = passing.output;
    expect(await refusalOf(input(thought, message))).toMatchObject({
      status: 404,
      message: expect.stringContaining('Items are not persisted when `store` is set to false.'),
    });
    const kept = await ask({}, reply);
    const references = kept.output.map(({ id }) => ({ type: 'item_reference', id }));
    await ask(input(user, ...references, user));
    expect(server.requests.at(-1)?.effectiveInput).toEqual([user, ...kept.output, user]);
  });
});

describe('what the service holds', () => {
  it('continues a response with all that was said before', async () => {
    const first = await ask({ input: 'one' });
    const second = await ask({ input: 'two', previous_response_id: first.id });
    await ask({ input: 'three', previous_response_id: second.id });
    expect(server.requests.at(-1)?.effectiveInput).toHaveLength(5);
    expect(await client.responses.retrieve(second.id)).toMatchObject({
      id: second.id,
      previous_response_id: first.id,
    });
  });

  it.each<[string, () => Promise<{ id: string }>, OpenAI?]>([
    ['nobody knows', async () => ({ id: 'resp_none' })],
    ['was made with store: false', () => ask({ store: false })],
    ['was not kept in spite of store: true', () => ask({}, { text: 'ok', kept: false })],
    ['failed', () => ask({}, { failure: { code: 'server_error', message: 'no' } })],
    [
      'was deleted',
      async () => {
        const response = await ask({});
        await client.responses.delete(response.id);
        return response;
      },
    ],
  ])('refuses to continue a response that %s', async (_name, make) => {
    const { id } = await make();
    expect(await refusalOf({ previous_response_id: id })).toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
      message: expect.stringContaining(`Previous response with id '${id}' not found.`),
    });
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });

  it("refuses another project's response, and a stream that was left", async () => {
    const { id } = await ask({});
    const other = client.withOptions({ project: 'proj_other' });
    expect(await refusalOf({ previous_response_id: id }, other)).toMatchObject({
      code: 'previous_response_not_found',
    });
    server.script({ text: 'a longer text', fault: { kind: 'stall', afterChunks: 6 } });
    let left = '';
    for await (const event of await client.responses.create({
      model: 'gpt-test',
      input: 'hi',
      stream: true,
    })) {
      if (event.type === 'response.created') left = event.response.id;
      if (event.type === 'response.output_text.delta') break;
    }
    expect(await refusalOf({ previous_response_id: left })).toMatchObject({
      code: 'previous_response_not_found',
    });
  });

  it('wants the outputs of calls that it holds, and no item twice', async () => {
    const { id, output: items } = await ask(
      {},
      { toolCalls: [{ id: 'c1', name: 'add', arguments: {} }] },
    );
    expect(await refusalOf({ previous_response_id: id })).toMatchObject({
      message: expect.stringContaining('No tool output found for function call c1.'),
    });
    expect(await refusalOf({ ...input(...items, output), previous_response_id: id })).toMatchObject(
      {
        message: expect.stringContaining('Duplicate item found'),
      },
    );
    expect(await ask({ ...input(output), previous_response_id: id })).toMatchObject({
      output_text: 'ok',
    });
  });

  it('refuses an input over the context length, in a stream by an event', async () => {
    await using small = await startOpenAIWire({ contextLength: 20, fallback: { text: 'ok' } });
    const there = client.withOptions({ baseURL: small.baseUrl });
    const expected = { code: 'context_length_exceeded', param: 'input' };
    expect(await refusalOf({ input: 'word '.repeat(40) }, there)).toMatchObject(expected);
    const stream = await there.responses.create({
      model: 'gpt-test',
      input: 'word '.repeat(40),
      stream: true,
    });
    await expect(Array.fromAsync(stream)).rejects.toMatchObject(expected);
  });
});

import type { ChatOptions, ToolDefinition } from '@minne/core';
import type { OpenAIWireServer } from '@minne/openai-wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenAIChatCompletionCommonOptions } from '../src/index.js';
import { clientOf, collect, failureOf, lastBody, startWire, user } from './wire-fixture.js';

let server: OpenAIWireServer;
beforeAll(async () => {
  server = await startWire({ fallback: { text: 'ok' } });
});
afterAll(() => server.close());

const messages = [user('hi, answer in JSON')];

/** What the request holds beside model and messages. */
async function members(
  options: ChatOptions,
  settings: Partial<OpenAIChatCompletionCommonOptions> = {},
): Promise<object> {
  await clientOf(server, settings).getResponse(messages, options);
  const { model: _, messages: __, ...rest } = lastBody(server);
  return rest;
}

async function streamMembers(
  options: ChatOptions,
  settings: Partial<OpenAIChatCompletionCommonOptions> = {},
): Promise<object> {
  await collect(clientOf(server, settings).getStreamingResponse(messages, options));
  const { model: _, messages: __, ...rest } = lastBody(server);
  return rest;
}

const add: ToolDefinition = {
  name: 'add',
  description: 'Adds.',
  parameters: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
};

describe('options of a call', () => {
  it('sends nothing that was not asked for', async () => {
    expect(await members({})).toEqual({});
    expect(
      await members({ tools: [], stop: [], toolChoice: 'auto', parallelToolCalls: true }),
    ).toEqual({});
  });

  it('names each option as the service does', async () => {
    expect(
      await members({ temperature: 0, topP: 0.5, maxOutputTokens: 50, stop: ['END'], seed: 7 }),
    ).toEqual({ temperature: 0, top_p: 0.5, max_completion_tokens: 50, stop: ['END'], seed: 7 });
  });

  it('asks the model of the call, else the model of the client', async () => {
    await members({ modelId: 'gpt-other' });
    expect(lastBody(server)['model']).toBe('gpt-other');
    await members({});
    expect(lastBody(server)['model']).toBe('gpt-test');
  });

  it('describes tools, and completes schemas that the service would refuse', async () => {
    const ping = { name: 'ping', description: 'Pings.', parameters: {}, strict: false };
    expect(await members({ tools: [add, ping], parallelToolCalls: false })).toEqual({
      tools: [
        { type: 'function', function: add },
        {
          type: 'function',
          function: { ...ping, parameters: { type: 'object', properties: {} } },
        },
      ],
      parallel_tool_calls: false,
    });
  });

  it.each(['auto', 'none', 'required'] as const)('chooses tools: %s', async (toolChoice) => {
    expect(await members({ tools: [add], toolChoice })).toMatchObject({ tool_choice: toolChoice });
  });

  it('chooses a tool by name', async () => {
    expect(await members({ tools: [add], toolChoice: { name: 'add' } })).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'add' } },
    });
  });

  it('asks for JSON, with and without a schema', async () => {
    expect(await members({ responseFormat: { type: 'json' } })).toEqual({
      response_format: { type: 'json_object' },
    });
    const schema = { type: 'object', properties: { city: { type: 'string' } } };
    expect(await members({ responseFormat: { type: 'json', name: 'place', schema } })).toEqual({
      response_format: { type: 'json_schema', json_schema: { name: 'place', schema } },
    });
    expect(await members({ responseFormat: { type: 'json', schema } })).toMatchObject({
      response_format: { json_schema: { name: 'response' } },
    });
  });

  it('passes additional members on, after which the named options stand', async () => {
    const additional = { reasoning_effort: 'low', temperature: 1, model: 'x', messages: [] };
    expect(await members({ additional, temperature: 0.5 })).toEqual({
      reasoning_effort: 'low',
      temperature: 0.5,
    });
    expect(lastBody(server)).toMatchObject({ model: 'gpt-test', messages: [{}] });
    expect(additional).toEqual({
      reasoning_effort: 'low',
      temperature: 1,
      model: 'x',
      messages: [],
    });
  });
});

describe('streams', () => {
  it('ask for usage', async () => {
    expect(await streamMembers({})).toEqual({
      stream: true,
      stream_options: { include_usage: true },
    });
    const additional = { stream_options: { include_obfuscation: false } };
    expect(await streamMembers({ additional })).toEqual({
      stream: true,
      stream_options: { include_obfuscation: false, include_usage: true },
    });
  });
});

describe('older and other servers', () => {
  it('get max_tokens and no stream options when told so', async () => {
    await using old = await startWire({
      without: ['max_completion_tokens', 'stream_options'],
      fallback: { text: 'ok' },
    });
    const options = { maxOutputTokens: 5 };
    const refused = await failureOf(clientOf(old).getResponse(messages, options));
    expect(refused.message).toContain('max_completion_tokens');
    const client = clientOf(old, { maxTokensParameter: 'max_tokens', streamUsage: false });
    expect(await client.getResponse(messages, options)).toMatchObject({ finishReason: 'stop' });
    const updates = await collect(client.getStreamingResponse(messages, options));
    expect(updates.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(lastBody(old)).toMatchObject({ max_tokens: 5, stream: true });
  });
});

describe('what it cannot do', () => {
  it.each<[string, ChatOptions]>([
    ['toolChoice', { toolChoice: 'required' }],
    ['toolChoice', { toolChoice: { name: 'add' }, tools: [] }],
    ['store', { store: true }],
    ['serviceSessionId', { serviceSessionId: 'conv_1' }],
  ])('is said before anything is sent: %s', async (field, options) => {
    const before = server.requests.length;
    expect(await failureOf(members(options))).toMatchObject({ code: 'invalid_input', field });
    expect(await failureOf(streamMembers(options))).toMatchObject({ code: 'invalid_input', field });
    expect(server.requests).toHaveLength(before);
  });

  it('does not mind being told to store nothing', async () => {
    expect(await members({ store: false })).toEqual({});
  });
});

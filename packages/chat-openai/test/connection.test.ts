import type { OpenAIWireServer } from '@minne/openai-wire';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { OpenAIChatCompletionClient, type OpenAIChatCompletionOptions } from '../src/index.js';
import { apiKey, clientOf, startWire, user } from './wire-fixture.js';

let server: OpenAIWireServer;
beforeAll(async () => {
  server = await startWire({ fallback: { text: 'ok' } });
});
afterAll(() => server.close());
afterEach(() => vi.unstubAllEnvs());

const messages = [user('hi')];

function build(options: object): unknown {
  try {
    return new OpenAIChatCompletionClient({
      modelId: 'm',
      ...options,
    } as OpenAIChatCompletionOptions);
  } catch (error) {
    return error;
  }
}

describe('building a client', () => {
  it('says what it is', () => {
    expect(clientOf(server)).toMatchObject({ specificationVersion: 'v1', historyStorage: 'none' });
  });

  it.each<[string, object]>([
    ['modelId', { modelId: '', apiKey }],
    ['maxRetries', { maxRetries: -1, apiKey }],
    ['maxRetries', { maxRetries: 0.5, apiKey }],
    ['timeout', { timeout: 0, apiKey }],
    ['timeout', { timeout: Number.NaN, apiKey }],
    ['apiKey', { apiKey: '' }],
    ['apiKey', { apiKey: 'sk-abc\n' }],
    ['baseUrl', { baseUrl: 'localhost:11434/v1' }],
    ['baseUrl', { baseUrl: 'not a url' }],
    ['baseURL', { baseURL: 'http://localhost:11434/v1' }],
    ['apiKey', { client: { chat: {} }, apiKey }],
    ['baseUrl', { client: { chat: {} }, baseUrl: 'http://localhost/v1' }],
  ])('refuses a wrong %s', (field, options) => {
    expect(build(options)).toMatchObject({
      code: 'configuration',
      field,
      message: expect.stringContaining(`option ${field} `),
    });
  });

  it('refuses to build without a key for OpenAI, and says where it may come from', () => {
    vi.stubEnv('OPENAI_API_KEY', '');
    vi.stubEnv('OPENAI_BASE_URL', '');
    expect(build({})).toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('OPENAI_API_KEY'),
    });
  });
});

describe('a client of its own', () => {
  it('takes key and address from the options', async () => {
    const client = new OpenAIChatCompletionClient({
      modelId: 'gpt-test',
      apiKey,
      baseUrl: server.baseUrl,
      organization: 'org-1',
      project: 'proj-1',
      headers: { 'x-team': 'blue' },
    });
    await Promise.all([client.getResponse(messages), client.getResponse(messages)]);
    expect(server.requests.at(-1)?.headers).toMatchObject({
      authorization: `Bearer ${apiKey}`,
      'openai-organization': 'org-1',
      'openai-project': 'proj-1',
      'x-team': 'blue',
    });
  });

  it('takes them from the environment', async () => {
    vi.stubEnv('OPENAI_API_KEY', apiKey);
    vi.stubEnv('OPENAI_BASE_URL', server.baseUrl);
    const client = new OpenAIChatCompletionClient({ modelId: 'gpt-test' });
    expect(await client.getResponse(messages)).toMatchObject({ finishReason: 'stop' });
  });

  it('needs no key for a server of your own', async () => {
    vi.stubEnv('OPENAI_API_KEY', '');
    await using open = await startWire({ fallback: { text: 'ok' } });
    const client = new OpenAIChatCompletionClient({ modelId: 'gpt-test', baseUrl: open.baseUrl });
    const error = await client.getResponse(messages).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 401 });
    await using free = await startWire({ apiKey: 'none', fallback: { text: 'ok' } });
    const local = new OpenAIChatCompletionClient({ modelId: 'gpt-test', baseUrl: free.baseUrl });
    expect(await local.getResponse(messages)).toMatchObject({ finishReason: 'stop' });
  });

  it('shows no credentials of the address in an error', async () => {
    const { host } = new URL(server.baseUrl);
    const client = new OpenAIChatCompletionClient({
      modelId: 'gpt-test',
      apiKey: 'sk-wrong-000000000000',
      baseUrl: `http://${host}/v1?token=hush`,
      maxRetries: 0,
    });
    const error = await client.getResponse(messages).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ message: expect.stringContaining(`http://${host}/v1 `) });
    expect(String(error)).not.toContain('hush');
  });
});

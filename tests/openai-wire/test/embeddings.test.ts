import OpenAI, { AzureOpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenAIWireServer, rateLimited, startOpenAIWire } from '../src/index.js';

const apiKey = 'sk-test-1234567890abcdef';
let server: OpenAIWireServer;
let client: OpenAI;

beforeAll(async () => {
  server = await startOpenAIWire({ apiKey });
  client = new OpenAI({ apiKey, baseURL: server.baseUrl, maxRetries: 0, logLevel: 'off' });
});
afterAll(() => server.close());

const model = 'text-embedding-test';

describe('embeddings', () => {
  it('are the same for the same text, of length 1, in the order of the texts', async () => {
    const input = ['a red boat', 'a blue boat', 'something else', 'a red boat'];
    const { data, usage } = await client.embeddings.create({ model, input });
    const [first = [], second = [], third = [], again] = data.map(({ embedding }) => embedding);
    const dot = (left: number[], right: number[]): number =>
      left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
    expect(again).toEqual(first);
    expect(dot(first, first)).toBeCloseTo(1);
    expect(dot(first, second)).toBeGreaterThan(dot(first, third));
    expect(usage.total_tokens).toBeGreaterThan(0);
  });

  it('come in both encodings, with as many numbers as were asked for', async () => {
    const ask = { model, input: 'hej', dimensions: 7 };
    const plain = await client.embeddings.create({ ...ask, encoding_format: 'float' });
    const packed = await client.embeddings.create(ask);
    expect(plain.data[0]?.embedding).toHaveLength(7);
    expect(packed.data[0]?.embedding).toEqual(plain.data[0]?.embedding);
  });

  it.each([
    ['nothing', {}, { param: 'input' }],
    ['no texts', { input: [] }, { message: expect.stringContaining("'$.input' is invalid") }],
    [
      'an empty text',
      { input: ['a', ''] },
      { message: expect.stringContaining("'$.input' is invalid") },
    ],
    ['too many texts', { input: Array.from({ length: 2049 }, () => 'a') }, { status: 400 }],
    [
      'a text that is too long',
      { input: 'word '.repeat(7000) },
      { message: expect.stringContaining('maximum context length is 8192 tokens') },
    ],
    [
      'an unknown parameter',
      { input: 'a', size: 3 },
      { message: expect.stringContaining('Unrecognized request argument supplied: size') },
    ],
  ])('are refused for %s', async (_name, members, expected) => {
    await expect(client.post('/embeddings', { body: { model, ...members } })).rejects.toMatchObject(
      { status: 400, ...expected },
    );
  });

  it('meet the trouble that the script has for them, and nothing else of it', async () => {
    server.script(rateLimited(), { fault: { kind: 'cut' } }, { text: 'for another' });
    const ask = () => client.embeddings.create({ model, input: 'hej' });
    await expect(ask()).rejects.toMatchObject({ status: 429 });
    await expect(ask()).rejects.toThrow(/connection/i);
    expect((await ask()).data).toHaveLength(1);
  });

  it('may be the test’s own', async () => {
    await using own = await startOpenAIWire({ apiKey, embed: (text) => [text.length] });
    const there = client.withOptions({ baseURL: own.baseUrl });
    const { data } = await there.embeddings.create({ model, input: 'hej' });
    expect(data[0]?.embedding).toEqual([3]);
  });
});

describe('as an Azure endpoint', () => {
  const azure = (key: string) =>
    new AzureOpenAI({
      apiKey: key,
      endpoint: server.azureEndpoint,
      apiVersion: '2025-04-01-preview',
      maxRetries: 0,
      logLevel: 'off',
    });

  it('answers under the paths of deployments, and wants the key in its header', async () => {
    server.script({ text: 'Hej' }, { text: 'Hej' });
    const there = azure(apiKey);
    const messages = [{ role: 'user' as const, content: 'hi' }];
    await there.chat.completions.create({ model: 'my-deployment', messages });
    expect(server.requests.at(-1)?.path).toBe(
      '/openai/deployments/my-deployment/chat/completions?api-version=2025-04-01-preview',
    );
    await there.responses.create({ model: 'my-deployment', input: 'hi' });
    expect(server.requests.at(-1)?.path).toBe('/openai/responses?api-version=2025-04-01-preview');
    await expect(
      azure('wrong-0000000000xyz').responses.create({ model: 'x', input: 'hi' }),
    ).rejects.toMatchObject({ status: 401 });
  });

  it('knows no path without a version', async () => {
    const response = await fetch(`${server.azureEndpoint}/openai/models`, {
      headers: { 'api-key': apiKey },
    });
    expect(response.status).toBe(404);
  });
});

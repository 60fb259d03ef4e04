import type { OpenAIWireServer, ResponseReply } from '@minne/openai-wire';
import { quotaExceeded, rateLimited, serverError } from '@minne/openai-wire';
import OpenAI, { AzureOpenAI } from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { OpenAIResponsesClient, type OpenAIResponsesOptions } from '../src/index.js';
import {
  accumulate,
  apiKey,
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
afterEach(() => vi.unstubAllEnvs());

const messages = [user('hi')];

describe.each(openAIVersions)('what the service refuses, with openai %s', (_version, Instance) => {
  /** The failures of a call that is not streamed and of one that is. */
  async function both(
    options: Parameters<OpenAIResponsesClient['getResponse']>[1] = {},
    to: OpenAIWireServer = server,
  ) {
    const client = responsesClientOf(to, {}, Instance);
    return [
      await failureOf(client.getResponse(messages, options)),
      await failureOf(collect(client.getStreamingResponse(messages, options))),
    ];
  }

  it('a response that is not kept: says how to go on', async () => {
    server.script({ text: 'ok' });
    const passing = await responsesClientOf(server).getResponse(messages, { store: false });
    for (const id of ['resp_none', String(passing.responseId)]) {
      for (const error of await both({ serviceSessionId: id })) {
        expect(error).toMatchObject({
          code: 'chat_client_failed',
          status: 400,
          field: 'serviceSessionId',
          retryable: false,
          message: expect.stringContaining('a session without serviceSessionId'),
        });
        expect(error.message).toContain(id);
      }
    }
  });

  it('an id that is none: says how to go on', async () => {
    for (const error of await both({ serviceSessionId: 'resp a' })) {
      expect(error).toMatchObject({ status: 400, field: 'serviceSessionId', retryable: false });
      expect(error.message).toMatch(/'resp a'.*agent\.clearSession/);
    }
  });

  it('a conversation that is gone: says how to go on', async () => {
    for (const error of await both({ serviceSessionId: 'conv_none' })) {
      expect(error).toMatchObject({ status: 404, field: 'serviceSessionId', retryable: false });
      expect(error.message).toContain('store: false');
    }
  });

  it('a conversation in which another response is being made: is to be tried again', async () => {
    const client = new OpenAI({ apiKey, baseURL: server.baseUrl });
    const { id } = await client.conversations.create();
    server.script({ text: 'a longer text', fault: { kind: 'stall', afterChunks: 6 } });
    const other = responsesClientOf(server).getStreamingResponse(messages, {
      serviceSessionId: id,
    });
    for await (const update of other) {
      if (update.contents.length === 0) continue;
      for (const error of await both({ serviceSessionId: id })) {
        expect(error).toMatchObject({ status: 400, retryable: true, field: 'serviceSessionId' });
      }
      break;
    }
  });

  it('a call at the service that nobody answered', async () => {
    server.script({ toolCalls: [{ id: 'c1', name: 'add', arguments: {} }] });
    const { serviceSessionId = '' } = await responsesClientOf(server).getResponse(messages);
    for (const error of await both({ serviceSessionId })) {
      expect(error).toMatchObject({ status: 400, field: 'messages', retryable: false });
      expect(error.message).toContain('never answered');
    }
  });

  it('a conversation that is too long', async () => {
    await using small = await startWire({ contextLength: 3, fallback: { text: 'ok' } });
    for (const error of await both({}, small)) {
      expect(error).toMatchObject({ field: 'messages', retryable: false });
      expect(error.message).toContain('longer than the model "gpt-test" takes');
    }
  });

  it('reasoning of somebody else', async () => {
    const client = responsesClientOf(server, { modelId: 'gpt-5-test' }, Instance);
    const thought = { type: 'reasoning', text: '', protectedData: 'gAAAAxyz' } as const;
    const foreign = {
      ...messages[0],
      id: 'a1',
      createdAt: '2026-01-01T00:00:00.000Z',
      role: 'assistant' as const,
      contents: [
        { ...thought, metadata: { 'minne.item_id': 'rs_9' } },
        { type: 'text' as const, text: 'Ja', metadata: { 'minne.item_id': 'msg_9' } },
      ],
    };
    const error = await failureOf(
      client.getResponse([...messages, foreign, ...messages], { store: false }),
    );
    expect(error).toMatchObject({ status: 400, field: 'encryptedReasoning', retryable: false });
  });

  it('a key, a limit, an empty account, a failing service', async () => {
    const cases = [
      [rateLimited(), { status: 429, retryable: true }],
      [quotaExceeded(), { status: 429, retryable: false }],
      [serverError(), { status: 500, retryable: true }],
    ] as const;
    for (const [reply, expected] of cases) {
      server.script(reply, reply);
      for (const error of await both()) expect(error).toMatchObject(expected);
    }
    await using locked = await startWire({ apiKey: 'sk-other-00000000000' });
    for (const error of await both({}, locked)) {
      expect(error).toMatchObject({ status: 401, field: 'apiKey' });
      expect(String(error)).not.toContain(apiKey);
    }
    await using nothing = await startWire();
    const lost = new Instance({
      apiKey,
      baseURL: `${nothing.baseUrl}/x`,
      maxRetries: 0,
      logLevel: 'off',
    });
    const client = new OpenAIResponsesClient({ modelId: 'm', client: lost });
    expect(await failureOf(client.getResponse(messages))).toMatchObject({
      status: 404,
      field: 'baseUrl',
      message: expect.stringContaining('no Responses API'),
    });
  });

  it.each<[string, ResponseReply, boolean]>([
    ['that can pass', { failure: { code: 'server_error', message: 'Oops.' } }, true],
    ['that passes', { failure: { code: 'rate_limit_exceeded', message: 'Slow down.' } }, true],
    ['of the request', { failure: { code: 'invalid_prompt', message: 'Not that.' } }, false],
  ])('a response that fails for a reason %s', async (_name, reply, retryable) => {
    server.script({ text: 'He', ...reply }, { text: 'He', ...reply });
    for (const error of await both()) {
      expect(error).toMatchObject({ code: 'chat_client_failed', retryable });
      expect(error.message).toContain(reply.failure?.message);
    }
  });

  it.each(['cut', 'end', 'malformed', 'error'] as const)(
    'a stream that breaks off (%s) is to be tried again, and is no short answer',
    async (kind) => {
      server.script({ text: 'a longer text', fault: { kind, afterChunks: 7 } });
      const client = responsesClientOf(server, {}, Instance);
      const error = await failureOf(collect(client.getStreamingResponse(messages)));
      expect(error).toMatchObject({ code: 'chat_client_failed', retryable: true });
    },
  );

  it('aborting and leaving end the request', async () => {
    const reason = new Error('the user left');
    const stalled = { text: 'a longer text', fault: { kind: 'stall', afterChunks: 6 } } as const;
    const client = responsesClientOf(server, {}, Instance);
    const controller = new AbortController();
    server.script(stalled);
    const reading = failureOf(
      (async () => {
        const { signal } = controller;
        for await (const { contents } of client.getStreamingResponse(messages, { signal })) {
          if (contents.length > 0) controller.abort(reason);
        }
      })(),
    );
    expect(await reading).toBe(reason);
    expect(await server.requests.at(-1)?.outcome).toBe('left');
    server.script(stalled);
    for await (const { contents } of client.getStreamingResponse(messages)) {
      if (contents.length > 0) break;
    }
    expect(await server.requests.at(-1)?.outcome).toBe('left');
    const before = server.requests.length;
    const signal = AbortSignal.abort(reason);
    expect(await failureOf(client.getResponse(messages, { signal }))).toBe(reason);
    expect(await failureOf(collect(client.getStreamingResponse(messages, { signal })))).toBe(
      reason,
    );
    expect(server.requests).toHaveLength(before);
  });

  it('a stream that stands still is given up', async () => {
    server.script({ text: 'a longer text', fault: { kind: 'stall', afterChunks: 6 } });
    const client = responsesClientOf(server, { timeout: 60 }, Instance);
    const error = await failureOf(collect(client.getStreamingResponse(messages)));
    expect(error).toMatchObject({ field: 'timeout', retryable: true });
  });
});

describe('building a client', () => {
  it('says what it is', () => {
    expect(responsesClientOf(server)).toMatchObject({
      specificationVersion: 'v1',
      historyStorage: 'optional',
      storesByDefault: true,
    });
    expect(responsesClientOf(server, { storesByDefault: false }).storesByDefault).toBe(false);
  });

  it.each<[string, object]>([
    ['modelId', { modelId: '', apiKey }],
    ['timeout', { timeout: 0, apiKey }],
    ['storesByDefault', { storesByDefault: 'no', apiKey }],
    ['encryptedReasoning', { encryptedReasoning: 1, apiKey }],
    ['apiKey', { client: { responses: {} }, apiKey }],
  ])('refuses a wrong %s', (field, options) => {
    const build = () =>
      new OpenAIResponsesClient({ modelId: 'm', ...options } as OpenAIResponsesOptions);
    expect(build).toThrow(expect.objectContaining({ code: 'configuration', field }));
    expect(build).toThrow(`OpenAIResponsesClient: option ${field} `);
  });

  it('takes key and address from the options or the environment', async () => {
    server.script({ text: 'ok' }, { text: 'ok' });
    const own = new OpenAIResponsesClient({ modelId: 'gpt-test', apiKey, baseUrl: server.baseUrl });
    expect(await own.getResponse(messages)).toMatchObject({ finishReason: 'stop' });
    vi.stubEnv('OPENAI_API_KEY', apiKey);
    vi.stubEnv('OPENAI_BASE_URL', server.baseUrl);
    const named = new OpenAIResponsesClient({ modelId: 'gpt-test' });
    expect(await named.getResponse(messages)).toMatchObject({ finishReason: 'stop' });
  });

  it('works over an Azure instance, which stays its owner’s', async () => {
    server.script({ text: 'Hej' }, { text: 'Hej' });
    const azure = new AzureOpenAI({
      apiKey,
      endpoint: server.azureEndpoint,
      apiVersion: '2025-04-01-preview',
      maxRetries: 0,
    });
    const client = new OpenAIResponsesClient({ modelId: 'my-deployment', client: azure });
    const first = await client.getResponse(messages);
    const { serviceSessionId = '' } = first;
    const next = client.getStreamingResponse(messages, { serviceSessionId });
    expect((await accumulate(next)).messages()).toHaveLength(1);
    expect(server.requests.at(-1)).toMatchObject({
      path: '/openai/responses?api-version=2025-04-01-preview',
      effectiveInput: [{}, {}, {}],
    });
  });
});

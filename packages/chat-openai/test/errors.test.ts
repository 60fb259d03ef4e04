import { ChatClientError } from '@minne/core';
import {
  htmlPage,
  type OpenAIWireServer,
  quotaExceeded,
  type Reply,
  rateLimited,
  serverError,
} from '@minne/openai-wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenAIChatCompletionClient } from '../src/index.js';
import {
  accumulate,
  apiKey,
  clientOf,
  collect,
  failureOf,
  openAIVersions,
  said,
  startWire,
  user,
} from './wire-fixture.js';

let server: OpenAIWireServer;
beforeAll(async () => {
  server = await startWire({ models: ['gpt-test'], contextLength: 200 });
});
afterAll(() => server.close());

const messages = [user('hi')];

describe.each(openAIVersions)('what the service refuses, with openai %s', (_version, OpenAI) => {
  const both = async (list = messages, settings = {}, reply?: Reply): Promise<Error[]> => {
    const client = clientOf(server, settings, OpenAI);
    if (reply !== undefined) server.script(reply, reply);
    return [
      await failureOf(client.getResponse(list)),
      await failureOf(collect(client.getStreamingResponse(list))),
    ];
  };

  it.each<[string, Reply, object, RegExp]>([
    ['too many requests', rateLimited(), { status: 429, retryable: true }, /\(429\).*maxRetries/],
    [
      'an empty account',
      quotaExceeded(),
      { status: 429, retryable: false },
      /does not help.*billing/,
    ],
    [
      'a failure of the service',
      serverError(),
      { status: 500, retryable: true },
      /failed \(500\): The server had an error/,
    ],
    [
      'a page of a proxy',
      htmlPage(502),
      { status: 502, retryable: true },
      /failed \(502\): 502 nginx\. Try again/,
    ],
    ['a timeout of the service', serverError(408), { status: 408, retryable: true }, /\(408\)/],
    [
      'a page that is not there',
      htmlPage(404),
      { status: 404, retryable: false, field: 'baseUrl' },
      /no Chat Completions API.*ends in \/v1/,
    ],
    [
      'access denied',
      serverError(403),
      { status: 403, retryable: false },
      /refused the request \(403\)/,
    ],
    [
      'an error in words of another server',
      { status: 400, body: { error: { message: 'The prompt is too long: 9 tokens' } } },
      { field: 'messages', retryable: false },
      /option limit of the history provider/,
    ],
  ])('%s', async (_name, reply, expected, text) => {
    for (const error of await both(messages, {}, reply)) {
      expect(error).toBeInstanceOf(ChatClientError);
      expect(error).toMatchObject({ ...expected, packageName: '@minne/chat-openai' });
      expect(error.message).toMatch(text);
      expect(error.message).toContain(server.baseUrl);
      expect(error.cause).toBeInstanceOf(Error);
    }
  });

  it('an unknown model', async () => {
    for (const error of await both(messages, { modelId: 'gpt-none' })) {
      expect(error).toMatchObject({ status: 404, field: 'modelId', retryable: false });
      expect(error.message).toMatch(/no model "gpt-none".*option modelId/);
    }
  });

  it('a conversation that is too long', async () => {
    for (const error of await both([user('word '.repeat(400))])) {
      expect(error).toMatchObject({ status: 400, field: 'messages', retryable: false });
      expect(error.message).toMatch(/longer than the model "gpt-test" takes.*history provider/);
    }
  });

  it('a request that breaks a rule, with the place', async () => {
    const orphan = said('tool', { type: 'tool_result', callId: 'c1', result: 1 });
    for (const error of await both([...messages, orphan])) {
      expect(error).toMatchObject({ status: 400, field: 'messages.[1].role', retryable: false });
      expect(error.message).toMatch(/refused the request \(400, messages\.\[1\]\.role\)/);
    }
  });

  it('a wrong key, of which nothing is repeated', async () => {
    const wrong = 'sk-wrong-abcdefghijklmnop';
    const settings = { apiKey: wrong, baseURL: server.baseUrl, maxRetries: 0 };
    for (const error of await both(messages, { client: new OpenAI(settings) })) {
      expect(error).toMatchObject({ status: 401, field: 'apiKey', retryable: false });
      expect(error.message).toMatch(/option apiKey, or the environment variable OPENAI_API_KEY/);
      expect(error.message).not.toMatch(/sk-wrong|mnop/);
    }
  });

  it('an error that repeats the whole key', async () => {
    const reply = {
      status: 400,
      body: { error: { message: `No budget for ${apiKey}`, code: null } },
    };
    for (const error of await both(messages, {}, reply)) {
      expect(error.message).toContain('No budget for [key]');
      for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
        expect(`${cause.message}${cause.stack}${JSON.stringify(cause)}`).not.toContain(apiKey);
      }
    }
  });
});

describe.each(openAIVersions)('what goes wrong on the way, with openai %s', (_version, OpenAI) => {
  const text = 'a longer text of several chunks';
  const broken = async (reply: Reply) => {
    server.script(reply);
    return await failureOf(accumulate(clientOf(server, {}, OpenAI).getStreamingResponse(messages)));
  };

  it.each(['cut', 'end', 'malformed', 'error'] as const)(
    'a stream with the fault "%s" fails, and can be tried again',
    async (kind) => {
      for (const afterChunks of [0, 1, 4]) {
        const error = await broken({ text, fault: { kind, afterChunks } });
        expect(error, String(afterChunks)).toBeInstanceOf(ChatClientError);
        expect(error).toMatchObject({ retryable: true, code: 'chat_client_failed' });
        expect(error.message).toMatch(/try again/i);
      }
    },
  );

  it('a stream of tool calls that is cut between two of them fails', async () => {
    const toolCalls = [
      { name: 'add', arguments: { a: 1 } },
      { name: 'add', arguments: { a: 2 } },
    ];
    const error = await broken({ toolCalls, fault: { kind: 'end', afterChunks: 4 } });
    expect(error).toMatchObject({ retryable: true });
    expect(error.message).toMatch(/no finish_reason/);
  });

  it('pieces that came before the fault have been told', async () => {
    server.script({ text, fault: { kind: 'cut', afterChunks: 3 } });
    let told = '';
    await failureOf(
      (async () => {
        for await (const { contents } of clientOf(server, {}, OpenAI).getStreamingResponse(
          messages,
        )) {
          for (const content of contents) if (content.type === 'text') told += content.text;
        }
      })(),
    );
    expect(told).toBe('a longer');
  });

  it.each(['cut', 'malformed', 'error'] as const)(
    'an answer in one piece with the fault "%s" fails, and can be tried again',
    async (kind) => {
      server.script({ text, fault: { kind } });
      const error = await failureOf(clientOf(server, {}, OpenAI).getResponse(messages));
      expect(error).toMatchObject({ retryable: true, code: 'chat_client_failed' });
    },
  );

  it('a service that does not answer in time, before or within a stream, is given up', async () => {
    server.script({ text, fault: { kind: 'stall' } });
    const client = clientOf(server, { timeout: 250 }, OpenAI);
    const late = await failureOf(client.getResponse(messages));
    expect(late).toMatchObject({ retryable: true });
    expect(late.message).toMatch(/timed out/);
    const still = await (async () => {
      server.script({ text, fault: { kind: 'stall', afterChunks: 3 } });
      return await failureOf(collect(client.getStreamingResponse(messages)));
    })();
    expect(still).toMatchObject({ retryable: true, field: 'timeout' });
    expect(still.message).toMatch(/stood still for 250 ms/);
    expect(await server.requests.at(-1)?.outcome).toBe('left');
  });

  it('a reader that takes its time is no stall', async () => {
    server.script({ text: 'Hej du', stream: { pieceLength: 3 } });
    const client = clientOf(server, { timeout: 250 }, OpenAI);
    let told = '';
    for await (const { contents } of client.getStreamingResponse(messages)) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      for (const content of contents) if (content.type === 'text') told += content.text;
    }
    expect(told).toBe('Hej du');
  });

  it('a page for people in place of an answer says to check the base URL', async () => {
    server.script(htmlPage(200), htmlPage(200), { status: 200, body: { ok: true } });
    const client = clientOf(server, {}, OpenAI);
    const errors = [
      await failureOf(client.getResponse(messages)),
      await failureOf(collect(client.getStreamingResponse(messages))),
      await failureOf(client.getResponse(messages)),
    ];
    for (const error of errors) {
      expect(error).toMatchObject({ field: 'baseUrl' });
      expect(error.message).toMatch(/ends in \/v1/);
    }
  });

  it('an error inside a successful answer, with the status of the server behind', async () => {
    const body = { error: { message: 'Provider returned error', code: 429, type: null } };
    server.script({ status: 200, body });
    const error = await failureOf(clientOf(server, {}, OpenAI).getResponse(messages));
    expect(error).toMatchObject({ status: 429, retryable: true });
    expect(error.message).toContain('Provider returned error');
  });

  it('a server that is not there', async () => {
    const gone = await startWire();
    const client = clientOf(gone, {}, OpenAI);
    await gone.close();
    for (const work of [
      client.getResponse(messages),
      collect(client.getStreamingResponse(messages)),
    ]) {
      const error = await failureOf(work);
      expect(error).toMatchObject({ retryable: true, status: undefined });
      expect(error.message).toContain(gone.baseUrl);
      expect(error.message).toMatch(/could not be reached.*ECONNREFUSED.*base URL/);
    }
  });
});

describe('what other servers say when they refuse', () => {
  it.each([
    [
      { object: 'error', message: 'max_tokens is too large', code: 40001 },
      'max_tokens is too large.',
    ],
    [
      { detail: [{ type: 'extra_forbidden', loc: ['body', 'messages', 0, 'user', 'name'] }] },
      'extra_forbidden',
    ],
    [{ error: 'model is loading' }, 'model is loading'],
    [['what?'], 'refused the request (422)'],
  ])('is told: %j', async (body, text) => {
    server.script({ status: 422, body });
    const client = new OpenAIChatCompletionClient({
      modelId: 'gpt-test',
      apiKey,
      baseUrl: server.baseUrl,
    });
    const error = await failureOf(client.getResponse(messages));
    expect(error).toMatchObject({ status: 422, retryable: false });
    expect(error.message).toContain(text);
  });
});

describe('trying again', () => {
  it('is left to the openai package, as often as the options say', async () => {
    const client = new OpenAIChatCompletionClient({
      modelId: 'gpt-test',
      apiKey,
      baseUrl: server.baseUrl,
      maxRetries: 1,
    });
    server.script(serverError(503), { text: 'at last' });
    const before = server.requests.length;
    const response = await client.getResponse(messages);
    expect(response.messages[0]?.contents).toEqual([{ type: 'text', text: 'at last' }]);
    expect(server.requests.length - before).toBe(2);
    server.script(rateLimited({ retryAfter: 0 }), rateLimited({ retryAfter: 0 }), { text: 'no' });
    const error = await failureOf(collect(client.getStreamingResponse(messages)));
    expect(error).toMatchObject({ status: 429, retryable: true });
    expect(server.requests.length - before).toBe(4);
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChatMessageInit, Content } from '@minne/core';
import { htmlPage, type OpenAIWireServer } from '@minne/openai-wire';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OpenAIChatCompletionClient, OpenAIResponsesClient } from '../src/index.js';
import {
  accumulate,
  clientOf,
  collect,
  failureOf,
  openAIVersions,
  responsesClientOf,
  startWire,
  user,
} from './wire-fixture.js';

let server: OpenAIWireServer;
beforeEach(async () => {
  server = await startWire();
});
afterEach(() => server.close());

const messages = [user('Hi')];

function events(...list: readonly object[]) {
  const lines = list.map((event) => `data: ${JSON.stringify(event)}\n\n`);
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: lines.join('') };
}

function firstContents([first]: readonly Pick<ChatMessageInit, 'contents'>[]): readonly Content[] {
  return typeof first?.contents === 'object' ? first.contents : [];
}

describe('parallel calls over Chat Completions, all with the index 0 and without ids', () => {
  const calls = async (...pieces: readonly object[]) => {
    const chunks = pieces.map((piece) => ({
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...piece }] } }],
    }));
    server.script(events(...chunks, { choices: [{ index: 0, finish_reason: 'stop' }] }));
    const answer = await accumulate(clientOf(server).getStreamingResponse(messages));
    return firstContents(answer.messages()).map((content) =>
      content.type === 'tool_call' ? [content.name, content.arguments] : content.type,
    );
  };
  const piece = (name: string, text: string, id?: string) => ({
    ...(id === undefined ? {} : { id }),
    function: { name, arguments: text },
  });

  it('are several when each comes whole', async () => {
    const add = piece('add', '{"a":1}');
    expect(await calls(add, piece('sub', '{"a":2}'), piece('sub', '{}'))).toEqual([
      ['add', '{"a":1}'],
      ['sub', '{"a":2}'],
      ['sub', '{}'],
    ]);
    expect(await calls(piece('add', '{"a":1}', ''), piece('add', '{"a":1}', ''))).toHaveLength(2);
  });

  it('are one when the pieces of one call repeat its name', async () => {
    const pieces = ['{"a":', '{"b":1}', '}', ''].map((text) => piece('add', text));
    expect(await calls(...pieces)).toEqual([['add', '{"a":{"b":1}}']]);
  });
});

describe('a stream of Responses', () => {
  const message = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Ja' }],
  };
  const call = (number: number) => ({
    type: 'function_call',
    id: `fc_${number}`,
    call_id: `call_${number}`,
    name: 'add',
    arguments: `{"a":${number}}`,
  });
  const completed = (...output: readonly object[]) => ({
    type: 'response.completed',
    response: { id: 'resp_1', status: 'completed', output },
  });
  const read = async (...list: readonly object[]) => {
    server.script(events(...list));
    return await accumulate(responsesClientOf(server).getStreamingResponse(messages));
  };

  it('that tells its items only with the whole response says all of them, once', async () => {
    const whole = { id: 'resp_1', status: 'completed', output: [message, call(1)] };
    server.script({ status: 200, body: whole });
    const { messages: expected } = await responsesClientOf(server).getResponse(messages);
    const late = await read(completed(message, call(1)));
    expect(firstContents(late.messages())).toEqual(firstContents(expected));
    expect(late.finishReason).toBe('tool_calls');
    const done = { type: 'response.output_item.done', output_index: 0, item: message };
    const both = await read(done, completed(message, call(1)));
    expect(firstContents(both.messages())).toEqual(firstContents(expected));
    const delta = { type: 'response.output_text.delta', output_index: 0, delta: 'Ja' };
    const begun = await read({ ...delta, item_id: 'msg_1' }, completed(message, call(1)));
    expect(firstContents(begun.messages())).toEqual(firstContents(expected));
  });

  it('whose refusal has no end of its own is a refusal', async () => {
    const refused = { ...message, content: [{ type: 'refusal', refusal: 'No.' }] };
    const answer = await read(
      { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
      { type: 'response.refusal.delta', output_index: 0, item_id: 'msg_1', delta: 'No.' },
      completed(refused),
    );
    expect(firstContents(answer.messages())).toMatchObject([{ code: 'refusal', message: 'No.' }]);
  });

  it('without places keeps its items apart by their ids, also when they take turns', async () => {
    const delta = (id: string, text: string) => ({
      type: 'response.function_call_arguments.delta',
      item_id: id,
      delta: text,
    });
    const added = (number: number) => ({
      type: 'response.output_item.added',
      item: { ...call(number), arguments: '' },
    });
    const answer = await read(
      added(1),
      delta('fc_1', '{"a":'),
      added(2),
      delta('fc_2', '{"a":2'),
      delta('fc_1', '1}'),
      delta('fc_2', '}'),
      { type: 'response.output_item.done', item: call(1) },
      { type: 'response.output_item.done', item: call(2) },
      completed(),
    );
    expect(firstContents(answer.messages())).toMatchObject([
      { callId: 'call_1', arguments: '{"a":1}' },
      { callId: 'call_2', arguments: '{"a":2}' },
    ]);
  });
});

describe.each(openAIVersions)(
  'an answer over Responses that is none, with openai %s',
  (_, OpenAI) => {
    it.each(['queued', 'in_progress'])('a response that is still %s', async (status) => {
      server.script({ status: 200, body: { id: 'resp_1', status, output: [] } });
      const client = responsesClientOf(server, {}, OpenAI);
      const error = await failureOf(
        client.getResponse(messages, { additional: { background: true } }),
      );
      expect(error).toMatchObject({ field: 'additional', retryable: false });
      expect(error.message).toContain(status);
    });

    it.each([
      ['a page for people', htmlPage(200)],
      ['null', { status: 200, body: null }],
      ['nothing', { status: 204 }],
    ])('%s says to check the base URL', async (_name, reply) => {
      server.script(reply, reply);
      const client = responsesClientOf(server, {}, OpenAI);
      const whole = await failureOf(client.getResponse(messages));
      const streamed = await failureOf(collect(client.getStreamingResponse(messages)));
      for (const error of [whole, streamed]) {
        expect(error).toMatchObject({ code: 'chat_client_failed', field: 'baseUrl' });
        expect(error.message).toMatch(/ends in \/v1/);
      }
    });

    it('one that does not begin in time names the option', async () => {
      server.script({ text: 'Hej', fault: { kind: 'stall' } });
      const client = responsesClientOf(server, { timeout: 100 }, OpenAI);
      const error = await failureOf(client.getResponse(messages));
      expect(error).toMatchObject({ field: 'timeout', retryable: true });
      expect(error.message).toMatch(/in time.*option timeout/);
    });
  },
);

describe.each(openAIVersions)('an answer that stops in the middle, with openai %s', (_, OpenAI) => {
  let stalling: Server;
  let left: Promise<void>;
  beforeEach(async () => {
    const gone = Promise.withResolvers<void>();
    left = gone.promise;
    stalling = createServer((request, response) => {
      request.resume();
      response.once('close', () => gone.resolve());
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":"x",');
    });
    await new Promise<void>((resolve) => stalling.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    stalling.closeAllConnections();
    await new Promise((resolve) => stalling.close(resolve));
  });

  it.each([
    ['Chat Completions', OpenAIChatCompletionClient],
    ['Responses', OpenAIResponsesClient],
  ])('over %s is given up, and by an abort', async (_name, Client) => {
    const { port } = stalling.address() as AddressInfo;
    const baseURL = `http://127.0.0.1:${port}/v1`;
    const client = new OpenAI({ apiKey: 'sk-test', baseURL, maxRetries: 0, logLevel: 'off' });
    const open = (timeout: number) => new Client({ modelId: 'gpt-test', client, timeout });
    const error = await failureOf(open(150).getResponse(messages));
    expect(error).toMatchObject({ field: 'timeout', retryable: true });
    await left;
    const reason = new Error('enough');
    const signal = AbortSignal.timeout(50);
    const controller = new AbortController();
    signal.addEventListener('abort', () => controller.abort(reason));
    const work = open(10_000).getResponse(messages, { signal: controller.signal });
    expect(await failureOf(work)).toBe(reason);
  });
});

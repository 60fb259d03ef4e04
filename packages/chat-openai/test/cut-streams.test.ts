import type { ChatClient } from '@minne/core';
import { type OpenAIWireServer, startOpenAIWire } from '@minne/openai-wire';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenAIChatCompletionClient, OpenAIResponsesClient } from '../src/index.js';
import { accumulate, user } from './wire-fixture.js';

let server: OpenAIWireServer;
beforeAll(async () => {
  server = await startOpenAIWire();
});
afterAll(() => server.close());

/** Bytes from one cut to the next: over the length of a stream, every kind of place is met, also inside of characters. */
const step = 7;

describe.each([
  ['Chat Completions', OpenAIChatCompletionClient],
  ['Responses', OpenAIResponsesClient],
])('a stream of %s that ends anywhere, in good order', (_name, Client) => {
  /** A client that gets so many bytes of every answer. */
  function cutting(bytes: () => number): ChatClient {
    const client = new OpenAI({
      apiKey: 'none',
      baseURL: server.baseUrl,
      maxRetries: 0,
      logLevel: 'off',
      fetch: () => {
        const headers = { 'content-type': 'text/event-stream' };
        return Promise.resolve(new Response(whole.subarray(0, bytes()), { headers }));
      },
    });
    return new Client({ modelId: 'gpt-test', client });
  }
  let whole = new Uint8Array();

  async function record(): Promise<void> {
    const client = new OpenAI({
      apiKey: 'none',
      baseURL: server.baseUrl,
      fetch: async (...request) => {
        const response = await fetch(...request);
        whole = new Uint8Array(await response.clone().arrayBuffer());
        return response;
      },
    });
    const recording = new Client({ modelId: 'gpt-test', client });
    const calls = [{ id: 'c1', name: 'add', arguments: { a: 'é' } }];
    server.script({ text: 'Å🙂', toolCalls: calls, stream: { pieceLength: 2 } });
    await accumulate(recording.getStreamingResponse([user('Hi')]));
  }

  it('is the whole answer, or an error that can be tried again', { timeout: 30_000 }, async () => {
    await record();
    let length = whole.length;
    const client = cutting(() => length);
    const read = async () => {
      const answer = await accumulate(client.getStreamingResponse([user('Hi')]));
      return [answer.messages().map(({ contents }) => contents), answer.finishReason];
    };
    const expected = await read();
    let errors = 0;
    for (length = 0; length < whole.length; length += step) {
      const outcome = await read().catch((error: unknown) => error);
      if (!(outcome instanceof Error)) {
        expect(outcome, `after ${length} bytes`).toEqual(expected);
        continue;
      }
      errors += 1;
      expect(outcome, `after ${length} bytes`).toMatchObject({
        code: 'chat_client_failed',
        retryable: true,
      });
    }
    // Only what comes after the reason why the answer ended may be missing.
    expect(errors * step).toBeGreaterThan(whole.length * 0.8);
  });
});

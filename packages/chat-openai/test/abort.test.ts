import { type OpenAIWireServer, rateLimited } from '@minne/openai-wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf, collect, failureOf, openAIVersions, startWire, user } from './wire-fixture.js';

let server: OpenAIWireServer;
beforeAll(async () => {
  server = await startWire();
});
afterAll(() => server.close());

const messages = [user('hi')];
const reason = new Error('the user left');

describe.each(openAIVersions)('with openai %s', (_version, OpenAI) => {
  it('a signal that has aborted stops a call before it starts', async () => {
    const client = clientOf(server, {}, OpenAI);
    const before = server.requests.length;
    const signal = AbortSignal.abort(reason);
    expect(await failureOf(client.getResponse(messages, { signal }))).toBe(reason);
    expect(await failureOf(collect(client.getStreamingResponse(messages, { signal })))).toBe(
      reason,
    );
    expect(server.requests).toHaveLength(before);
  });

  it('aborting ends the request, and throws the reason of the signal', async () => {
    for (const afterChunks of [undefined, 0, 3]) {
      const controller = new AbortController();
      server.script({
        text: 'never told',
        fault: { kind: 'stall', afterChunks: afterChunks ?? 0 },
      });
      const client = clientOf(server, {}, OpenAI);
      const { signal } = controller;
      const seen = server.requests.length;
      const failure = failureOf(
        afterChunks === undefined
          ? client.getResponse(messages, { signal })
          : collect(client.getStreamingResponse(messages, { signal })),
      );
      while (server.requests.length === seen)
        await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 20));
      controller.abort(reason);
      expect(await failure, String(afterChunks)).toBe(reason);
      expect(await server.requests.at(-1)?.outcome).toBe('left');
    }
  });

  it('aborting ends the wait between two attempts', async () => {
    const client = clientOf(server, { maxRetries: 2 }, OpenAI);
    server.script(rateLimited({ retryAfter: 30 }), { text: 'too late' });
    const signal = AbortSignal.timeout(60);
    const error = await failureOf(client.getResponse(messages, { signal }));
    expect(error).toBe(signal.reason);
    server.script(rateLimited({ retryAfter: 30 }), { text: 'too late' });
    const later = AbortSignal.timeout(60);
    expect(await failureOf(collect(client.getStreamingResponse(messages, { signal: later })))).toBe(
      later.reason,
    );
  });

  it('leaving the iteration ends the request', async () => {
    server.script({ text: 'a longer text', fault: { kind: 'stall', afterChunks: 3 } });
    for await (const update of clientOf(server, {}, OpenAI).getStreamingResponse(messages)) {
      expect(update.contents).toEqual([{ type: 'text', text: 'a lo' }]);
      break;
    }
    expect(await server.requests.at(-1)?.outcome).toBe('left');
  });

  it('a stream that nobody reads sends nothing', async () => {
    const before = server.requests.length;
    const stream = clientOf(server, {}, OpenAI).getStreamingResponse(messages);
    await stream.return();
    expect(server.requests).toHaveLength(before);
  });

  it('an abort after the end changes nothing', async () => {
    const controller = new AbortController();
    server.script({ text: 'Hej' });
    const { signal } = controller;
    const updates = await collect(
      clientOf(server, {}, OpenAI).getStreamingResponse(messages, { signal }),
    );
    controller.abort(reason);
    expect(updates.some(({ finishReason }) => finishReason === 'stop')).toBe(true);
  });
});

import { Agent, defineTool } from '@minne/core';
import type { OpenAIWireServer, StreamShape } from '@minne/openai-wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clientOf, failureOf, lastBody, startWire } from './wire-fixture.js';

let server: OpenAIWireServer;
beforeAll(async () => {
  server = await startWire();
});
afterAll(() => server.close());

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
});

function createAgent(): Agent {
  return new Agent({
    chatClient: clientOf(server),
    name: 'helper',
    instructions: 'Be kind.',
    tools: [add],
  });
}

const calls = [
  { id: 'c1', name: 'add', arguments: { a: 1, b: 2 } },
  { id: 'c2', name: 'add', arguments: '{"a": 1, "b"' },
  { id: null, name: 'add', arguments: { a: 3, b: 4 } },
];

describe('an agent over this client', () => {
  it.each<[string, StreamShape | undefined]>([
    ['not streamed', undefined],
    ['streamed, calls taking turns', { interleaveToolCalls: true }],
    ['streamed, no indexes', { toolCallIndexes: 'none' }],
  ])('runs parallel calls, one of them cut, and goes on: %s', async (_name, stream) => {
    const agent = createAgent();
    const session = agent.createSession();
    server.script(
      { toolCalls: calls, ...(stream === undefined ? {} : { stream }) },
      { text: '3 and 7.' },
      { text: 'You are welcome.' },
    );
    if (stream === undefined) await agent.run('add', { session });
    else for await (const event of agent.runStream('add', { session })) void event;
    const { messages } = lastBody(server) as { messages: Record<string, unknown>[] };
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'tool',
    ]);
    expect(messages.map(({ content }) => content)).toEqual([
      'Be kind.',
      'add',
      null,
      '3',
      expect.stringMatching(/^Error: .*JSON/),
      '7',
    ]);
    expect((await agent.run('thanks', { session })).text).toBe('You are welcome.');
    expect(server.requests.every(({ refusal }) => refusal === undefined)).toBe(true);
  });

  it('keeps what was asked when a stream breaks, and asks it again only once', async () => {
    const agent = createAgent();
    const session = agent.createSession();
    const run = async (input: string): Promise<void> => {
      for await (const event of agent.runStream(input, { session })) void event;
    };
    server.script(
      { text: 'a longer text', fault: { kind: 'cut', afterChunks: 3 } },
      { text: 'ok' },
    );
    expect(await failureOf(run('first'))).toMatchObject({ retryable: true });
    await run('first');
    const { messages } = lastBody(server) as { messages: Record<string, unknown>[] };
    expect(messages.filter(({ content }) => content === 'first')).toHaveLength(1);
  });
});

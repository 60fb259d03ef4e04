import {
  Agent,
  type AgentMiddleware,
  adaptInvokingProvider,
  ChatClientError,
  defineTool,
  type InvokedContext,
  type ModelRequest,
  messageText,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ScriptedChatClient, toolCall } from './scripted-chat-client.js';

describe('middleware', () => {
  it('stands round a run in order, and may change input and response', async () => {
    const trace: string[] = [];
    const layer = (name: string): AgentMiddleware => ({
      async run({ input }, next) {
        trace.push(`${name} before`);
        const response = await next(`${String(input)} ${name}`);
        trace.push(`${name} after`);
        return { ...response, text: `${response.text} ${name}` };
      },
    });
    const chatClient = new ScriptedChatClient(['answer', 'answer']);
    const agent = new Agent({ chatClient, middleware: [layer('outer'), layer('inner')] });
    expect((await agent.run('question')).text).toBe('answer inner outer');
    expect(trace).toEqual(['outer before', 'inner before', 'inner after', 'outer after']);
    expect(chatClient.calls[0]?.messages.map(messageText)).toEqual(['question outer inner']);
    const events = await Array.fromAsync(agent.runStream('question'));
    expect(events.at(-1)).toMatchObject({
      type: 'finish',
      response: { text: 'answer inner outer' },
    });
  });

  it('may answer without the agent', async () => {
    const chatClient = new ScriptedChatClient(['first']);
    let kept: Awaited<ReturnType<Agent['run']>> | undefined;
    const cache: AgentMiddleware = {
      async run({ input }, next) {
        kept ??= await next(input);
        return kept;
      },
    };
    const agent = new Agent({ chatClient, middleware: [cache] });
    expect((await agent.run('a')).text).toBe('first');
    expect((await agent.run('b')).text).toBe('first');
    expect(chatClient.calls).toHaveLength(1);
  });

  it.each([true, false])('stands round a model call, streamed: %s', async (streamed) => {
    const retryOnce: AgentMiddleware = {
      async *modelCall(request, next) {
        try {
          yield* next(request);
        } catch (error) {
          if (!ChatClientError.isInstance(error)) throw error;
          yield* next({ ...request, options: { ...request.options, temperature: 0 } });
        }
      },
    };
    const chatClient = new ScriptedChatClient([
      () => {
        throw new ChatClientError('busy', { retryable: true });
      },
      'answer',
    ]);
    const agent = new Agent({ chatClient, middleware: [retryOnce] });
    const session = agent.createSession();
    if (streamed) await Array.fromAsync(agent.runStream('question', { session }));
    else await agent.run('question', { session });
    expect(chatClient.calls.map(({ options }) => options.temperature)).toEqual([undefined, 0]);
    await agent.run('again', { session }).catch(() => undefined);
    expect(chatClient.calls[2]?.messages.map(messageText)).toEqual(['question', 'answer', 'again']);
  });
});

describe('what middleware is told of a request', () => {
  it('names the provider of every injected message, tool and instruction', async () => {
    const seen: ModelRequest[] = [];
    const parameters = z.object({});
    const tool = (name: string) =>
      defineTool({ name, description: 'Does it.', parameters, execute: () => 'done' });
    const agent = new Agent({
      chatClient: new ScriptedChatClient(['answer']),
      instructions: 'Be brief.',
      tools: [tool('own')],
      contextProviders: [
        {
          specificationVersion: 'v1',
          sourceId: 'notes',
          beforeRun: async () => ({
            instructions: 'Mind the notes.',
            messages: [{ role: 'user', contents: 'a note' }],
            tools: [tool('look_up')],
          }),
        },
      ],
      middleware: [
        {
          modelCall: (request, next) => {
            seen.push(request);
            return next(request);
          },
        },
      ],
    });
    await agent.run('question');
    expect(seen[0]?.sources).toEqual({
      instructions: [{ sourceId: 'notes', text: 'Mind the notes.' }],
      tools: new Map([['look_up', 'notes']]),
    });
    expect(seen[0]?.messages[0]?.metadata).toEqual({ 'minne.source_id': 'notes' });
  });
});

describe('Agent.asTool', () => {
  it('answers in a conversation of its own, for the same actor', async () => {
    const actors: (string | undefined)[] = [];
    const who = defineTool({
      name: 'who',
      description: 'Who asks.',
      parameters: z.object({}),
      execute: (_, { actorId }) => actors.push(actorId),
    });
    const innerClient = new ScriptedChatClient([[toolCall('x', 'who', {})], 'Paris.']);
    const inner = new Agent({ chatClient: innerClient, tools: [who], description: 'Knows maps.' });
    const outerClient = new ScriptedChatClient([
      [toolCall('a', 'geographer', { task: 'Capital of France?' })],
      'It is Paris.',
    ]);
    const outer = new Agent({
      chatClient: outerClient,
      tools: [inner.asTool({ name: 'geographer' })],
    });
    const session = outer.createSession({ actorId: 'ann' });
    const response = await outer.run('I said something secret. Capital of France?', { session });
    expect(response.text).toBe('It is Paris.');
    expect(innerClient.calls[0]?.messages.map(messageText)).toEqual(['Capital of France?']);
    expect(outerClient.calls[0]?.options.tools).toMatchObject([{ description: 'Knows maps.' }]);
    expect(outerClient.calls[1]?.messages).toHaveLength(3);
    expect(actors).toEqual(['ann']);
  });
});

describe('adaptInvokingProvider', () => {
  it('tells a provider of the older shape of a run and of how it ended', async () => {
    const told: InvokedContext[] = [];
    const provider = adaptInvokingProvider('older', {
      invoking: async ({ requestMessages }) => ({
        instructions: `There is ${requestMessages.length} message.`,
      }),
      invoked: async (context) => {
        told.push(context);
      },
    });
    const chatClient = new ScriptedChatClient([
      'fine',
      () => {
        throw new Error('offline');
      },
    ]);
    const agent = new Agent({ chatClient, contextProviders: [provider] });
    await agent.run('one');
    await expect(agent.run('two')).rejects.toThrow('offline');
    expect(chatClient.calls[0]?.options.instructions).toBe('There is 1 message.');
    expect(told[0]?.responseMessages?.map(messageText)).toEqual(['fine']);
    expect(told[0]?.error).toBeUndefined();
    expect(told[1]).toMatchObject({ responseMessages: undefined, error: { message: 'offline' } });
  });
});

import { setTimeout as delay } from 'node:timers/promises';
import {
  Agent,
  type AgentMiddleware,
  approvalResponse,
  ChatClientError,
  type ChatMessage,
  type ChatMessageInit,
  defineTool,
  HistoryProvider,
  messageText,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryBackend } from './memory-backend.js';
import { type Reply, ScriptedChatClient, toolCall } from './scripted-chat-client.js';

/** What a process that starts anew has of a conversation: the store, and what it is configured with. */
function processOn(backend: MemoryBackend, replies: readonly Reply[], instructions = 'rules') {
  const chatClient = new ScriptedChatClient(replies);
  const provider = new HistoryProvider({ backend });
  const agent = new Agent({ chatClient, instructions, contextProviders: [provider] });
  return { chatClient, provider, agent, session: agent.createSession({ sessionId: 's' }) };
}

async function storedTexts(backend: MemoryBackend): Promise<string[]> {
  const { provider, session } = processOn(backend, []);
  return (await provider.getMessages(session)).messages.map(messageText);
}

describe('a conversation over restarts', () => {
  it('sends the instructions once, and stores two messages a turn', async () => {
    const backend = new MemoryBackend();
    for (const count of [1, 2, 3]) {
      const { agent, session, chatClient } = processOn(backend, [`a${count}`]);
      await agent.run(`q${count}`, { session });
      expect(chatClient.calls[0]?.options.instructions).toBe('rules');
      expect(chatClient.calls[0]?.messages.some(({ role }) => role === 'system')).toBe(false);
      expect(chatClient.calls[0]?.messages).toHaveLength(count * 2 - 1);
    }
    expect(await storedTexts(backend)).toEqual(['q1', 'a1', 'q2', 'a2', 'q3', 'a3']);
  });

  it('is held by the instructions of the agent that goes on with it, and those alone', async () => {
    const backend = new MemoryBackend();
    const first = processOn(backend, ['a'], 'reply in rhyme');
    await first.agent.run('q', { session: first.session });
    const saved = first.agent.serializeSession(first.session);
    const second = processOn(backend, ['b'], 'reply in prose');
    await second.agent.run('again', { session: second.agent.deserializeSession(saved) });
    expect(second.chatClient.calls[0]?.options.instructions).toBe('reply in prose');
    expect(JSON.stringify(second.chatClient.calls[0])).not.toContain('rhyme');
  });

  it('is found again by its session, in which there is nothing but ids', async () => {
    const backend = new MemoryBackend();
    const first = processOn(backend, ['a', 'b']);
    await first.agent.run('one', { session: first.session });
    await first.agent.run('two', { session: first.session });
    const saved = JSON.stringify(first.agent.serializeSession(first.session));
    expect(saved).not.toContain('one');
    const second = processOn(backend, ['c']);
    await second.agent.run('three', {
      session: second.agent.deserializeSession(JSON.parse(saved)),
    });
    expect(second.chatClient.calls[0]?.messages.map(messageText)).toEqual([
      'one',
      'a',
      'two',
      'b',
      'three',
    ]);
  });

  it.each([0, 1, 2])('goes on from %d stored messages', async (count) => {
    const backend = new MemoryBackend();
    const confirm = defineTool({
      name: 'confirm',
      description: 'Asks.',
      parameters: z.object({}),
      requiresApproval: true,
      execute: () => 'sure',
    });
    const chatClient = new ScriptedChatClient([[toolCall('a', 'confirm', {})], 'done']);
    const provider = new HistoryProvider({ backend });
    const agent = new Agent({ chatClient, contextProviders: [provider], tools: [confirm] });
    const session = agent.createSession({ sessionId: 's' });
    const messages: ChatMessage[] = ['x', 'y'].slice(0, count).map((text, index) => ({
      id: `m${index}`,
      role: 'user',
      contents: [{ type: 'text', text }],
      createdAt: '2026-01-01T00:00:00.000Z',
    }));
    const { version } = await provider.getMessages(session);
    await provider.setMessages(session, messages, { version });
    expect((await provider.getMessages(session)).messages).toEqual(messages);
    const { approvalRequests } = await agent.run('go', { session });
    const answers = approvalRequests.map((request) => approvalResponse(request, true));
    expect((await agent.run(answers, { session })).text).toBe('done');
    expect((await provider.getMessages(session)).messages).toHaveLength(count + 5);
  });

  it('keeps the order in which things were said, whatever the clocks say', async () => {
    const backend = new MemoryBackend();
    const { agent, session, chatClient } = processOn(backend, ['a1', 'a2']);
    const at = (id: string, createdAt: string): ChatMessageInit => ({
      id,
      role: 'user',
      contents: id,
      createdAt,
    });
    await agent.run(at('u1', '2026-01-01T10:00:00.000Z'), { session });
    await agent.run(at('u2', '2026-01-01T09:00:00.000Z'), { session });
    expect(chatClient.calls[1]?.messages.map(messageText)).toEqual(['u1', 'a1', 'u2']);
    expect(await storedTexts(backend)).toEqual(['u1', 'a1', 'u2', 'a2']);
  });
});

describe('the user’s words', () => {
  it('are stored once when a call of the model fails and is tried again', async () => {
    const retry: AgentMiddleware = {
      async *modelCall(request, next) {
        try {
          yield* next(request);
        } catch (error) {
          if (!ChatClientError.isInstance(error) || !error.retryable) throw error;
          yield* next(request);
        }
      },
    };
    const backend = new MemoryBackend();
    const provider = new HistoryProvider({ backend });
    const chatClient = new ScriptedChatClient([
      'a0',
      () => {
        throw new ChatClientError('connection reset', { retryable: true });
      },
      'a1',
    ]);
    const agent = new Agent({ chatClient, contextProviders: [provider], middleware: [retry] });
    const session = agent.createSession({ sessionId: 's' });
    await agent.run('q0', { session });
    await Array.fromAsync(agent.runStream('q1', { session }));
    expect(await storedTexts(backend)).toEqual(['q0', 'a0', 'q1', 'a1']);
  });

  it('are not touched: the caller’s objects are as they were', async () => {
    const { agent, session } = processOn(new MemoryBackend(), ['a', 'b']);
    const input: ChatMessageInit = {
      role: 'user',
      contents: [{ type: 'text', text: 'first', metadata: { mine: [1, 2] } }],
      metadata: { 'minne.source_id': 'mine' },
    };
    const before = structuredClone(input);
    await agent.run(input, { session });
    await agent.run(input, { session });
    expect(input).toEqual(before);
  });

  it('are in the request once on the first turn after a restart', async () => {
    const backend = new MemoryBackend();
    const first = processOn(backend, ['a']);
    await first.agent.run('before', { session: first.session });
    const { agent, session, chatClient } = processOn(backend, ['b']);
    await agent.run('hi', { session });
    const texts = chatClient.calls[0]?.messages.map(messageText) ?? [];
    expect(texts.filter((text) => text === 'hi')).toHaveLength(1);
    expect(await storedTexts(backend)).toEqual(['before', 'a', 'hi', 'b']);
  });
});

describe('the end of a stream', () => {
  it('means that everything is stored, however slow the store', async () => {
    const backend = new MemoryBackend();
    backend.before = () => delay(30);
    const { agent, session } = processOn(backend, ['a long answer']);
    for await (const event of agent.runStream('q', { session })) {
      if (event.type === 'finish') break;
    }
    backend.before = () => {};
    expect(await storedTexts(backend)).toEqual(['q', 'a long answer']);
  });

  it('comes at once on abort, and what was shown is what is stored', async () => {
    const backend = new MemoryBackend();
    const controller = new AbortController();
    const { agent, session } = processOn(backend, ['Hello, this will be cut', 'next']);
    let shown = '';
    const read = async () => {
      for await (const event of agent.runStream('q', { session, signal: controller.signal })) {
        if (event.type !== 'text-delta') continue;
        shown += event.delta;
        if (shown.length === 6) controller.abort();
      }
    };
    await expect(read()).rejects.toThrow('aborted');
    expect(await storedTexts(backend)).toEqual(['q', shown]);
    expect((await agent.run('again', { session })).text).toBe('next');
  });
});

describe('what a tool returns', () => {
  it('comes through store and reload by the documented rule', async () => {
    const backend = new MemoryBackend();
    const results = [
      { rows: 9007199254740993n },
      [Number.NaN, Number.NEGATIVE_INFINITY, -0],
      new Map<string, unknown>([['k', new Set([1n])]]),
      new TypeError('no such row'),
      undefined,
      'a\u0000b \\u0000 \ud800',
      new Date(0),
    ];
    const chatClient = new ScriptedChatClient([
      results.map((_, index) => toolCall(`c${index}`, 'give', { index })),
      'done',
    ]);
    const give = defineTool({
      name: 'give',
      description: 'Gives.',
      parameters: z.object({ index: z.number() }),
      execute: ({ index }) => results[index],
    });
    const provider = new HistoryProvider({ backend });
    const agent = new Agent({ chatClient, contextProviders: [provider], tools: [give] });
    const session = agent.createSession({ sessionId: 's' });
    await agent.run('go', { session });
    const { messages } = await provider.getMessages(session);
    const stored = messages
      .flatMap(({ contents }) => contents)
      .flatMap((content) => (content.type === 'tool_result' ? [content.result] : []));
    expect(stored).toEqual([
      { rows: '9007199254740993' },
      ['NaN', '-Infinity', 0],
      [['k', ['1']]],
      { name: 'TypeError', message: 'no such row' },
      null,
      'a\u0000b \\u0000 \ud800',
      '1970-01-01T00:00:00.000Z',
    ]);
  });

  it('keeps call id, name, arguments to the byte, and the service’s own item ids beside them', async () => {
    const backend = new MemoryBackend();
    const calls = [
      { ...toolCall('call_9', 'work', '{ "a" :1 }'), metadata: { 'minne.item_id': 'fc_1' } },
    ];
    const chatClient = new ScriptedChatClient([calls, 'ok']);
    const work = defineTool({
      name: 'work',
      description: 'Works.',
      parameters: z.object({ a: z.number() }),
      execute: () => '',
    });
    const agent = new Agent({
      chatClient,
      contextProviders: [new HistoryProvider({ backend })],
      tools: [work],
    });
    await agent.run('go', { session: agent.createSession({ sessionId: 's' }) });
    const { chatClient: next, agent: other, session } = processOn(backend, ['x']);
    await other.run('on', { session });
    expect(next.calls[0]?.messages[1]?.contents).toEqual(calls);
    expect(next.calls[0]?.messages[2]?.contents).toEqual([
      { type: 'tool_result', callId: 'call_9', result: '' },
    ]);
  });
});

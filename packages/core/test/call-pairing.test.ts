import {
  Agent,
  approvalResponse,
  type ChatMessage,
  type ChatMessageInit,
  type Content,
  defineTool,
  HistoryProvider,
  type HistoryProviderOptions,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryBackend } from './memory-backend.js';
import { type Reply, ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import { objection } from './strict-service.js';
import { outline, ways } from './ways.js';

const key = { sessionId: 's', sourceId: 'history' };

function setUp(replies: readonly Reply[], flags: Partial<HistoryProviderOptions> = {}) {
  const done: string[] = [];
  const parameters = z.object({ what: z.string() });
  const make = (name: string, requiresApproval: boolean) =>
    defineTool({
      name,
      description: 'Works.',
      parameters,
      requiresApproval,
      execute: ({ what }) => {
        done.push(`${name} ${what}`);
        return what;
      },
    });
  const chatClient = new ScriptedChatClient(replies);
  const backend = new MemoryBackend();
  const provider = new HistoryProvider({ backend, ...flags });
  const agent = new Agent({
    chatClient,
    tools: [make('plain', false), make('guarded', true)],
    contextProviders: [provider],
  });
  const session = agent.createSession({ sessionId: 's' });
  return { agent, backend, chatClient, done, provider, session };
}

const call = (name: string, what: string, callId = 'a') => toolCall(callId, name, { what });
const result = (callId: string, value: string): Content => ({
  type: 'tool_result',
  callId,
  result: value,
});

function message(id: string, role: ChatMessage['role'], contents: readonly Content[]): ChatMessage {
  return { id, role, contents, createdAt: '2026-05-01T10:00:00.000Z' };
}

describe('a call id that is used again', () => {
  const transcript = [
    message('call 1', 'assistant', [call('plain', 'x')]),
    message('call 2', 'assistant', [call('plain', 'y')]),
    message('result 1', 'tool', [result('a', 'of the first')]),
    message('result 2', 'tool', [result('a', 'of the second')]),
    message('call 3', 'assistant', [call('plain', 'z')]),
    message('result 3', 'tool', [result('a', 'of the third')]),
    message('result 4', 'tool', [result('a', 'of nothing')]),
  ];
  const groups = [
    ['call 1', 'call 1'],
    ['call 2', 'call 2'],
    ['result 1', 'call 1'],
    ['result 2', 'call 2'],
    ['call 3', 'call 3'],
    ['result 3', 'call 3'],
    ['result 4', 'result 4'],
  ];

  it('groups each result with the call that the model is shown it for', async () => {
    const { agent, backend, chatClient, provider, session } = setUp(['ok']);
    const { version } = await provider.getMessages(session);
    await provider.setMessages(session, transcript, { version });
    const { records } = await backend.load(key);
    expect(records.map(({ id, group }) => [id, group])).toEqual(groups);
    await agent.run('and?', { session });
    const sent = outline(chatClient.calls[0]?.messages ?? []);
    expect(sent.slice(0, 2)).toEqual([
      'assistant: call a plain({"what":"x"})',
      'tool: result a "of the first"',
    ]);
  });

  it('groups it so too when call and result are stored by different runs', async () => {
    const { agent, backend, session } = setUp(['ok', 'ok', 'ok']);
    const [first, second, third, ...rest] = transcript;
    for (const part of [[first, second], [third], rest]) {
      await agent.run(part as ChatMessageInit[], { session });
    }
    const { records } = await backend.load(key);
    const stored = new Map(records.map(({ id, group }) => [id, group]));
    expect(transcript.map(({ id }) => [id, stored.get(id)])).toEqual(groups);
  });
});

describe.each(ways)('an answer with calls, by $way', ({ ask }) => {
  it('whose ids are the same keeps what waits and what is run apart', async () => {
    const { agent, session, done, chatClient } = setUp([
      [call('guarded', 'one'), call('plain', 'two'), call('guarded', 'three')],
      'ok',
      'fine',
    ]);
    const { approvalRequests, messages } = await ask(agent, 'go', { session });
    expect(done).toEqual(['plain two']);
    const ids = messages[0]?.contents.flatMap((content) =>
      content.type === 'tool_call' ? [content.callId] : [],
    );
    expect(new Set(ids).size).toBe(3);
    expect(ids?.[0]).toBe('a');
    const [first, second] = approvalRequests;
    if (first === undefined || second === undefined) throw new Error('two should wait');
    // The second first: it must not be taken for the other, nor run again with it.
    const waiting = await ask(agent, approvalResponse(second, true), { session });
    expect(waiting.approvalRequests).toEqual([first]);
    await ask(agent, approvalResponse(first, true), { session });
    expect(done).toEqual(['plain two', 'guarded three', 'guarded one']);
    await ask(agent, 'thanks', { session });
    const sent = chatClient.calls.at(-1)?.messages ?? [];
    expect(objection(sent)).toBeUndefined();
    expect(
      outline(sent)
        .filter((line) => line.startsWith('tool'))
        .map((line) => line.slice(-7)),
    ).toEqual([
      expect.stringContaining('"one"'),
      expect.stringContaining('"two"'),
      expect.stringContaining('"three"'),
    ]);
  });

  it.each(['plain', 'guarded'])('runs no %s call whose result it holds itself', async (name) => {
    const { agent, session, done, chatClient } = setUp([
      [call(name, 'x'), result('a', 'done by the service'), { type: 'text', text: 'There.' }],
      'ok',
    ]);
    const { text, approvalRequests } = await ask(agent, 'go', { session, operationId: 'op' });
    expect([text, approvalRequests, done]).toEqual(['There.', [], []]);
    expect((await ask(agent, 'go', { session, operationId: 'op' })).text).toBe('There.');
    expect(chatClient.calls.length).toBe(1);
    await ask(agent, 'and?', { session });
    const sent = chatClient.calls[1]?.messages ?? [];
    expect(objection(sent)).toBeUndefined();
    expect(outline(sent)).toContain('tool: result a "done by the service"');
  });
});

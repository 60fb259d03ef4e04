import { Agent, type HistoryBackend, HistoryProvider, messageText } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { MemoryBackend } from './memory-backend.js';
import { ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import { ways } from './ways.js';

const key = { sessionId: 's', sourceId: 'history' };

function setUp() {
  const backend = new MemoryBackend();
  const provider = new HistoryProvider({ backend, onConflict: 'replace' });
  const chatClient = new ScriptedChatClient(['one', 'two', 'three']);
  const agent = new Agent({ chatClient, contextProviders: [provider] });
  const session = agent.createSession({ sessionId: 's' });
  const stored = async () => (await provider.getMessages(session)).messages.map(messageText);
  return { agent, backend, chatClient, provider, session, stored };
}

const tea = { id: 'u', role: 'user', contents: 'tea' } as const;
const coffee = { ...tea, contents: 'coffee' };

describe.each(ways)('an edited message, by $way', ({ ask }) => {
  it('is stored in one step with what the run brings', async () => {
    const { agent, backend, session, stored } = setUp();
    await ask(agent, tea, { session });
    backend.calls.length = 0;
    await ask(agent, [coffee, 'and milk'], { session });
    expect(backend.calls).toEqual(['load', 'load', 'replace']);
    expect(await stored()).toEqual(['coffee', 'one', 'and milk', 'two']);
  });

  it('leaves what is stored as it was when the store fails', async () => {
    const { agent, backend, session, stored } = setUp();
    await ask(agent, tea, { session });
    backend.before = (verb) => {
      if (verb === 'replace' || verb === 'append') throw new Error('offline');
    };
    await expect(ask(agent, [coffee, 'and milk'], { session })).rejects.toMatchObject({
      code: 'after_run_failed',
    });
    backend.before = () => {};
    expect(await stored()).toEqual(['tea', 'one']);
  });

  it('keeps what another process writes meanwhile', async () => {
    const { agent, backend, session, stored, provider } = setUp();
    await ask(agent, tea, { session });
    let first = true;
    backend.before = async (verb) => {
      if (verb !== 'replace' || !first) return;
      first = false;
      const { messages } = await provider.getMessages(session);
      const record = JSON.stringify({ ...messages[1], id: 'other' });
      await backend.append(key, [
        { v: 1, id: 'other', group: 'other', kind: 'assistant', payload: record },
      ]);
    };
    await ask(agent, [coffee, 'and milk'], { session });
    expect(await stored()).toEqual(['coffee', 'one', 'one', 'and milk', 'two']);
  });

  it('is trimmed as what it has become', async () => {
    const { agent, backend, session } = setUp();
    const call = { id: 'c', role: 'assistant', contents: [toolCall('a', 'x', {})] } as const;
    const result = {
      id: 'r',
      role: 'tool',
      contents: [{ type: 'tool_result', callId: 'a', result: 1 }],
    } as const;
    await ask(agent, [tea, call, result], { session });
    const places = async () =>
      (await backend.load(key)).records.slice(0, 3).map(({ id, kind, group }) => [id, kind, group]);
    expect(await places()).toEqual([
      ['u', 'user', 'u'],
      ['c', 'assistant', 'c'],
      ['r', 'tool', 'c'],
    ]);
    const rules = { ...tea, role: 'system' } as const;
    const words = { ...call, contents: 'never mind' };
    await ask(agent, [rules, words, result, 'go on'], { session });
    expect(await places()).toEqual([
      ['u', 'system', 'u'],
      ['c', 'assistant', 'c'],
      ['r', 'tool', 'r'],
    ]);
  });

  it('is edited before the model is asked, with persistPerServiceCall', async () => {
    const { backend, provider, chatClient } = setUp();
    const agent = new Agent({
      chatClient,
      contextProviders: [provider],
      persistPerServiceCall: true,
    });
    const session = agent.createSession({ sessionId: 's' });
    await ask(agent, tea, { session });
    backend.calls.length = 0;
    await ask(agent, [coffee, 'and milk'], { session });
    expect(backend.calls).toEqual(['load', 'load', 'replace', 'append']);
  });
});

it('onConflict replace is refused where the backend cannot replace', () => {
  const whole: HistoryBackend = new MemoryBackend();
  const { append, load, clear } = whole;
  const backend: HistoryBackend = { specificationVersion: 'v1', append, load, clear };
  expect(() => new HistoryProvider({ backend, onConflict: 'replace' })).toThrow(
    expect.objectContaining({ code: 'configuration', field: 'onConflict' }),
  );
});

import {
  Agent,
  type ChatReducer,
  HistoryProvider,
  type HistoryProviderOptions,
  messageText,
  SessionHistoryBackend,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import { MemoryBackend } from './memory-backend.js';
import { ScriptedChatClient } from './scripted-chat-client.js';
import { countingReducer, lawlessReducer, SummarisingReducer } from './small-reducers.js';
import { ways } from './ways.js';

/** An agent whose model answers `re`, on a store that is given or its own. */
function open(flags: Partial<HistoryProviderOptions> & { readonly reducer: ChatReducer }) {
  const backend = flags.backend ?? new MemoryBackend();
  const provider = new HistoryProvider({ ...flags, backend });
  const chatClient = new ScriptedChatClient(Array.from({ length: 40 }, () => 're'));
  const agent = new Agent({ chatClient, contextProviders: [provider] });
  const sent = () => chatClient.calls.at(-1)?.messages.map(messageText) ?? [];
  return { agent, backend, provider, sent, session: agent.createSession({ sessionId: 's' }) };
}

describe.each(ways)('a view of the history, by $way', ({ ask }) => {
  it('is kept for each of several agents that take turns on a session, and paid for once', async () => {
    const reducer = new SummarisingReducer(2, 20);
    const first = open({ reducer });
    const second = open({ reducer: countingReducer(3), backend: first.backend });
    let { session } = first;
    for (let turn = 1; turn <= 12; turn += 1) await ask(second.agent, `${turn}`, { session });
    for (const text of ['a', 'b', 'c', 'd']) {
      await ask(first.agent, text, { session });
      expect(first.sent()[0]).toContain('<summary>1;re');
      session = second.agent.deserializeSession(
        JSON.parse(JSON.stringify(second.agent.serializeSession(session))),
      );
      await ask(second.agent, `after ${text}`, { session });
      expect(second.sent().length).toBe(4);
    }
    expect(reducer.written).toBe(1);
  });

  it('is forgotten of all of them when the history is edited', async () => {
    const first = open({ reducer: new SummarisingReducer(1) });
    const second = open({ reducer: countingReducer(1), backend: first.backend });
    const { session } = first;
    for (const { agent } of [first, second, first]) await ask(agent, 'hi', { session });
    expect(session.state['history']).toHaveProperty('reduction.kept.length', 2);
    await first.provider.clear(session);
    expect(session.state['history']).not.toHaveProperty('reduction');
  });

  it('is kept of the newest four kinds', async () => {
    const { backend } = open({ reducer: countingReducer(1) });
    const { session } = open({ reducer: countingReducer(1), backend });
    for (const id of ['a', 'b', 'c', 'd', 'e', 'a', 'b']) {
      const { agent } = open({ reducer: { ...countingReducer(1), id }, backend });
      await ask(agent, '1', { session });
    }
    expect(session.state['history']).toMatchObject({
      reduction: { kept: ['b', 'a', 'e', 'd'].map((reducer) => ({ reducer })) },
    });
  });

  it('is made anew when the store has trimmed what it was cut at', async () => {
    const reducer = new SummarisingReducer(1);
    const { agent, session, backend } = open({ reducer });
    await ask(agent, '1', { session });
    await ask(agent, '2', { session });
    expect(reducer.written).toBe(1);
    const trimming = new SessionHistoryBackend({ maxMessages: 2 });
    const other = new HistoryProvider({
      backend: {
        specificationVersion: 'v1',
        append: (key, records) =>
          trimming.append(key, records, { state: (backend as MemoryBackend).state(key) }),
        load: backend.load.bind(backend),
        clear: backend.clear.bind(backend),
      },
    });
    const elsewhere = new Agent({
      chatClient: new ScriptedChatClient(['heard']),
      contextProviders: [other],
    });
    await ask(elsewhere, 'meanwhile', { session: elsewhere.createSession({ sessionId: 's' }) });
    const again = open({ reducer, backend });
    await ask(again.agent, '3', { session });
    expect(again.sent()).toEqual(['<summary>meanwhile</summary>', 'heard', '3']);
  });

  it('holds a stored summary once when it has been rewritten', async () => {
    const reducer = new SummarisingReducer(1);
    const stored = open({ reducer, reducerTrigger: 'afterMessageAdded' });
    await ask(stored.agent, '1', { session: stored.session });
    const shorter = lawlessReducer((messages) =>
      messages.map((message) =>
        message.metadata?.['minne.summary'] === undefined
          ? message
          : { ...message, contents: [{ type: 'text', text: 'short' }] },
      ),
    );
    const { agent, session, sent } = open({ reducer: shorter, backend: stored.backend });
    await ask(agent, '2', { session });
    expect(sent()).toEqual(['short', 're', '2']);
    await ask(agent, '3', { session: agent.deserializeSession(agent.serializeSession(session)) });
    expect(sent()).toEqual(['short', 're', '2', 're', '3']);
  });
});

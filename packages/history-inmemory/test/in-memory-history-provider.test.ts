import { Agent, ConfigurationError, messageText } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { InMemoryHistoryProvider } from '../src/index.js';
import { EchoChatClient } from './echo-chat-client.js';

const chatClient = new EchoChatClient();

describe('InMemoryHistoryProvider', () => {
  it('lets a model see what was said before, also after the session was serialised', async () => {
    const agent = new Agent({ chatClient, contextProviders: [new InMemoryHistoryProvider()] });
    const session = agent.createSession();
    await agent.run('one', { session });
    const saved = JSON.stringify(agent.serializeSession(session));
    const resumed = agent.deserializeSession(JSON.parse(saved));
    expect((await agent.run('two', { session: resumed })).text).toBe('[one | [one] | two]');
    expect((await agent.run('two', { session })).text).toBe('[one | [one] | two]');
  });

  it('keeps history where an agent without providers keeps it', async () => {
    const plain = new Agent({ chatClient });
    const configured = new Agent({ chatClient, contextProviders: [new InMemoryHistoryProvider()] });
    const session = plain.createSession();
    await plain.run('one', { session });
    expect((await configured.run('two', { session })).text).toBe('[one | [one] | two]');
    expect(Object.keys(session.state)).toEqual(['in_memory']);
  });

  it('keeps at most maxMessages', async () => {
    const provider = new InMemoryHistoryProvider({ maxMessages: 2 });
    const agent = new Agent({ chatClient, contextProviders: [provider] });
    const session = agent.createSession();
    for (const text of ['one', 'two', 'three']) await agent.run(text, { session });
    const { messages } = await provider.getMessages(session);
    const texts = messages.map((message) => messageText(message));
    expect(texts).toEqual(['three', '[two | [one | [one] | two] | three]']);
  });

  it('can be given another source and the flags of every history provider', async () => {
    const provider = new InMemoryHistoryProvider({ sourceId: 'audit', loadMessages: false });
    const agent = new Agent({ chatClient, contextProviders: [provider] });
    const session = agent.createSession();
    await agent.run('one', { session });
    const { messages } = await provider.getMessages(session);
    expect(provider.sourceId).toBe('audit');
    expect(messages.map((message) => messageText(message))).toEqual(['one', '[one]']);
  });

  it('refuses a maxMessages that is none', () => {
    expect(() => new InMemoryHistoryProvider({ maxMessages: 0 })).toThrow(ConfigurationError);
  });
});

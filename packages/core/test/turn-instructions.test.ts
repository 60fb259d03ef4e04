import { Agent, type ContextProvider, HistoryProvider, messageText } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { MemoryBackend } from './memory-backend.js';
import { ScriptedChatClient } from './scripted-chat-client.js';

const clock: ContextProvider = {
  specificationVersion: 'v1',
  sourceId: 'clock',
  beforeRun: async () => ({ instructions: 'Mind the time.', turnInstructions: 'It is noon.' }),
};

describe('instructions of a turn', () => {
  it('are sent behind the history and before the input, and are not stored', async () => {
    const history = new HistoryProvider({
      backend: new MemoryBackend(),
      storeContextMessages: true,
    });
    const chatClient = new ScriptedChatClient(['a', 'b']);
    const agent = new Agent({
      chatClient,
      instructions: 'Be brief.',
      contextProviders: [clock, history],
    });
    const session = agent.createSession({ sessionId: 's' });
    await agent.run('one', { session });
    await agent.run('two', { session, turnInstructions: 'Answer in rhyme.' });
    const { messages = [], options } = chatClient.calls[1] ?? {};
    expect(messages.map((message) => `${message.role}: ${messageText(message)}`)).toEqual([
      'user: one',
      'assistant: a',
      'developer: Answer in rhyme.',
      'developer: It is noon.',
      'user: two',
    ]);
    expect(messages[3]?.metadata).toEqual({ 'minne.source_id': 'clock' });
    expect(options?.instructions).toBe('Be brief.\n\nMind the time.');
    const stored = (await history.getMessages(session)).messages.map(messageText);
    expect(stored).toEqual(['one', 'a', 'two', 'b']);
  });

  it('are among the other instructions, the last of them, when the service keeps the history', async () => {
    const chatClient = new ScriptedChatClient(['a'], { historyStorage: 'optional' });
    const agent = new Agent({
      chatClient,
      store: true,
      instructions: 'Be brief.',
      contextProviders: [clock],
    });
    await agent.run('one', {
      session: agent.createSession(),
      turnInstructions: 'Answer in rhyme.',
    });
    const { messages = [], options } = chatClient.calls[0] ?? {};
    expect(messages.map(messageText)).toEqual(['one']);
    expect(options?.instructions).toBe(
      'Be brief.\n\nMind the time.\n\nAnswer in rhyme.\n\nIt is noon.',
    );
  });

  it.each([undefined, ''])('may be %j', async (turnInstructions) => {
    const chatClient = new ScriptedChatClient(['a']);
    const provider: ContextProvider = {
      specificationVersion: 'v1',
      sourceId: 'none',
      beforeRun: async () => (turnInstructions === undefined ? {} : { turnInstructions }),
    };
    const agent = new Agent({ chatClient, contextProviders: [provider] });
    await agent.run('one', turnInstructions === undefined ? {} : { turnInstructions });
    expect(chatClient.calls[0]?.messages.map(messageText)).toEqual(['one']);
  });
});

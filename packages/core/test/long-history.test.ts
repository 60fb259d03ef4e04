import { Agent, HistoryProvider } from '@minne/core';
import { describe, expect, it, vi } from 'vitest';
import { MemoryBackend } from './memory-backend.js';
import { ScriptedChatClient } from './scripted-chat-client.js';

describe('a long history', () => {
  /** How often messages are parsed while the work is done. */
  async function parses(work: () => Promise<unknown>): Promise<number> {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      await work();
      return parse.mock.calls.length;
    } finally {
      parse.mockRestore();
    }
  }

  it.each([1_000, 4_000])(
    'of %d messages is read once, and no part of it that was not asked for',
    async (count) => {
      const history = new HistoryProvider({ backend: new MemoryBackend() });
      const agent = new Agent({
        chatClient: new ScriptedChatClient(['ok', 'ok', 'ok']),
        contextProviders: [history],
      });
      const session = agent.createSession();
      const messages = Array.from({ length: count }, (_, index) => ({
        id: `m${index}`,
        role: 'user' as const,
        contents: [{ type: 'text' as const, text: `${index}` }],
        createdAt: '2026-01-01T00:00:00.000Z',
      }));
      const { version } = await history.getMessages(session);
      await history.setMessages(session, messages, { version });
      expect(await parses(() => history.getMessages(session, { limit: 20 }))).toBe(20);
      expect(await parses(() => agent.run('go', { session }))).toBe(count - 20);
      expect(await parses(() => agent.run('go', { session }))).toBe(2);
      expect(await parses(() => Array.fromAsync(agent.runStream('go', { session })))).toBe(2);
    },
  );
});

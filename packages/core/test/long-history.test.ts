import { Agent, type ChatMessage, HistoryProvider } from '@minne/core';
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

  const messages = (count: number): ChatMessage[] =>
    Array.from({ length: count }, (_, index) => ({
      id: `m${index}`,
      role: 'user',
      contents: [{ type: 'text', text: `${index}` }],
      createdAt: '2026-01-01T00:00:00.000Z',
    }));

  it.each([1_000, 4_000])(
    'of %d messages is read once, and no part of it that was not asked for',
    async (count) => {
      const history = new HistoryProvider({ backend: new MemoryBackend() });
      const agent = new Agent({
        chatClient: new ScriptedChatClient(['ok', 'ok', 'ok']),
        contextProviders: [history],
      });
      const session = agent.createSession();
      const { version } = await history.getMessages(session);
      await history.setMessages(session, messages(count), { version });
      expect(await parses(() => history.getMessages(session, { limit: 20 }))).toBe(20);
      expect(await parses(() => agent.run('go', { session }))).toBe(count - 20);
      expect(await parses(() => agent.run('go', { session }))).toBe(2);
      expect(await parses(() => Array.fromAsync(agent.runStream('go', { session })))).toBe(2);
    },
  );

  it('is read a part at a time, and no further when the run is aborted', async () => {
    const history = new HistoryProvider({ backend: new MemoryBackend() });
    const agent = new Agent({
      chatClient: new ScriptedChatClient(['ok']),
      contextProviders: [history],
    });
    const session = agent.createSession();
    const { version } = await history.getMessages(session);
    await history.setMessages(session, messages(1_000), { version });
    const controller = new AbortController();
    let turns = 0;
    const other = setInterval(() => {
      turns += 1;
      if (turns === 2) controller.abort(new Error('enough'));
    }, 0);
    // A slow machine: every look at the clock finds that much time has gone.
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      time += 100;
      return time;
    });
    try {
      const { signal } = controller;
      const read = await parses(() =>
        expect(agent.run('go', { session, signal })).rejects.toThrow('enough'),
      );
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThan(1_000);
    } finally {
      clearInterval(other);
      clock.mockRestore();
    }
    expect((await history.getMessages(session)).messages.length).toBe(1_001);
  });
});

import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, defineTool, HistoryProvider, type RunEvent } from '@minne/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryBackend } from './memory-backend.js';
import { type Reply, ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import { objection } from './strict-service.js';
import { outline } from './ways.js';

const work = defineTool({
  name: 'work',
  description: 'Works.',
  parameters: z.object({}),
  execute: () => 'done',
});

function setUp(replies: readonly Reply[]) {
  const chatClient = new ScriptedChatClient(replies);
  const provider = new HistoryProvider({ backend: new MemoryBackend() });
  const agent = new Agent({ chatClient, contextProviders: [provider], tools: [work] });
  const session = agent.createSession({ sessionId: crypto.randomUUID() });
  const stored = async () => outline((await provider.getMessages(session)).messages);
  return { chatClient, agent, session, stored };
}

const never = () => new Promise<never>(() => {});

describe('a stream', () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  beforeEach(() => process.on('unhandledRejection', note));
  afterEach(async () => {
    await delay(0);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('that is never read does nothing', async () => {
    const { agent, session, chatClient, stored } = setUp(['hi']);
    const unread = agent.runStream('one', { session });
    const left = agent.runStream('two', { session });
    expect(await left.return()).toEqual({ done: true, value: undefined });
    expect(await left.next()).toEqual({ done: true, value: undefined });
    expect(chatClient.calls).toEqual([]);
    expect(await stored()).toEqual([]);
    expect(unread).toHaveProperty('next');
  });

  it('may be left at any event: the session is free, and the next run is sound', async () => {
    const replies = [
      [{ type: 'text' as const, text: 'Looking.' }, toolCall('a', 'work', {})],
      'All done.',
    ];
    const whole = setUp(replies);
    const all = await Array.fromAsync(whole.agent.runStream('go', { session: whole.session }));
    for (const at of all.keys()) {
      const { agent, session, stored, chatClient } = setUp([...replies, 'next', 'next', 'next']);
      const seen: RunEvent[] = [];
      for await (const event of agent.runStream('go', { session })) {
        seen.push(event);
        if (seen.length > at) break;
      }
      expect(seen.map(({ type }) => type)).toEqual(all.slice(0, at + 1).map(({ type }) => type));
      const before = await stored();
      expect(before[0]).toBe('user: go');
      await agent.run('again', { session });
      expect((await stored()).slice(before.length)[0]).toBe('user: again');
      for (const { messages } of chatClient.calls) expect(objection(messages)).toBeUndefined();
    }
  });

  it('ends when it is aborted, though nobody reads on', async () => {
    const { agent, session, stored } = setUp(['Hello there', 'next']);
    const controller = new AbortController();
    const stream = agent.runStream('go', { session, signal: controller.signal });
    expect(await stream.next()).toMatchObject({ value: { type: 'text-start' } });
    expect(await stream.next()).toMatchObject({ value: { delta: 'Hel' } });
    controller.abort();
    expect((await agent.run('again', { session })).text).toBe('next');
    expect((await stored()).slice(0, 2)).toEqual(['user: go', 'assistant: Hel [incomplete]']);
    expect(await stream.next()).toMatchObject({ value: { type: 'error' } });
    await expect(stream.next()).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('can be left after an abort without throwing', async () => {
    const { agent, session, stored } = setUp(['Hello there']);
    const controller = new AbortController();
    for await (const event of agent.runStream('go', { session, signal: controller.signal })) {
      if (event.type !== 'text-delta') continue;
      controller.abort(new Error('enough'));
      await delay(1);
      break;
    }
    expect(await stored()).toEqual(['user: go', 'assistant: Hel [incomplete]']);
  });

  it('ends when it is left while a step is waited for', async () => {
    const { agent, session, stored } = setUp([never, 'next']);
    const stream = agent.runStream('go', { session });
    const step = stream.next();
    await delay(5);
    expect(await stream.return()).toEqual({ done: true, value: undefined });
    expect(await step).toEqual({ done: true, value: undefined });
    expect(await stored()).toEqual(['user: go']);
    expect((await agent.run('again', { session })).text).toBe('next');
  });

  it('can be left while it waits for its session', async () => {
    const { agent, session, chatClient, stored } = setUp([() => delay(30, 'first')]);
    const first = agent.run('one', { session });
    const stream = agent.runStream('two', { session });
    const step = stream.next();
    await stream.return();
    expect(await step).toEqual({ done: true, value: undefined });
    await first;
    expect(chatClient.calls).toHaveLength(1);
    expect(await stored()).toEqual(['user: one', 'assistant: first']);
  });

  it('is left by throw as by return, with the error that was thrown', async () => {
    const { agent, session, stored } = setUp(['Hello there', 'next']);
    const stream = agent.runStream('go', { session });
    await stream.next();
    await stream.next();
    await expect(stream.throw(new Error('mine'))).rejects.toThrow('mine');
    expect(await stored()).toEqual(['user: go', 'assistant: Hel [incomplete]']);
    expect((await agent.run('again', { session })).text).toBe('next');
  });

  it('gives each event to one of two readers, and is stored once', async () => {
    const { agent, session, stored } = setUp(['Hello there']);
    const stream = agent.runStream('go', { session });
    const read = () => Array.fromAsync(stream);
    const events = (await Promise.all([read(), read()])).flat();
    expect(events.filter(({ type }) => type === 'text-delta')).toHaveLength(4);
    expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1);
    expect(await stored()).toEqual(['user: go', 'assistant: Hello there']);
  });
});

describe('a signal that outlives many runs', () => {
  it('is left without listeners by runs and streams, whole or left', async () => {
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    const calls = Array.from({ length: 20 }, (_, index) => toolCall(`c${index}`, 'work', {}));
    await Promise.all(
      Array.from({ length: 30 }, async () => {
        const { agent, session } = setUp([calls, 'Hello there', 'Hello there', 'Hello there']);
        await agent.run('go', { session, signal });
        await Array.fromAsync(agent.runStream('go', { session, signal }));
        for await (const event of agent.runStream('go', { session, signal })) {
          if (event.type === 'text-delta') break;
        }
      }),
    );
    await delay(1);
    process.off('warning', note);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(warnings).toEqual([]);
  });
});

import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type AgentSession, type ContextProvider, defineTool } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Reply, ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import { ways } from './ways.js';

function agentOf(
  replies: readonly Reply[],
  options: Omit<ConstructorParameters<typeof Agent>[0], 'chatClient'> = {},
) {
  return new Agent({ chatClient: new ScriptedChatClient(replies), ...options });
}

function tool(name: string, execute: () => unknown) {
  return defineTool({ name, description: 'Does it.', parameters: z.object({}), execute });
}

const conflict = { code: 'conflict', message: expect.stringContaining('session of its own') };

describe.each(ways)('a session, by $way', ({ ask }) => {
  it('refuses two runs whose tools would wait for each other’s session', async () => {
    const inner = agentOf(['inner', 'inner']);
    const [one, two] = [inner.createSession(), inner.createSession()];
    const bothStarted = Promise.withResolvers<void>();
    let started = 0;
    const crossing = (other: AgentSession) => {
      const cross = tool('cross', async () => {
        if (++started === 2) bothStarted.resolve();
        await bothStarted.promise;
        return (await inner.run('inner', { session: other })).text;
      });
      return agentOf([[toolCall('a', 'cross', {})], 'done'], { tools: [cross] });
    };
    const responses = await Promise.all([
      ask(crossing(two), 'go', { session: one }),
      ask(crossing(one), 'go', { session: two }),
    ]);
    const results = responses.map(({ messages }) => messages[1]?.contents[0]);
    expect(results).toContainEqual(
      expect.objectContaining({ error: expect.stringContaining('neither would end') }),
    );
    expect(results).toContainEqual(expect.objectContaining({ result: 'inner' }));
    expect(responses.map(({ text }) => text)).toEqual(['done', 'done']);
  });

  it('refuses a run inside its own run, whoever starts it', async () => {
    const inner = agentOf(['inner']);
    const session = inner.createSession();
    const runInside = async () => {
      await inner.run('inner', { session });
      return undefined;
    };
    const provider: ContextProvider = {
      specificationVersion: 'v1',
      sourceId: 'nesting',
      beforeRun: runInside,
    };
    const before = agentOf(['outer'], { contextProviders: [provider] });
    await expect(ask(before, 'go', { session })).rejects.toMatchObject(conflict);

    const middleware = agentOf(['outer'], {
      middleware: [
        {
          async *modelCall(request, next) {
            await runInside();
            yield* next(request);
          },
        },
      ],
    });
    await expect(ask(middleware, 'go', { session })).rejects.toMatchObject(conflict);

    const afterRun = async () => void (await runInside());
    const after = agentOf(['outer'], {
      contextProviders: [{ specificationVersion: 'v1', sourceId: 'nesting', afterRun }],
    });
    await expect(ask(after, 'go', { session })).rejects.toMatchObject({
      code: 'after_run_failed',
      response: { text: 'outer' },
      errors: [conflict],
    });
    expect((await ask(inner, 'go', { session })).text).toBe('inner');
  });

  it('refuses it two runs deep, and takes one on another session', async () => {
    const outerSession: AgentSession = { sessionId: crypto.randomUUID(), state: {} };
    const middle = agentOf([[toolCall('a', 'back', {})], 'middle'], {
      tools: [tool('back', () => outer.run('again', { session: outerSession }))],
    });
    const outer: Agent = agentOf([[toolCall('a', 'down', {})], 'outer'], {
      tools: [
        tool('down', async () => {
          const { messages } = await middle.run('go', { session: middle.createSession() });
          return messages[1]?.contents[0];
        }),
      ],
    });
    const { messages, text } = await ask(outer, 'go', { session: outerSession });
    expect(text).toBe('outer');
    expect(messages[1]?.contents[0]).toMatchObject({
      result: { error: expect.stringContaining('session of its own') },
    });
  });

  it('takes a run that a tool has left behind, when its own run is over', async () => {
    let later: Promise<string> | undefined;
    const agent: Agent = agentOf([[toolCall('a', 'schedule', {})], 'scheduled', 'reminded'], {
      tools: [
        tool('schedule', () => {
          later = delay(30).then(async () => (await agent.run('now', { session })).text);
        }),
      ],
    });
    const session = agent.createSession();
    expect((await ask(agent, 'go', { session })).text).toBe('scheduled');
    expect(await later).toBe('reminded');
  });

  it('is free again after many runs gave up waiting for it', async () => {
    const agent = agentOf([() => delay(20, 'first'), 'last']);
    const session = agent.createSession();
    const first = ask(agent, 'one', { session });
    const impatient = Array.from({ length: 50 }, () =>
      ask(agent, 'wait', { session, signal: AbortSignal.timeout(5) }),
    );
    const outcomes = await Promise.allSettled(impatient);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    const last = ask(agent, 'two', { session });
    expect([(await first).text, (await last).text]).toEqual(['first', 'last']);
  });
});

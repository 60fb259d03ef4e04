import { Agent, type AgentSession, messageText } from '@minne/core';
import { startProcess } from '@minne/store-process';
import { type RedisServer, serverMissing, startRedis } from '@minne/test-servers';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { RedisHistoryProvider, type RedisHistoryProviderOptions } from '../src/index.js';
import { echoChatClient } from './processes/echo-chat-client.js';

describe.skipIf(serverMissing('redis') !== undefined)('RedisHistoryProvider', () => {
  let server: RedisServer;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis({ durable: true });
    redis = new Redis(server.url);
    // A test stops the server.
    redis.on('error', () => undefined);
  }, 60_000);
  afterAll(async () => {
    redis?.disconnect();
    await server?.remove();
  });
  beforeEach(async () => {
    await redis.flushall();
  });

  function open(options: Partial<RedisHistoryProviderOptions> = {}): RedisHistoryProvider {
    const provider = new RedisHistoryProvider({ url: server.url, ...options });
    onTestFinished(() => provider.close());
    return provider;
  }

  it('goes on with a session after a restart of the agent and of the server', async () => {
    const first = open({ maxMessages: 10 });
    const agent = agentWith(first);
    const session = agent.createSession({ sessionId: 'chat', actorId: 'kim' });
    expect((await agent.run('one', { session })).text).toBe('1 from one');
    expect((await agent.run('two', { session })).text).toBe('3 from one');
    const saved = JSON.stringify(agent.serializeSession(session));
    expect(saved).not.toContain(server.url);
    await first.close();
    await server.process.kill();
    await server.process.start();
    const later = agentWith(open({ maxMessages: 10 }));
    const resumed = later.deserializeSession(JSON.parse(saved));
    expect((await later.run('three', { session: resumed })).text).toBe('5 from one');
  }, 60_000);

  it('is shared by two processes, one after the other and at once', async () => {
    const script = new URL('processes/say.ts', import.meta.url);
    const say = async (text: string) => {
      const child = startProcess(script, server.url, 'chat', text);
      expect(await child.ended()).toEqual({ code: 0, complaint: '' });
      return child.lines();
    };
    expect(await say('one')).toEqual(['1 from one']);
    expect(await say('two')).toEqual(['3 from one']);
    await Promise.all([say('three'), say('four')]);
    const provider = open();
    const { messages } = await provider.getMessages(sessionOf('chat'));
    const texts = messages.map((message) => messageText(message));
    expect(texts.length).toBe(8);
    // Each turn is whole: what was said and, right after it, the answer.
    for (const said of ['one', 'two', 'three', 'four']) {
      expect(texts[texts.indexOf(said) + 1]).toMatch(/^\d from one$/);
    }
    const listed = await Array.fromAsync(provider.backend.list({ actorId: 'kim' }));
    expect(listed.map(({ key }) => key)).toEqual([
      { sessionId: 'chat', sourceId: 'redis', actorId: 'kim' },
    ]);
  }, 60_000);

  it('names itself redis unless told otherwise, and clears nothing of another source', async () => {
    const main = open();
    const audit = open({ sourceId: 'audit', loadMessages: false });
    expect([main.sourceId, audit.sourceId]).toEqual(['redis', 'audit']);
    const agent = agentWith(main, audit);
    const session = agent.createSession({ sessionId: 'chat' });
    await agent.run('one', { session });
    await audit.clear(session);
    expect((await audit.getMessages(session)).messages).toEqual([]);
    expect((await main.getMessages(session)).messages.length).toBe(2);
  });

  it('rejects an edit of messages that were changed meanwhile', async () => {
    const provider = open();
    const agent = agentWith(provider);
    const session = agent.createSession({ sessionId: 'chat' });
    await agent.run('one', { session });
    const { messages, version } = await provider.getMessages(session);
    await agent.run('two', { session });
    const edit = provider.setMessages(session, messages.slice(1), { version });
    await expect(edit).rejects.toMatchObject({ code: 'conflict', sessionId: 'chat' });
    expect((await provider.getMessages(session)).messages.length).toBe(4);
  });

  it('gives a run that cannot be stored to the caller all the same', async () => {
    const provider = open({ commandTimeout: 500 });
    const agent = agentWith(provider);
    const session = agent.createSession({ sessionId: 'chat' });
    await agent.run('one', { session });
    await redis.config('SET', 'maxmemory', '1');
    onTestFinished(() => redis.config('SET', 'maxmemory', '0').then(() => undefined));
    await expect(agent.run('two', { session })).rejects.toMatchObject({
      response: { text: '3 from one' },
    });
  });
});

function agentWith(...contextProviders: readonly RedisHistoryProvider[]): Agent {
  return new Agent({ chatClient: echoChatClient, contextProviders });
}

function sessionOf(sessionId: string): AgentSession {
  return { sessionId, state: {} };
}

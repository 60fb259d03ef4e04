import {
  Agent,
  type ChatClient,
  ConfigurationError,
  defineTool,
  HistoryProvider,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import { decideHistoryOwner } from '../src/run/history-owner.js';
import { MemoryBackend } from './memory-backend.js';
import { ScriptedChatClient } from './scripted-chat-client.js';

type Storage = ChatClient['historyStorage'];

interface Row {
  storage: Storage;
  byDefault?: boolean;
  run?: boolean;
  agent?: boolean;
  provider?: boolean;
  session?: 'none' | 'plain' | 'service';
  owner: 'service' | 'provider' | 'caller' | 'error';
}

const rows: Row[] = [
  { storage: 'none', owner: 'provider' },
  { storage: 'none', session: 'none', owner: 'caller' },
  { storage: 'none', session: 'none', provider: true, owner: 'provider' },
  { storage: 'none', provider: true, owner: 'provider' },
  { storage: 'none', run: true, owner: 'error' },
  { storage: 'none', agent: true, owner: 'error' },
  { storage: 'none', agent: true, run: false, owner: 'provider' },
  { storage: 'none', session: 'service', owner: 'error' },
  { storage: 'optional', owner: 'provider' },
  { storage: 'optional', byDefault: true, owner: 'service' },
  { storage: 'optional', byDefault: true, session: 'none', owner: 'service' },
  { storage: 'optional', byDefault: true, provider: true, owner: 'provider' },
  { storage: 'optional', byDefault: true, run: false, owner: 'provider' },
  { storage: 'optional', byDefault: true, agent: false, owner: 'provider' },
  { storage: 'optional', byDefault: true, agent: false, session: 'none', owner: 'caller' },
  { storage: 'optional', run: true, owner: 'service' },
  { storage: 'optional', run: true, provider: true, owner: 'service' },
  { storage: 'optional', agent: true, provider: true, owner: 'service' },
  { storage: 'optional', agent: true, run: false, provider: true, owner: 'provider' },
  { storage: 'optional', session: 'service', owner: 'service' },
  { storage: 'optional', session: 'service', run: false, owner: 'error' },
  { storage: 'optional', session: 'service', agent: false, owner: 'error' },
  { storage: 'optional', session: 'service', provider: true, owner: 'error' },
  { storage: 'optional', session: 'service', provider: true, run: true, owner: 'service' },
  { storage: 'required', owner: 'service' },
  { storage: 'required', session: 'none', owner: 'service' },
  { storage: 'required', run: false, owner: 'error' },
  { storage: 'required', session: 'service', owner: 'service' },
];

describe('decideHistoryOwner', () => {
  it.each(rows)('%o', ({ storage, byDefault, run, agent, provider, session = 'plain', owner }) => {
    const decide = () =>
      decideHistoryOwner({
        chatClient: new ScriptedChatClient([], {
          historyStorage: storage,
          storesByDefault: byDefault ?? false,
        }),
        runStore: run,
        agentStore: agent,
        loadingProvider: provider === true ? 'main' : undefined,
        session:
          session === 'none'
            ? undefined
            : {
                sessionId: 's',
                state: {},
                ...(session === 'service' ? { serviceSessionId: 'resp_1' } : {}),
              },
      });
    if (owner === 'error') expect(decide).toThrow(ConfigurationError);
    else expect(decide()).toBe(owner);
  });

  it('names both sides of a conflict', () => {
    const agent = new Agent({
      chatClient: new ScriptedChatClient([], { historyStorage: 'optional' }),
      contextProviders: [new HistoryProvider({ backend: new MemoryBackend(), sourceId: 'main' })],
    });
    const session = agent.getSession({ serviceSessionId: 'resp_9' });
    return expect(agent.run('hi', { session })).rejects.toThrow(/resp_9.*provider main/);
  });
});

describe('an agent', () => {
  const chatClient = new ScriptedChatClient([]);
  const provider = (sourceId: string, loadMessages = true) =>
    new HistoryProvider({ backend: new MemoryBackend(), sourceId, loadMessages });

  it('refuses two loading providers and two of the same source id when it is built', () => {
    expect(
      () => new Agent({ chatClient, contextProviders: [provider('a'), provider('b')] }),
    ).toThrow('a and b');
    expect(
      () => new Agent({ chatClient, contextProviders: [provider('a'), provider('a', false)] }),
    ).toThrow('sourceId "a"');
    expect(
      () => new Agent({ chatClient, contextProviders: [provider('a'), provider('b', false)] }),
    ).not.toThrow();
  });

  it('refuses names that are taken: by the session’s own history, by Minne, by another tool', () => {
    expect(
      () => new Agent({ chatClient, contextProviders: [provider('in_memory', false)] }),
    ).toThrow('sourceId in_memory');
    expect(
      () =>
        new Agent({ chatClient, contextProviders: [provider('a'), provider('in_memory', false)] }),
    ).not.toThrow();
    expect(() => new Agent({ chatClient, contextProviders: [provider('minne.service')] })).toThrow(
      'sourceId minne.service',
    );
    const tool = defineTool({
      name: 'look',
      description: 'Looks.',
      parameters: { type: 'object' },
      execute: () => 0,
    });
    expect(() => new Agent({ chatClient, tools: [tool, tool] })).toThrow('named look');
  });

  it('refuses a loading provider beside a service that always keeps the history', () => {
    const required = new ScriptedChatClient([], { historyStorage: 'required' });
    expect(() => new Agent({ chatClient: required, contextProviders: [provider('a')] })).toThrow(
      'always keeps it',
    );
  });

  it('lets the service keep the history: nothing is sent twice, the recording provider records', async () => {
    const client = new ScriptedChatClient(['a', 'b'], {
      historyStorage: 'optional',
      storesByDefault: true,
    });
    const audit = provider('audit', false);
    const agent = new Agent({ chatClient: client, contextProviders: [audit] });
    const session = agent.createSession();
    const first = await agent.run('one', { session });
    expect(first.historyOwner).toBe('service');
    await agent.run('two', { session });
    expect(client.calls[1]?.messages).toHaveLength(1);
    expect(client.calls[1]?.options).toMatchObject({
      store: true,
      serviceSessionId: 'response_1',
    });
    expect(session.serviceSessionId).toBe('response_2');
    expect(Object.keys(session.state)).toEqual(['audit']);
    expect((await audit.getMessages(session)).messages).toHaveLength(4);
  });
});

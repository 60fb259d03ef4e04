import { Agent } from '@minne/core';
import { describe, expect, it } from 'vitest';
import {
  createMem0PlatformClient,
  type Mem0Client,
  Mem0ContextProvider,
  type Mem0ContextProviderOptions,
} from '../src/index.js';
import { RecordingChatClient } from './support/recording-chat-client.js';

const client: Mem0Client = { add: async () => ({}), search: async () => ({ results: [] }) };

describe('the options', () => {
  it.each<[string, Partial<Mem0ContextProviderOptions>]>([
    ['limit', { limit: 0 }],
    ['limit', { limit: 1.5 }],
    ['limit', { limit: 101 }],
    ['threshold', { threshold: -0.1 }],
    ['threshold', { threshold: Number.NaN }],
    ['timeout', { timeout: 0 }],
    ['timeout', { timeout: 2 ** 31 }],
    ['timeout', { timeout: 0.5 }],
    ['timeout', JSON.parse('{"timeout":"500"}')],
    ['threshold', JSON.parse('{"threshold":"0.5"}')],
    ['storeInputs', JSON.parse('{"storeInputs":"false"}')],
    ['storeOutputs', JSON.parse('{"storeOutputs":0}')],
    ['infer', JSON.parse('{"infer":null}')],
    ['searchInput', JSON.parse('{"searchInput":"text"}')],
    ['contextPrompt', JSON.parse('{"contextPrompt":7}')],
    ['onError', JSON.parse('{"onError":"ignore"}')],
    ['client', JSON.parse('{"client":{}}')],
    ['client', JSON.parse('{"client":null}')],
    ['sourceId', { sourceId: '' }],
    ['storageScope', { storageScope: {} }],
    ['searchScope', { searchScope: {} }],
    ['searchScope', JSON.parse('{"searchScope":null}')],
    ['storageScope.tenantId', JSON.parse('{"storageScope":{"userId":"kim","tenantId":"shop"}}')],
    ['storageScope.userId', { storageScope: { userId: '' } }],
    ['storageScope.userId', { storageScope: { userId: '*' } }],
    ['searchScope.agentId', { searchScope: { agentId: 'a b' } }],
    ['searchScope.runId', JSON.parse('{"searchScope":{"runId":7}}')],
  ])('refuse a wrong %s: %j', (field, options) => {
    expect(() => new Mem0ContextProvider({ client, ...options })).toThrow(
      expect.objectContaining({ field, packageName: '@minne/context-mem0' }),
    );
  });

  it('refuse a function that makes no client, when it is first needed', async () => {
    const provider = new Mem0ContextProvider({ client: () => JSON.parse('{"add":1}') });
    const agent = new Agent({
      chatClient: new RecordingChatClient(),
      contextProviders: [provider],
    });
    const session = agent.createSession({ actorId: 'kim' });
    await expect(agent.run('One', { session })).rejects.toMatchObject({ field: 'client' });
  });

  it.each([
    ['undefined', undefined],
    ['a promise', Promise.resolve('text')],
  ])('refuse what searchInput gives when it is %s', async (_what, given) => {
    const options: Mem0ContextProviderOptions = { client };
    Object.assign(options, { searchInput: () => given });
    const agent = new Agent({
      chatClient: new RecordingChatClient(),
      contextProviders: [new Mem0ContextProvider(options)],
    });
    const session = agent.createSession({ actorId: 'kim' });
    await expect(agent.run('One', { session })).rejects.toMatchObject({ field: 'searchInput' });
  });

  it('take an option that is undefined as left out', () => {
    const options = JSON.parse('{}');
    for (const name of ['sourceId', 'limit', 'timeout', 'onError', 'storageScope'])
      options[name] = undefined;
    expect(new Mem0ContextProvider({ client, ...options }).sourceId).toBe('mem0');
  });

  it('need a key for the platform', async () => {
    await expect(createMem0PlatformClient({ apiKey: ' ' })).rejects.toMatchObject({
      field: 'apiKey',
    });
  });
});

import { Agent, defineTool, HistoryProvider, type UnfinishedRunPolicy } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryBackend } from './memory-backend.js';
import { type Reply, ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import { outline, ways } from './ways.js';

const work = defineTool({
  name: 'work',
  description: 'Works.',
  parameters: z.object({}),
  execute: () => 'done',
});

function setUp(replies: readonly Reply[], flags: object) {
  const provider = new HistoryProvider({ backend: new MemoryBackend(), ...flags });
  const chatClient = new ScriptedChatClient(replies);
  const agent = new Agent({ chatClient, contextProviders: [provider], tools: [work] });
  const session = agent.createSession();
  const stored = async () => outline((await provider.getMessages(session)).messages);
  return { agent, session, stored };
}

const offline = () => {
  throw new Error('offline');
};

const input = ['user: go'];
const done = [
  'user: go',
  'assistant: call a work({}) [incomplete]',
  'tool: result a "done" [incomplete]',
];

describe.each(ways)('what is left, by $way,', ({ ask }) => {
  it.each<[UnfinishedRunPolicy | undefined, readonly string[], readonly string[]]>([
    [undefined, [], done],
    ['partial', [], done],
    ['input', input, input],
    ['nothing', [], []],
  ])('of a run that failed, with onFailure %s', async (onFailure, early, late) => {
    const flags = onFailure === undefined ? {} : { onFailure };
    const first = setUp([offline], flags);
    await expect(ask(first.agent, 'go', { session: first.session })).rejects.toThrow('offline');
    expect(await first.stored()).toEqual(early);
    const second = setUp([[toolCall('a', 'work', {})], offline], flags);
    await expect(ask(second.agent, 'go', { session: second.session })).rejects.toThrow('offline');
    expect(await second.stored()).toEqual(late);
  });

  it.each<[UnfinishedRunPolicy | undefined, readonly string[], readonly string[]]>([
    [undefined, input, done],
    ['partial', input, done],
    ['input', input, input],
    ['nothing', [], []],
  ])('of a run that was aborted, with onAbort %s', async (onAbort, early, late) => {
    const flags = onAbort === undefined ? {} : { onAbort };
    const abortedBy = (controller: AbortController) => async () => {
      controller.abort(new Error('enough'));
      return 'too late';
    };
    const one = new AbortController();
    const first = setUp([abortedBy(one)], flags);
    await expect(
      ask(first.agent, 'go', { session: first.session, signal: one.signal }),
    ).rejects.toThrow('enough');
    expect(await first.stored()).toEqual(early);
    const two = new AbortController();
    const second = setUp([[toolCall('a', 'work', {})], abortedBy(two)], flags);
    await expect(
      ask(second.agent, 'go', { session: second.session, signal: two.signal }),
    ).rejects.toThrow('enough');
    expect(await second.stored()).toEqual(late);
  });
});

import {
  Agent,
  type ChatMessage,
  type ChatReducer,
  HistoryProvider,
  messageText,
  type ReduceOptions,
  SessionHistoryBackend,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryBackend } from './memory-backend.js';
import { conversation, restarted, say, work } from './reduced-conversation.js';
import { type Reply, ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import {
  budgetReducer,
  countingReducer,
  letterCounter,
  SummarisingReducer,
} from './small-reducers.js';
import { objection } from './strict-service.js';

/** Records what it is given and reduces nothing. */
function watching(
  seen: { messages: readonly ChatMessage[]; options: ReduceOptions }[],
): ChatReducer {
  return {
    specificationVersion: 'v1',
    id: 'watching',
    tokenCounter: letterCounter(),
    reduce: async (messages, options = {}) => {
      seen.push({ messages, options });
      return { messages, removed: [], reports: [], warnings: [] };
    },
  };
}

describe('a view of the history, beside all else that is sent,', () => {
  it('counts what is sent beside the history, and gives way as the run grows', async () => {
    const seen: { messages: readonly ChatMessage[]; options: ReduceOptions }[] = [];
    const { agent, session, script } = conversation({
      reducer: watching(seen),
      agent: { instructions: 'Be brief.', tools: [work] },
    });
    await agent.run('one', { session });
    expect(seen.splice(0).map(({ messages }) => messages)).toEqual([[]]);
    script.push([toolCall('a', 'work', {})], 'done');
    await agent.run('four', { session, instructions: 'Now.' });
    expect(seen.map(({ messages }) => messages.map(messageText))).toEqual([
      ['one', 're: one'],
      ['one', 're: one'],
    ]);
    const { name, description, parameters: schema } = work;
    const tool = JSON.stringify({ name, description, parameters: schema }).length + 10;
    const instructions = 'Be brief.\n\nNow.'.length + 10;
    const beforeCall = tool + instructions + 'four'.length + 10;
    expect(seen[0]?.options.fixedTokens).toBe(beforeCall);
    // A call and a result, a token each, in a message each.
    expect(seen[1]?.options.fixedTokens).toBe(beforeCall + 22);
  });

  it('takes more of the history away while a run with many tools grows', async () => {
    const { agent, session, script, chatClient, sent } = conversation({
      reducer: budgetReducer(400),
    });
    await say(agent, session, 1, 10);
    const calls = chatClient.calls.length;
    for (let round = 0; round < 8; round += 1) script.push([toolCall('a', 'work', {})]);
    script.push('done');
    await agent.run('go', { session });
    const requests = chatClient.calls.slice(calls).map(({ messages }) => messages);
    expect(requests.length).toBe(9);
    const earlier = requests.map((messages) => messages.findIndex((m) => messageText(m) === 'go'));
    expect(earlier).toEqual(earlier.toSorted((one, other) => other - one));
    expect(earlier[0]).toBeGreaterThan(8);
    expect(earlier.at(-1)).toBeLessThan(6);
    for (const request of requests) expect(objection(request)).toBeUndefined();
    // The next run goes on from there.
    await agent.run('next', { session: restarted(agent, session) });
    expect(sent()[0]).not.toBe('1');
  });

  it('counts injected context and the schema of the answer', async () => {
    const seen: { messages: readonly ChatMessage[]; options: ReduceOptions }[] = [];
    const provider = new HistoryProvider({ backend: new MemoryBackend(), reducer: watching(seen) });
    const agent = new Agent({
      chatClient: new ScriptedChatClient(['one', '{"n":1}']),
      contextProviders: [
        provider,
        {
          specificationVersion: 'v1',
          sourceId: 'notes',
          beforeRun: async () => ({
            instructions: 'Mind.',
            messages: [{ role: 'user', contents: 'tea' }],
          }),
        },
      ],
    });
    const session = agent.createSession();
    await agent.run('hello', { session });
    const output = z.object({ n: z.number() });
    await agent.run('count', { session, output });
    const beside = 'Mind.'.length + 10 + 'tea'.length + 10 + 'count'.length + 10;
    const rest = (seen.at(-1)?.options.fixedTokens ?? 0) - beside - 10;
    expect(rest).toBeGreaterThan('{"type":"json"}'.length);
    expect(rest).toBeLessThan(300);
  });

  it('says in the very first run that what is sent beside the history is too much', async () => {
    const tooMuch = { code: 'budget_unmet', message: 'The instructions alone are too long.' };
    const reducer: ChatReducer = {
      ...watching([]),
      reduce: async (messages, { fixedTokens = 0 } = {}) => ({
        messages,
        removed: [],
        reports: [],
        warnings: fixedTokens > 100 ? [tooMuch] : [],
      }),
    };
    const instructions = 'Be brief. '.repeat(20);
    const { agent, session, sent } = conversation({ reducer, agent: { instructions } });
    const { warnings } = await agent.run('1', { session });
    expect(sent()).toEqual(['1']);
    expect(warnings).toEqual([{ ...tooMuch, sourceId: 'history' }]);
  });

  it('asks a reducer that counts no tokens, or has failed, once in a run', async () => {
    let asked = 0;
    const reducer: ChatReducer = {
      specificationVersion: 'v1',
      id: 'failing',
      tokenCounter: letterCounter(),
      reduce: async () => {
        asked += 1;
        throw new Error('offline');
      },
    };
    const { agent, session, script } = conversation({ reducer });
    await say(agent, session, 1, 1);
    asked = 0;
    script.push([toolCall('a', 'work', {})], [toolCall('b', 'work', {})], 'done');
    const { warnings } = await agent.run('2', { session });
    expect(asked).toBe(1);
    expect(warnings.length).toBe(1);
  });

  it('takes nothing of a transcript that is sent again', async () => {
    const { agent, session, sent, provider } = conversation({
      reducer: new SummarisingReducer(3, 4),
    });
    const transcript: { id: string; role: 'user' | 'assistant'; contents: string }[] = [];
    for (let turn = 1; turn <= 6; turn += 1) {
      transcript.push({ id: `u${turn}`, role: 'user', contents: `${turn}` });
      const { messages } = await agent.run(transcript, { session });
      for (const { id, ...message } of messages) {
        transcript.push({ id, role: 'assistant', contents: messageText(message) });
      }
    }
    expect(sent()).toEqual([
      '<summary>1;re: 1;2;re: 2;3</summary>',
      're: 3',
      '4',
      're: 4',
      '5',
      're: 5',
      '6',
    ]);
    expect((await provider.getMessages(session)).messages.length).toBe(12);
  });

  it('answers a named run that is repeated from the store, although it is no longer sent', async () => {
    const { agent, session, chatClient } = conversation({ reducer: countingReducer(1) });
    const first = await agent.run('1', { session, operationId: 'op' });
    await say(agent, session, 2, 5);
    const calls = chatClient.calls.length;
    const again = await agent.run('1', { session, operationId: 'op' });
    expect(again.messages).toEqual(first.messages);
    expect(chatClient.calls.length).toBe(calls);
  });

  it('goes along with persistPerServiceCall, audit logs and damaged records', async () => {
    const backend = new MemoryBackend();
    const audit = new HistoryProvider({ backend, sourceId: 'audit', loadMessages: false });
    const provider = new HistoryProvider({ backend, reducer: countingReducer(4, 2) });
    const chatClient = new ScriptedChatClient(
      Array.from({ length: 5 }, () => [[toolCall('a', 'work', {})], 'done'] as Reply[]).flat(),
    );
    const agent = new Agent({
      chatClient,
      contextProviders: [provider, audit],
      tools: [work],
      persistPerServiceCall: true,
    });
    const session = agent.createSession({ sessionId: 's' });
    const key = { sessionId: 's', sourceId: 'history' };
    for (let turn = 1; turn <= 5; turn += 1) {
      if (turn === 4) {
        const { records, version } = await backend.load(key);
        const spoilt = records.map((record, i) => (i === 9 ? { ...record, payload: '{' } : record));
        await backend.replace(key, spoilt, { version });
      }
      const { warnings } = await agent.run(`${turn}`, { session });
      expect(warnings.map(({ code }) => code)).toEqual(turn >= 4 ? ['damaged_record'] : []);
    }
    for (const { messages } of chatClient.calls) {
      expect(objection(messages)).toBeUndefined();
      expect(messages.length).toBeLessThanOrEqual(9);
    }
    expect((await audit.getMessages(session)).messages.length).toBe(20);
    expect((await provider.getMessages(session)).messages.length).toBe(19);
  });

  it('leaves the history that the session itself holds whole', async () => {
    const provider = new HistoryProvider({
      backend: new SessionHistoryBackend(),
      reducer: countingReducer(2),
    });
    const chatClient = new ScriptedChatClient(['a', 'b', 'c', 'd']);
    const agent = new Agent({ chatClient, contextProviders: [provider] });
    let session = agent.createSession();
    for (const text of ['1', '2', '3', '4']) {
      await agent.run(text, { session });
      session = restarted(agent, session);
    }
    expect(chatClient.calls.at(-1)?.messages.map(messageText)).toEqual(['3', 'c', '4']);
    expect((await provider.getMessages(session)).messages.length).toBe(8);
  });

  it('has nothing to do when the service keeps the history', async () => {
    const reducer = new SummarisingReducer(1);
    const provider = new HistoryProvider({ backend: new MemoryBackend(), reducer });
    const agent = new Agent({
      chatClient: new ScriptedChatClient(['a', 'b', 'c'], { historyStorage: 'optional' }),
      contextProviders: [provider],
    });
    const session = agent.createSession();
    for (const text of ['1', '2', '3']) {
      const { reductions } = await agent.run(text, { session, store: true });
      expect(reductions).toEqual([]);
    }
    expect(reducer.written).toBe(0);
  });

  it('is refused for a provider that only records, and for what is no reducer', () => {
    const backend = new MemoryBackend();
    const refusedFlags: readonly [string, object][] = [
      ['only records', { reducer: countingReducer(1), loadMessages: false }],
      ['is no reducer', { reducer: {} }],
      [
        'reducerTrigger of history is "later"',
        { reducer: countingReducer(1), reducerTrigger: 'later' },
      ],
    ];
    for (const [problem, flags] of refusedFlags) {
      expect(() => new HistoryProvider({ backend, ...flags })).toThrow(problem);
    }
  });
});

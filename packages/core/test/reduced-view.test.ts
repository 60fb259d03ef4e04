import {
  Agent,
  type AgentOptions,
  type AgentSession,
  approvalResponse,
  type ChatMessage,
  type ChatReducer,
  defineTool,
  HistoryProvider,
  type HistoryProviderOptions,
  messageText,
  type ReduceOptions,
  SessionHistoryBackend,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryBackend } from './memory-backend.js';
import { type Reply, ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import {
  budgetReducer,
  clearingReducer,
  countingReducer,
  lawlessReducer,
  letterCounter,
  pipeline,
  SummarisingReducer,
} from './small-reducers.js';
import { objection } from './strict-service.js';
import { outline, ways } from './ways.js';

const parameters = z.object({});
const work = defineTool({
  name: 'work',
  description: 'Works.',
  parameters,
  execute: () => 'a long result',
});
const guarded = defineTool({
  name: 'guarded',
  description: 'Asks first.',
  parameters,
  requiresApproval: true,
  execute: () => 'allowed',
});

interface Given extends Omit<HistoryProviderOptions, 'backend'> {
  readonly reducer: ChatReducer;
  readonly backend?: MemoryBackend;
  readonly agent?: Partial<AgentOptions>;
}

/** An agent whose model answers every message with `re: …`, unless told otherwise. */
function conversation({ backend = new MemoryBackend(), agent: more = {}, ...flags }: Given) {
  const provider = new HistoryProvider({ ...flags, backend });
  const script: Reply[] = [];
  const echo: Reply = ({ messages }) => `re: ${messageText(messages.at(-1) ?? { contents: [] })}`;
  const chatClient = new ScriptedChatClient(
    Array.from({ length: 200 }, () => (call) => {
      const next = script.shift() ?? echo;
      return typeof next === 'function' ? next(call) : next;
    }),
  );
  const agent = new Agent({
    chatClient,
    contextProviders: [provider],
    tools: [work, guarded],
    ...more,
  });
  return {
    agent,
    backend,
    provider,
    chatClient,
    script,
    session: agent.createSession({ sessionId: 's' }),
    /** The texts of the newest request. */
    sent: () => chatClient.calls.at(-1)?.messages.map(messageText) ?? [],
  };
}

async function say(agent: Agent, session: AgentSession, from: number, to: number): Promise<void> {
  for (let turn = from; turn <= to; turn += 1) await agent.run(`${turn}`, { session });
}

function restarted(agent: Agent, session: AgentSession): AgentSession {
  return agent.deserializeSession(JSON.parse(JSON.stringify(agent.serializeSession(session))));
}

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

describe.each(ways)('a history that is reduced before it is sent, with $way', ({ ask }) => {
  it('sends the same beginning, message by message, until there is too much again', async () => {
    const { agent, chatClient, provider, session } = conversation({
      reducer: countingReducer(6, 10),
    });
    let current = session;
    for (let turn = 1; turn <= 40; turn += 1) {
      await ask(agent, `${turn}`, { session: current });
      // The cut is in the session, and goes where it goes.
      if (turn % 7 === 0) current = restarted(agent, current);
    }
    let moved = 0;
    for (const [index, { messages }] of chatClient.calls.entries()) {
      expect(messages.length).toBeLessThanOrEqual(17);
      const before = chatClient.calls[index - 1]?.messages ?? [];
      const same = before.every(
        (message, i) => JSON.stringify(messages[i]) === JSON.stringify(message),
      );
      if (!same) moved += 1;
    }
    // 12 of 18 go at a time.
    expect(moved).toBe(6);
    expect((await provider.getMessages(current)).messages.length).toBe(80);
  });

  it('pays for a summary once, also after a restart', async () => {
    const reducer = new SummarisingReducer(3, 4);
    const { agent, session, sent, provider, chatClient } = conversation({ reducer });
    await say(agent, session, 1, 4);
    expect(reducer.written).toBe(0);
    const response = await ask(agent, '5', { session });
    expect(response.reductions).toEqual([
      {
        reducer: 'test_summarising',
        reason: 'There were too many.',
        kept: 3,
        dropped: 0,
        summarised: 5,
      },
    ]);
    const summary = '<summary>1;re: 1;2;re: 2;3</summary>';
    expect(sent()).toEqual([summary, 're: 3', '4', 're: 4', '5']);
    const later = restarted(agent, session);
    await ask(agent, '6', { session: later });
    expect(sent()).toEqual([summary, 're: 3', '4', 're: 4', '5', 're: 5', '6']);
    expect(reducer.written).toBe(1);
    expect(chatClient.calls.at(-1)?.messages[0]).toMatchObject({
      role: 'user',
      metadata: { 'minne.summary': { count: 5 } },
    });
    // The earlier summary goes into the next.
    await say(agent, later, 7, 7);
    expect(reducer.written).toBe(2);
    expect(sent()[0]).toContain(`<summary>${summary};re: 3`);
    const { messages } = await provider.getMessages(later);
    expect(messages.map(messageText)).toContain('2');
    expect(messages.some(({ id }) => id.startsWith('summary'))).toBe(false);
  });

  it('keeps a tool call whole and its results cleared', async () => {
    const reducer = pipeline(clearingReducer(1), countingReducer(6, 2));
    const { agent, session, script, chatClient } = conversation({ reducer });
    for (let turn = 1; turn <= 6; turn += 1) {
      script.push([toolCall('a', 'work', {})], 'done');
      await ask(agent, `${turn}`, { session: restarted(agent, session) });
      await ask(agent, 'and?', { session });
    }
    for (const { messages } of chatClient.calls) expect(objection(messages)).toBeUndefined();
    const last = outline(chatClient.calls.at(-1)?.messages ?? []);
    const results = last.filter((line) => line.includes('result a'));
    expect(results).toEqual(['tool: result a "cleared"']);
  });

  it('never takes away a call that waits for approval, nor what followed it', async () => {
    const { agent, session, script, chatClient } = conversation({ reducer: countingReducer(1) });
    await say(agent, session, 1, 3);
    script.push([toolCall('a', 'guarded', {})]);
    const { approvalRequests } = await ask(agent, 'do it', { session });
    const [request] = approvalRequests;
    if (request === undefined) throw new Error('nothing waits');
    await ask(agent, [], { session });
    const response = await ask(agent, [approvalResponse(request, true)], {
      session: restarted(agent, session),
    });
    expect(response.text).toBe('re: ');
    expect(outline(chatClient.calls.at(-1)?.messages ?? [])).toEqual([
      'user: do it',
      'assistant: call a guarded({})',
      'tool: result a "allowed"',
    ]);
  });

  it('stops when the run is aborted, however deaf the reducer is', async () => {
    const reducer = new SummarisingReducer(1);
    const { agent, session } = conversation({ reducer });
    await say(agent, session, 1, 1);
    const controller = new AbortController();
    reducer.before = () => {
      controller.abort(new Error('enough'));
      return new Promise(() => {});
    };
    await expect(ask(agent, '2', { session, signal: controller.signal })).rejects.toThrow('enough');
  });
});

describe('a history that is reduced before it is sent', () => {
  it('is reduced anew by a process that has only the id of the session', async () => {
    const reducer = new SummarisingReducer(3, 4);
    const { agent, session, sent } = conversation({ reducer });
    await say(agent, session, 1, 5);
    await say(agent, agent.createSession({ sessionId: 's' }), 6, 6);
    expect(sent()).toEqual([
      '<summary>1;re: 1;2;re: 2;3;re: 3;4</summary>',
      're: 4',
      '5',
      're: 5',
      '6',
    ]);
    expect(reducer.written).toBe(2);
  });

  it('keeps its boundary and its summary when the limit hides older messages', async () => {
    const reducer = new SummarisingReducer(2, 2);
    const { agent, session, sent, backend } = conversation({ reducer, limit: 6 });
    await say(agent, session, 1, 3);
    const summary = '<summary>1;re: 1</summary>';
    expect(sent()).toEqual(['1', 're: 1', '2', 're: 2', '3']);
    await say(agent, session, 4, 4);
    expect(sent()[0]).toBe('<summary>1;re: 1;2;re: 2</summary>');
    expect(sent()).not.toContain(summary);
    // A client that reduces less: the boundary slides out of what is loaded.
    const other = conversation({
      reducer: { ...countingReducer(100), id: reducer.id },
      backend,
      limit: 3,
    });
    await say(other.agent, session, 5, 6);
    expect(other.sent()).toEqual([
      '<summary>1;re: 1;2;re: 2</summary>',
      're: 4',
      '5',
      're: 5',
      '6',
    ]);
    await other.provider.clear(other.agent.createSession({ sessionId: 's' }));
    await say(other.agent, session, 7, 7);
    expect(other.sent()).toEqual(['7']);
  });

  it('forgets what it was reduced to when the history is edited or cleared', async () => {
    const reducer = new SummarisingReducer(3, 4);
    const { agent, session, sent, provider } = conversation({ reducer });
    await say(agent, session, 1, 5);
    expect(session.state['history']).toHaveProperty('reduction.v', 1);
    const { messages, version } = await provider.getMessages(session);
    await provider.setMessages(session, messages.slice(-2), { version });
    expect(session.state['history']).not.toHaveProperty('reduction');
    await say(agent, session, 6, 6);
    expect(sent()).toEqual(['5', 're: 5', '6']);
    await say(agent, session, 7, 9);
    expect(session.state['history']).toHaveProperty('reduction');
    await agent.clearSession(session);
    expect(session.state['history']).not.toHaveProperty('reduction');
    await say(agent, session, 10, 10);
    expect(sent()).toEqual(['10']);
  });

  it.each(['clear', 'setMessages'] as const)(
    'forgets it when another process has used %s',
    async (edit) => {
      const reducer = new SummarisingReducer(3, 4);
      const { agent, session, sent, provider } = conversation({ reducer });
      await say(agent, session, 1, 5);
      const elsewhere = agent.createSession({ sessionId: 's' });
      if (edit === 'clear') await provider.clear(elsewhere);
      else {
        const { messages, version } = await provider.getMessages(elsewhere);
        await provider.setMessages(elsewhere, messages.slice(0, 2), { version });
      }
      await say(agent, session, 6, 6);
      expect(sent()).toEqual(edit === 'clear' ? ['6'] : ['1', 're: 1', '6']);
      expect(JSON.stringify(session.state)).not.toContain('summary');
    },
  );

  it('sends an edited message as it is edited, also one that was summarised', async () => {
    const reducer = new SummarisingReducer(3, 4);
    const { agent, session, sent } = conversation({ reducer, onConflict: 'replace' });
    await agent.run({ id: 'first', role: 'user', contents: 'tea' }, { session });
    await say(agent, session, 2, 5);
    expect(sent()[0]).toContain('tea');
    const edited = { id: 'first', role: 'user', contents: 'coffee' } as const;
    await agent.run([edited, '6'], { session });
    expect(sent()[0]).toContain('coffee');
    await say(agent, session, 7, 7);
    expect(sent()[0]).toContain('coffee');
    expect(sent().join()).not.toContain('<summary>tea');
  });

  it.each([
    ['one that somebody spoilt', { v: 1, reducer: 'test_summarising', through: 3 }, 1],
    ['one without a layout', 'none', 1],
    [
      'a message that is none',
      {
        v: 1,
        reducer: 'test_summarising',
        through: { sequence: 1, id: 'x' },
        kept: [],
        made: [{}],
      },
      1,
    ],
  ])('works it out again when the session holds %s', async (_, reduction, written) => {
    const reducer = new SummarisingReducer(3, 4);
    const { agent, session, sent } = conversation({ reducer });
    await say(agent, session, 1, 4);
    Object.assign(session.state['history'] ?? {}, { reduction });
    await say(agent, session, 5, 6);
    expect(sent().length).toBe(7);
    expect(reducer.written).toBe(written);
  });

  it('leaves alone what a newer version keeps, and says so', async () => {
    const reduction = { v: 2, more: true };
    const { agent, session, sent } = conversation({ reducer: countingReducer(2) });
    await say(agent, session, 1, 3);
    Object.assign(session.state['history'] ?? {}, { reduction });
    const { warnings } = await agent.run('4', { session });
    expect(warnings).toMatchObject([{ code: 'reduction_not_read', sourceId: 'history' }]);
    expect(sent()).toEqual(['3', 're: 3', '4']);
    expect(session.state['history']).toHaveProperty('reduction', reduction);
  });

  it('begins anew with a reducer of another kind', async () => {
    const first = conversation({ reducer: new SummarisingReducer(2) });
    await say(first.agent, first.session, 1, 4);
    const { backend, session } = first;
    const next = conversation({ reducer: countingReducer(4), backend });
    await say(next.agent, session, 5, 5);
    expect(next.sent()).toEqual(['3', 're: 3', '4', 're: 4', '5']);
  });

  it('goes on unreduced, with a warning, when the reducer fails', async () => {
    const reducer = new SummarisingReducer(3, 4);
    const told: string[] = [];
    const { agent, session, sent } = conversation({
      reducer,
      agent: { onDiagnostic: ({ code }) => told.push(code) },
    });
    await say(agent, session, 1, 4);
    reducer.before = () => {
      throw new Error('the summariser is offline');
    };
    const { warnings, text } = await agent.run('5', { session });
    expect(text).toBe('re: 5');
    expect(sent().length).toBe(9);
    expect(warnings).toMatchObject([{ code: 'reducer_failed', sourceId: 'history' }]);
    expect(warnings[0]?.message).toContain('the summariser is offline');
    expect(told).toEqual(['reducer_failed']);
    reducer.before = () => {};
    await agent.run('6', { session });
    expect(sent()[0]).toContain('<summary>1;');
  });

  const summary = (more: Partial<ChatMessage>): ChatMessage => ({
    id: 'x',
    role: 'user',
    contents: [{ type: 'text', text: 'All of it.' }],
    createdAt: '2026-05-01T10:00:00.000Z',
    metadata: { 'minne.summary': true },
    ...more,
  });
  it.each<[string, ChatReducer]>([
    ['out of order', lawlessReducer((messages) => messages.toReversed())],
    ['left nothing', lawlessReducer((messages) => messages.slice(0, 1))],
    ['took away the system message', lawlessReducer((messages) => messages.slice(1))],
    [
      'neither one it was given nor a summary',
      lawlessReducer((all) => [...all, summary({ metadata: {} })]),
    ],
    ['a summary is a user message', lawlessReducer((all) => [summary({ role: 'system' }), ...all])],
    ['a summary of nothing', lawlessReducer((all) => [summary({}), ...all])],
    ['has no contents', lawlessReducer(() => [Object.assign(summary({}), { contents: 3 })])],
    [
      'what it must leave alone',
      lawlessReducer((all) => all.map((message) => ({ ...message, role: 'user' }))),
    ],
    ['reading', lawlessReducer((all) => all, { messages: JSON.parse('null') })],
  ])('does not follow a reducer that breaks a law: %s', async (problem, reducer) => {
    const { agent, session, sent } = conversation({ reducer });
    await agent.run([{ role: 'system', contents: 'rules' }, '1'], { session });
    const { warnings } = await agent.run('2', { session });
    expect(warnings).toMatchObject([{ code: 'reducer_failed' }]);
    if (problem !== 'reading') expect(warnings[0]?.message).toContain(problem);
    expect(sent()).toEqual(['rules', '1', 're: 1', '2']);
  });

  it('keeps system messages where they are', async () => {
    const { agent, session, sent } = conversation({ reducer: new SummarisingReducer(2, 1) });
    await agent.run([{ role: 'system', contents: 'one' }, '1'], { session });
    await agent.run([{ role: 'developer', contents: 'two' }, '2'], { session });
    await say(agent, restarted(agent, session), 3, 4);
    expect(sent().filter((text) => ['one', 'two'].includes(text))).toEqual(['one', 'two']);
    expect(sent()[0]).toBe('one');
    expect(sent()).toContain('4');
  });

  it('counts what is sent beside the history, and gives way as the run grows', async () => {
    const seen: { messages: readonly ChatMessage[]; options: ReduceOptions }[] = [];
    const { agent, session, script } = conversation({
      reducer: watching(seen),
      agent: { instructions: 'Be brief.', tools: [work] },
    });
    await agent.run('one', { session });
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
    const rest = (seen[0]?.options.fixedTokens ?? 0) - beside - 10;
    expect(rest).toBeGreaterThan('{"type":"json"}'.length);
    expect(rest).toBeLessThan(300);
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

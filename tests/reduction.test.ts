import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '@minne/store-process';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  Agent,
  type AgentSession,
  approvalResponse,
  type ChatClient,
  type ChatMessage,
  type ChatMessageInit,
  defineTool,
  type HistoryFlags,
  HistoryProvider,
  messageText,
} from '../packages/core/src/index.js';
import { InMemoryHistoryProvider } from '../packages/history-inmemory/src/index.js';
import { SqliteHistoryProvider } from '../packages/history-sqlite/src/index.js';
import {
  MessageCountingReducer,
  SummarizingReducer,
  TokenBudgetReducer,
} from '../packages/reducers/src/index.js';

const counting = new MessageCountingReducer({ targetCount: 4, threshold: 4 });

/** A model that answers `re: …`, calls the tool that it is told to, and remembers what it was sent. */
function createModel() {
  const requests: (readonly ChatMessage[])[] = [];
  const answer = (messages: readonly ChatMessage[]): ChatMessageInit => {
    const last = messages.at(-1);
    const text = last === undefined ? '' : messageText(last);
    if (!text.startsWith('call ')) return { role: 'assistant', contents: `re: ${text}` };
    const call = { type: 'tool_call', callId: 'a', name: text.slice(5), arguments: '{}' } as const;
    return { role: 'assistant', contents: [call] };
  };
  const chatClient: ChatClient = {
    specificationVersion: 'v1',
    historyStorage: 'none',
    getResponse: async (messages) => {
      requests.push(messages);
      return { messages: [answer(messages)] };
    },
    async *getStreamingResponse(messages) {
      requests.push(messages);
      const { contents } = answer(messages);
      if (typeof contents === 'string') yield { contents: [{ type: 'text', text: contents }] };
    },
  };
  return { chatClient, requests, sent: () => requests.at(-1)?.map(messageText) ?? [] };
}

/** A model that writes summaries, as slow as `before` makes it. */
function createSummariser(before: () => Promise<void> = async () => {}) {
  let calls = 0;
  const chatClient: ChatClient = {
    specificationVersion: 'v1',
    historyStorage: 'none',
    getResponse: async () => {
      calls += 1;
      await before();
      return {
        messages: [{ role: 'assistant', contents: `summary ${calls}` }],
        finishReason: 'stop',
      };
    },
    getStreamingResponse: () => {
      throw new Error('Nobody streams here.');
    },
  };
  return { chatClient, calls: () => calls };
}

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'reduction-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'history.db');
}

const guarded = defineTool({
  name: 'guarded',
  description: 'Asks first.',
  parameters: { type: 'object', properties: {} },
  requiresApproval: true,
  execute: () => 'allowed',
});

function openAgent(path: string, flags: HistoryFlags) {
  const model = createModel();
  const provider = new SqliteHistoryProvider({ path, ...flags });
  onTestFinished(() => provider.close());
  const agent = new Agent({
    chatClient: model.chatClient,
    contextProviders: [provider],
    tools: [guarded],
  });
  return { ...model, agent, provider };
}

async function say(agent: Agent, session: AgentSession, from: number, to: number): Promise<void> {
  for (let turn = from; turn <= to; turn += 1) await agent.run(`${turn}`, { session });
}

/** Says something to the same session in another process. */
async function sayElsewhere(path: string, sessionId: string, text: string): Promise<void> {
  const script = new URL('support/say-in-another-process.ts', import.meta.url);
  const { code, complaint } = await startProcess(script, path, sessionId, text).ended();
  expect(code, complaint).toBe(0);
}

it('reduces what is sent of a file, keeps the cut over a restart, and loses nothing', async () => {
  const path = temporaryFile();
  const summariser = createSummariser();
  const reducer = new SummarizingReducer({
    chatClient: summariser.chatClient,
    targetCount: 4,
    threshold: 4,
  });
  const first = openAgent(path, { reducer });
  const session = first.agent.createSession({ sessionId: 's' });
  await say(first.agent, session, 1, 6);
  expect(summariser.calls()).toBe(1);
  const before = first.requests.at(-1) ?? [];
  const saved = JSON.parse(JSON.stringify(first.agent.serializeSession(session)));
  await first.provider.close();

  const later = openAgent(path, { reducer });
  const resumed = later.agent.deserializeSession(saved);
  for await (const event of later.agent.runStream('7', { session: resumed })) {
    if (event.type === 'finish') expect(event.response.text).toBe('re: 7');
  }
  expect(summariser.calls()).toBe(1);
  expect(later.requests[0]?.slice(0, before.length)).toEqual(before);
  expect(later.sent()[0]).toContain('summary 1');
  expect(later.requests[0]?.[0]?.role).toBe('user');
  expect(later.sent()).not.toContain('1');
  const { messages } = await later.provider.getMessages(resumed);
  expect(messages.length).toBe(14);
}, 30_000);

it('keeps a limit, a budget with tools in it, and a call that waits', async () => {
  const path = temporaryFile();
  const reducer = new TokenBudgetReducer({ targetTokens: 150 });
  const { agent, requests, sent } = openAgent(path, { reducer, limit: 50 });
  let session = agent.createSession({ sessionId: 's' });
  await say(agent, session, 100, 130);
  for (const request of requests) expect(request.length).toBeLessThan(25);
  const { approvalRequests } = await agent.run('call guarded', { session });
  const [request] = approvalRequests;
  if (request === undefined) throw new Error('nothing waits');
  session = agent.deserializeSession(agent.serializeSession(session));
  const { text } = await agent.run([approvalResponse(request, true)], { session });
  expect(text).toBe('re: ');
  expect(sent()).toContain('call guarded');
  expect(requests.at(-1)?.at(-1)?.contents).toMatchObject([
    { type: 'tool_result', callId: 'a', result: 'allowed' },
  ]);
}, 30_000);

it('keeps what another process says while a slow summary is written', async () => {
  const path = temporaryFile();
  const summariser = createSummariser(() => sayElsewhere(path, 's', 'meanwhile'));
  const reducer = new SummarizingReducer({
    chatClient: summariser.chatClient,
    targetCount: 3,
    threshold: 2,
  });
  const { agent, provider, sent } = openAgent(path, {
    sourceId: 'sqlite',
    reducer,
    reducerTrigger: 'afterMessageAdded',
  });
  const session = agent.createSession({ sessionId: 's' });
  await say(agent, session, 1, 2);
  const { warnings, reductions } = await agent.run('3', { session });
  expect(warnings).toEqual([]);
  expect(reductions).toMatchObject([{ reducer: 'summarizing', summarised: 4 }]);
  expect(summariser.calls()).toBe(1);
  const { messages } = await provider.getMessages(session);
  expect(messages.map(messageText).slice(1)).toEqual([
    '3',
    're: 3',
    'meanwhile',
    'heard meanwhile',
  ]);
  expect(messageText(messages[0] ?? { contents: [] })).toContain('summary 1');
  const { records } = await provider.backend.load({ sessionId: 's', sourceId: 'sqlite' });
  expect(records.map(({ sequence, kind }) => [sequence, kind])).toEqual([
    [4, 'summary'],
    [5, 'user'],
    [6, 'assistant'],
    [7, 'user'],
    [8, 'assistant'],
  ]);
  await agent.run('4', { session });
  expect(sent().slice(1)).toEqual(['3', 're: 3', 'meanwhile', 'heard meanwhile', '4']);
}, 60_000);

it('knows messages that are no longer in the file when a transcript is sent again', async () => {
  const path = temporaryFile();
  const reducer = new MessageCountingReducer({ targetCount: 2 });
  const { agent, provider, sent } = openAgent(path, {
    reducer,
    reducerTrigger: 'afterMessageAdded',
  });
  const session = agent.createSession({ sessionId: 's' });
  const transcript: ChatMessageInit[] = [];
  for (let turn = 1; turn <= 4; turn += 1) {
    transcript.push({ id: `u${turn}`, role: 'user', contents: `${turn}` });
    const { messages } = await agent.run(transcript, { session });
    transcript.push(...messages);
  }
  expect(sent()).toEqual(['3', 're: 3', '4']);
  const { messages } = await provider.getMessages(session);
  expect(messages.map(messageText)).toEqual(['4', 're: 4']);
}, 30_000);

describe.each([
  ['in the session', () => new InMemoryHistoryProvider({ reducer: counting })],
  [
    'in a file',
    () => new SqliteHistoryProvider({ path: temporaryFile(), sourceId: 'x', reducer: counting }),
  ],
])('a history %s', (_where, make) => {
  /** An agent with the same store, and a reducer of its own. */
  function beside(provider: HistoryProvider, flags: HistoryFlags) {
    const model = createModel();
    const other = new HistoryProvider({
      backend: provider.backend,
      sourceId: provider.sourceId,
      ...flags,
    });
    const agent = new Agent({ chatClient: model.chatClient, contextProviders: [other] });
    return { ...model, agent, provider: other };
  }

  function open() {
    const provider = make();
    onTestFinished(async () => await provider.backend.close?.());
    const model = createModel();
    const agent = new Agent({ chatClient: model.chatClient, contextProviders: [provider] });
    return { ...model, agent, provider, session: agent.createSession({ sessionId: 's' }) };
  }

  it('is shared by agents with reducers of several kinds, each with its own cut', async () => {
    const { agent, provider, session, sent } = open();
    const summariser = createSummariser();
    const other = beside(provider, {
      reducer: new SummarizingReducer({
        chatClient: summariser.chatClient,
        targetCount: 2,
        threshold: 20,
      }),
    });
    await say(agent, session, 1, 12);
    let resumed = session;
    for (const text of ['a', 'b', 'c', 'd']) {
      await other.agent.run(text, { session: resumed });
      await agent.run(`after ${text}`, { session: resumed });
      resumed = agent.deserializeSession(agent.serializeSession(resumed));
    }
    expect(summariser.calls()).toBe(1);
    expect(other.sent()[0]).toContain('summary 1');
    expect(sent().join()).not.toContain('summary');
    expect((await provider.getMessages(resumed)).messages.length).toBe(40);
  });

  it('sends the same streamed and not, and tells the same of it', async () => {
    const [streamed, whole] = [open(), open()];
    for (let turn = 1; turn <= 8; turn += 1) {
      const { reductions } = await whole.agent.run(`${turn}`, { session: whole.session });
      for await (const event of streamed.agent.runStream(`${turn}`, {
        session: streamed.session,
      })) {
        if (event.type === 'finish') expect(event.response.reductions).toEqual(reductions);
      }
    }
    const texts = (requests: readonly (readonly ChatMessage[])[]) =>
      requests.map((messages) => messages.map(messageText));
    expect(texts(streamed.requests)).toEqual(texts(whole.requests));
  });

  it('goes from one trigger to the other and back, with other numbers', async () => {
    const { agent, provider, session, sent } = open();
    await say(agent, session, 1, 6);
    const compacting = beside(provider, {
      reducer: new MessageCountingReducer({ targetCount: 4 }),
      reducerTrigger: 'afterMessageAdded',
    });
    await say(compacting.agent, session, 7, 7);
    const { messages } = await provider.getMessages(session);
    expect(messages.map(messageText)).toEqual(['6', 're: 6', '7', 're: 7']);
    await say(agent, session, 8, 8);
    expect(sent()).toEqual(['6', 're: 6', '7', 're: 7', '8']);
    await say(agent, session, 9, 12);
    expect(sent().length).toBeLessThanOrEqual(9);
    expect(sent().at(-1)).toBe('12');
  });

  it('keeps the originals in a provider that only records', async () => {
    const { provider, session } = open();
    const originals = new HistoryProvider({
      backend: provider.backend,
      sourceId: 'originals',
      loadMessages: false,
    });
    const reducer = new SummarizingReducer({
      chatClient: createSummariser().chatClient,
      targetCount: 2,
    });
    const agent = new Agent({
      chatClient: createModel().chatClient,
      contextProviders: [
        new HistoryProvider({
          backend: provider.backend,
          sourceId: provider.sourceId,
          reducer,
          reducerTrigger: 'afterMessageAdded',
        }),
        originals,
      ],
    });
    await say(agent, session, 1, 5);
    expect((await provider.getMessages(session)).messages.length).toBe(3);
    const { messages } = await originals.getMessages(session);
    expect(messages.map(messageText)).toEqual(
      [1, 2, 3, 4, 5].flatMap((turn) => [`${turn}`, `re: ${turn}`]),
    );
  });

  it('edits what was reduced, in one step with the run', async () => {
    const { provider, session } = open();
    const editing = beside(provider, {
      reducer: new MessageCountingReducer({ targetCount: 4 }),
      onConflict: 'replace',
    });
    await editing.agent.run({ id: 'u', role: 'user', contents: 'tea' }, { session });
    await say(editing.agent, session, 1, 4);
    await editing.agent.run([{ id: 'u', role: 'user', contents: 'coffee' }, 'so?'], { session });
    const { messages } = await provider.getMessages(session);
    expect(messages.map(messageText)).toEqual([
      'coffee',
      're: tea',
      ...[1, 2, 3, 4].flatMap((turn) => [`${turn}`, `re: ${turn}`]),
      'so?',
      're: so?',
    ]);
    await say(editing.agent, session, 5, 5);
    expect(editing.sent()).toEqual(['4', 're: 4', 'so?', 're: so?', '5']);
  });
});

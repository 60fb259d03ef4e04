import {
  Agent,
  approvalResponse,
  type HistoryBackend,
  HistoryProvider,
  messageText,
  SessionHistoryBackend,
  StoreError,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import { MemoryBackend } from './memory-backend.js';
import { conversation, say } from './reduced-conversation.js';
import { ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import {
  budgetReducer,
  clearingReducer,
  countingReducer,
  pipeline,
  SummarisingReducer,
} from './small-reducers.js';
import { objection } from './strict-service.js';
import { outline, ways } from './ways.js';

const key = { sessionId: 's', sourceId: 'history' };

/** A conversation that is compacted after it is stored. */
function compacted(given: Parameters<typeof conversation>[0]) {
  return conversation({ reducerTrigger: 'afterMessageAdded', ...given });
}

describe.each(ways)('a history that is compacted after it is stored, with $way', ({ ask }) => {
  it('holds the summary in the place of what it stands for', async () => {
    const reducer = new SummarisingReducer(2, 3);
    const { agent, backend, session, stored } = compacted({ reducer });
    await say(agent, session, 1, 2);
    const { reductions } = await ask(agent, '3', { session });
    expect(reductions).toEqual([
      {
        reducer: 'test_summarising',
        reason: 'There were too many.',
        kept: 2,
        dropped: 0,
        summarised: 4,
      },
    ]);
    expect(await stored()).toEqual(['<summary>1;re: 1;2;re: 2</summary>', '3', 're: 3']);
    const { records } = await backend.load(key);
    expect(records.map(({ sequence, kind }) => [sequence, kind])).toEqual([
      [4, 'summary'],
      [5, 'user'],
      [6, 'assistant'],
    ]);
    expect(records[0]?.group).toBe(records[0]?.id);
    expect(JSON.stringify(session.state)).not.toContain('summary');
    // Another process finds it all.
    await say(agent, agent.createSession({ sessionId: 's' }), 4, 4);
    const later = await ask(agent, '5', { session });
    expect(later.text).toBe('re: 5');
    expect(reducer.written).toBe(2);
    expect((await stored())[0]).toContain('<summary><summary>1;');
  });

  it('stores the answer before it makes anything smaller, and tells of it after both', async () => {
    const reducer = new SummarisingReducer(1);
    const { agent, backend, session, stored } = compacted({ reducer });
    reducer.before = async () => expect((await backend.load(key)).records.length).toBe(2);
    await ask(agent, '1', { session });
    expect(backend.calls).toEqual(['load', 'append', 'load', 'load', 'replace']);
    expect(await stored()).toEqual(['<summary>1</summary>', 're: 1']);
  });

  it('keeps a tool call whole, and clears its result for good', async () => {
    const reducer = pipeline(clearingReducer(1), countingReducer(5, 3));
    const { agent, chatClient, session, script, provider } = compacted({ reducer });
    for (let turn = 1; turn <= 5; turn += 1) {
      script.push([toolCall('a', 'work', {})], 'done');
      await ask(agent, `${turn}`, { session });
    }
    for (const { messages } of chatClient.calls) expect(objection(messages)).toBeUndefined();
    const { messages } = await provider.getMessages(session);
    expect(objection(messages)).toBeUndefined();
    const results = outline(messages).filter((line) => line.includes('result'));
    expect(new Set(results)).toEqual(new Set(['tool: result a "cleared"']));
  });

  it('never takes away a call that waits for approval', async () => {
    const { agent, session, script, stored, chatClient } = compacted({
      reducer: countingReducer(1),
    });
    await say(agent, session, 1, 2);
    script.push([toolCall('a', 'guarded', {})]);
    const { approvalRequests } = await ask(agent, 'do it', { session });
    const [request] = approvalRequests;
    if (request === undefined) throw new Error('nothing waits');
    expect(await stored()).toEqual(['do it', '']);
    await ask(agent, [approvalResponse(request, true)], { session });
    expect(outline(chatClient.calls.at(-1)?.messages ?? [])).toEqual([
      'user: do it',
      'assistant: call a guarded({})',
      'tool: result a "allowed"',
    ]);
    expect((await stored()).length).toBe(1);
  });
});

describe('a history that is compacted after it is stored', () => {
  it('keeps what another process appends while a summary is written, and pays for it once', async () => {
    const reducer = new SummarisingReducer(2, 3);
    const { agent, session, stored, provider } = compacted({ reducer });
    let appended = 0;
    const elsewhere = provider.backend;
    reducer.before = async () => {
      appended += 1;
      const payload = JSON.stringify({
        id: `other ${appended}`,
        role: 'user',
        contents: [{ type: 'text', text: `other ${appended}` }],
        createdAt: '2026-05-01T10:00:00.000Z',
      });
      await elsewhere.append(key, [
        { v: 1, id: `other ${appended}`, group: `other ${appended}`, kind: 'user', payload },
      ]);
    };
    await say(agent, session, 1, 3);
    expect(reducer.written).toBe(1);
    expect(await stored()).toEqual(['<summary>1;re: 1;2;re: 2</summary>', '3', 're: 3', 'other 1']);
  });

  it('reduces again when another process has changed what was summarised', async () => {
    const reducer = new SummarisingReducer(2, 3);
    const { agent, session, stored, provider } = compacted({ reducer });
    await say(agent, session, 1, 2);
    let first = true;
    reducer.before = async () => {
      if (!first) return;
      first = false;
      const { messages, version } = await provider.getMessages(session);
      await provider.setMessages(session, messages.slice(1), { version });
    };
    const { warnings } = await agent.run('3', { session });
    expect(warnings).toEqual([]);
    // What is left is few enough; the summary of what is no longer there is nowhere.
    expect(await stored()).toEqual(['re: 1', '2', 're: 2', '3', 're: 3']);
  });

  it('gives up, with a warning, when others always come first', async () => {
    const { agent, backend, session, stored } = compacted({ reducer: countingReducer(2) });
    let other = 0;
    backend.before = async (verb) => {
      if (verb !== 'replace') return;
      other += 1;
      const id = `other ${other}`;
      const payload = JSON.stringify({
        id,
        role: 'user',
        contents: [],
        createdAt: '2026-05-01T10:00:00.000Z',
      });
      await backend.append(key, [{ v: 1, id, group: id, kind: 'user', payload }]);
    };
    await say(agent, session, 1, 1);
    const { warnings, text, reductions } = await agent.run('2', { session });
    expect(text).toBe('re: 2');
    expect(warnings).toMatchObject([{ code: 'compaction_dropped', sourceId: 'history' }]);
    expect(reductions).toEqual([]);
    expect(other).toBe(4);
    expect(await stored()).toEqual(['1', 're: 1', '2', 're: 2', '', '', '', '']);
  });

  it.each([
    ['the reducer fails', 'reducer_failed'],
    ['the store fails', 'compaction_dropped'],
    ['a record is damaged', 'compaction_dropped'],
    ['the run is aborted meanwhile', 'compaction_dropped'],
  ])('is left as it is, and the run completes, when %s', async (fault, code) => {
    const reducer = new SummarisingReducer(2);
    const { agent, backend, session, stored } = compacted({ reducer });
    await say(agent, session, 1, 1);
    const controller = new AbortController();
    if (fault === 'a record is damaged') {
      const { records, version } = await backend.load(key);
      const spoilt = records.map((record, i) => (i === 0 ? { ...record, payload: '{' } : record));
      await backend.replace(key, spoilt, { version });
    }
    reducer.before = () => {
      if (fault === 'the reducer fails') throw new Error('the summariser is offline');
      if (fault !== 'the run is aborted meanwhile') return undefined;
      controller.abort();
      return new Promise(() => {});
    };
    backend.before = (verb) => {
      if (fault === 'the store fails' && verb === 'replace')
        throw new StoreError('The disk is full.');
    };
    const { warnings, text } = await agent.run('2', { session, signal: controller.signal });
    expect(text).toBe('re: 2');
    expect(warnings.map((warning) => warning.code)).toContain(code);
    expect((await stored()).slice(-2)).toEqual(['2', 're: 2']);
    expect((await backend.load(key)).records.length).toBe(4);
  });

  it('loses no record that was damaged while a summary was written', async () => {
    const reducer = new SummarisingReducer(2);
    const { agent, backend, session } = compacted({ reducer });
    await say(agent, session, 1, 1);
    reducer.before = () => {
      const state = backend.state(key);
      const history = Object.assign({ version: 0, pages: [[]] }, state['history']);
      const { version, pages } = history;
      state['history'] = { ...history, version: version + 1, pages: [...pages, ['spoilt']] };
    };
    const { warnings } = await agent.run('2', { session });
    expect(warnings).toMatchObject([{ code: 'compaction_dropped' }]);
    const { records, damaged } = await backend.load(key);
    expect([records.length, damaged.length]).toEqual([4, 1]);
  });

  it('changes nothing after a run that was repeated or was not completed', async () => {
    const reducer = new SummarisingReducer(2);
    const { agent, backend, session, script } = compacted({ reducer });
    await agent.run('1', { session, operationId: 'op' });
    const { text } = await agent.run('1', { session, operationId: 'op' });
    expect(text).toBe('re: 1');
    script.push([toolCall('a', 'work', {})], () => {
      throw new Error('offline');
    });
    await expect(agent.run('2', { session })).rejects.toThrow('offline');
    expect(backend.calls.filter((verb) => verb === 'replace')).toEqual([]);
    expect(reducer.written).toBe(0);
  });

  it('knows the ids of what is gone, and takes nothing of a transcript that is sent again', async () => {
    const reducer = pipeline(clearingReducer(1), new SummarisingReducer(3, 4));
    const { agent, chatClient, session, script, provider } = compacted({ reducer });
    const transcript: Parameters<Agent['run']>[0][] = [];
    for (let turn = 1; turn <= 6; turn += 1) {
      transcript.push({ id: `u${turn}`, role: 'user', contents: `${turn}` });
      script.push([toolCall('a', 'work', {})], `done ${turn}`);
      const { messages } = await agent.run(transcript.flat(), { session });
      transcript.push(...messages);
    }
    const { messages } = await provider.getMessages(session);
    const texts = messages.map(messageText);
    expect(texts.at(-1)).toBe('done 6');
    for (const { messages: sent } of chatClient.calls) {
      expect(objection(sent)).toBeUndefined();
      expect(sent.filter((message) => message.role === 'user').length).toBeLessThanOrEqual(4);
    }
    expect(texts.join().match(/done 1/g)?.length).toBe(1);
  });

  it('makes a recording provider smaller too, and leaves its neighbours alone', async () => {
    const backend = new MemoryBackend();
    const main = new HistoryProvider({ backend, sourceId: 'main' });
    const recent = new HistoryProvider({
      backend,
      sourceId: 'recent',
      loadMessages: false,
      reducer: countingReducer(2),
      reducerTrigger: 'afterMessageAdded',
    });
    const agent = new Agent({
      chatClient: new ScriptedChatClient(['a', 'b', 'c']),
      contextProviders: [recent, main],
      persistPerServiceCall: true,
    });
    const session = agent.createSession({ sessionId: 's' });
    await say(agent, session, 1, 3);
    const texts = async (provider: HistoryProvider) =>
      (await provider.getMessages(session)).messages.map(messageText);
    expect(await texts(recent)).toEqual(['3', 'c']);
    expect(await texts(main)).toEqual(['1', 'a', '2', 'b', '3', 'c']);
  });

  it('tells a reducer that counts tokens of the instructions and tools that come again', async () => {
    const told: (number | undefined)[] = [];
    const reducer = budgetReducer(1000);
    const { agent, session } = compacted({
      reducer: {
        ...reducer,
        reduce: (messages, options) => {
          told.push(options?.fixedTokens);
          return reducer.reduce(messages, options);
        },
      },
      agent: { instructions: 'x'.repeat(500), tools: [] },
    });
    await say(agent, session, 1, 1);
    expect(told).toEqual([510]);
  });

  it('works where the session itself holds the history', async () => {
    const provider = new HistoryProvider({
      backend: new SessionHistoryBackend(),
      reducer: new SummarisingReducer(2),
      reducerTrigger: 'afterMessageAdded',
    });
    const chatClient = new ScriptedChatClient(['a', 'b', 'c']);
    const agent = new Agent({ chatClient, contextProviders: [provider] });
    let session = agent.createSession();
    for (const text of ['1', '2', '3']) {
      await agent.run(text, { session });
      session = agent.deserializeSession(agent.serializeSession(session));
    }
    expect(chatClient.calls.at(-1)?.messages.map(messageText)).toEqual([
      '<summary>1;a</summary>',
      '2',
      'b',
      '3',
    ]);
  });

  it('needs a backend that can replace', () => {
    const backend: HistoryBackend = new MemoryBackend();
    const { append, load, clear } = backend;
    const simple: HistoryBackend = { specificationVersion: 'v1', append, load, clear };
    const options = { backend: simple, reducer: countingReducer(2) };
    expect(() => new HistoryProvider({ ...options, reducerTrigger: 'afterMessageAdded' })).toThrow(
      expect.objectContaining({ code: 'configuration', field: 'reducerTrigger' }),
    );
    expect(new HistoryProvider(options).backend).toBe(simple);
  });

  it.each(['afterMessageAdded', 'beforeMessagesRetrieval'] as const)(
    'is refused when it is said when to reduce (%s), and not how',
    (reducerTrigger) => {
      const backend = new MemoryBackend();
      expect(() => new HistoryProvider({ backend, reducerTrigger })).toThrow(
        expect.objectContaining({ code: 'configuration', field: 'reducer' }),
      );
    },
  );
});

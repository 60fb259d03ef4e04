import {
  Agent,
  type ContextProvider,
  defineTool,
  HistoryProvider,
  messageText,
  type RunOutcome,
  StoreError,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryBackend } from './memory-backend.js';
import { ScriptedChatClient, toolCall } from './scripted-chat-client.js';

const noting = defineTool({
  name: 'note',
  description: 'Notes.',
  parameters: z.object({}),
  execute: () => 'noted',
});

/** Injects a message and an instruction, and remembers how runs ended. */
function recalling(sourceId: string, text: string) {
  const outcomes: RunOutcome[] = [];
  const provider: ContextProvider = {
    specificationVersion: 'v1',
    sourceId,
    beforeRun: async () => ({
      instructions: `Mind ${sourceId}.`,
      messages: [{ role: 'user', contents: text }],
    }),
    afterRun: async (_context, outcome) => {
      outcomes.push(outcome);
    },
  };
  return { provider, outcomes };
}

async function texts(provider: HistoryProvider, sessionId: string): Promise<string[]> {
  const { messages } = await provider.getMessages({ sessionId, state: {} });
  return messages.map(messageText);
}

describe('HistoryProvider', () => {
  it('makes one load and one append of a run, however many tools it takes', async () => {
    const backend = new MemoryBackend();
    const provider = new HistoryProvider({ backend });
    const agent = new Agent({
      chatClient: new ScriptedChatClient([
        [toolCall('a', 'note', {})],
        [toolCall('b', 'note', {})],
        'done',
      ]),
      contextProviders: [provider],
      tools: [noting],
    });
    await agent.run('go', { session: agent.createSession({ sessionId: 's' }) });
    expect(backend.calls).toEqual(['load', 'append']);
    expect(await texts(provider, 's')).toEqual(['go', '', '', '', '', 'done']);
  });

  it('goes on with a session by its id alone', async () => {
    const backend = new MemoryBackend();
    const ask = async (text: string) => {
      const chatClient = new ScriptedChatClient(['ok']);
      const agent = new Agent({
        chatClient,
        contextProviders: [new HistoryProvider({ backend })],
      });
      await agent.run(text, { session: agent.createSession({ sessionId: 's' }) });
      return chatClient.calls[0]?.messages.map(messageText);
    };
    await ask('one');
    expect(await ask('two')).toEqual(['one', 'ok', 'two']);
  });

  it('sends history, then what providers inject, then the input, and stores no injection', async () => {
    const backend = new MemoryBackend();
    const history = new HistoryProvider({ backend });
    const { provider } = recalling('notes', 'Ann likes tea.');
    const chatClient = new ScriptedChatClient(['a', 'b']);
    const agent = new Agent({
      chatClient,
      instructions: 'Be brief.',
      contextProviders: [provider, history],
    });
    const session = agent.createSession({ sessionId: 's' });
    await agent.run('one', { session });
    await agent.run('two', { session });
    const call = chatClient.calls[1];
    expect(call?.messages.map(messageText)).toEqual(['one', 'a', 'Ann likes tea.', 'two']);
    expect(call?.messages[2]?.metadata).toEqual({ 'minne.source_id': 'notes' });
    expect(call?.options.instructions).toBe('Be brief.\n\nMind notes.');
    expect(await texts(history, 's')).toEqual(['one', 'a', 'two', 'b']);
  });

  it('records what its flags say, beside the provider that loads', async () => {
    const backend = new MemoryBackend();
    const inputs = new HistoryProvider({
      backend,
      sourceId: 'inputs',
      loadMessages: false,
      storeOutputs: false,
    });
    const context = new HistoryProvider({
      backend,
      sourceId: 'context',
      loadMessages: false,
      storeInputs: false,
      storeContextMessages: true,
      storeContextFrom: ['tea'],
    });
    const main = new HistoryProvider({ backend, sourceId: 'main' });
    const agent = new Agent({
      chatClient: new ScriptedChatClient(['answer']),
      contextProviders: [
        main,
        inputs,
        context,
        recalling('tea', 'tea').provider,
        recalling('coffee', 'coffee').provider,
      ],
    });
    await agent.run('question', { session: agent.createSession({ sessionId: 's' }) });
    expect(await texts(main, 's')).toEqual(['question', 'answer']);
    expect(await texts(inputs, 's')).toEqual(['question']);
    expect(await texts(context, 's')).toEqual(['tea', 'answer']);
    await inputs.clear({ sessionId: 's', state: {} });
    expect(await texts(inputs, 's')).toEqual([]);
    expect(await texts(main, 's')).toEqual(['question', 'answer']);
  });

  it('loads only the newest messages when told so', async () => {
    const backend = new MemoryBackend();
    const provider = new HistoryProvider({ backend, limit: 2 });
    const chatClient = new ScriptedChatClient(['a', 'b', 'c']);
    const agent = new Agent({ chatClient, contextProviders: [provider] });
    const session = agent.createSession({ sessionId: 's' });
    for (const text of ['1', '2', '3']) await agent.run(text, { session });
    expect(chatClient.calls[2]?.messages.map(messageText)).toEqual(['2', 'b', '3']);
    expect(await texts(provider, 's')).toHaveLength(6);
  });

  it('does not cost the caller the finished answer when the store fails', async () => {
    const backend = new MemoryBackend();
    backend.before = (verb) => {
      if (verb === 'append') throw new StoreError('The disk is full.');
    };
    const { provider, outcomes } = recalling('notes', 'x');
    const agent = new Agent({
      chatClient: new ScriptedChatClient(['precious']),
      contextProviders: [new HistoryProvider({ backend }), provider],
    });
    await expect(agent.run('go')).rejects.toMatchObject({
      code: 'after_run_failed',
      response: { text: 'precious' },
      errors: [{ code: 'store_failed' }],
      message: expect.stringContaining('The disk is full.'),
    });
    expect(outcomes.map(({ status }) => status)).toEqual(['completed']);
  });

  it('says so when what an unfinished run had done could not be stored either', async () => {
    const backend = new MemoryBackend();
    backend.before = (verb) => {
      if (verb === 'append') throw new StoreError('The disk is full.');
    };
    const agent = new Agent({
      chatClient: new ScriptedChatClient(['Hello there']),
      contextProviders: [new HistoryProvider({ backend })],
    });
    const leave = async () => {
      for await (const event of agent.runStream('go')) if (event.type === 'text-delta') break;
    };
    await expect(leave()).rejects.toMatchObject({
      code: 'unfinished_run_not_stored',
      message: expect.stringContaining('The disk is full.'),
      cause: { name: 'AbortError' },
    });
  });

  it('tells every provider that was reached, and only those, that the run failed', async () => {
    const first = recalling('first', 'x');
    const last = recalling('last', 'x');
    const failing: ContextProvider = {
      specificationVersion: 'v1',
      sourceId: 'failing',
      beforeRun: async () => {
        throw new Error('no index');
      },
    };
    const agent = new Agent({
      chatClient: new ScriptedChatClient([]),
      contextProviders: [first.provider, failing, last.provider],
    });
    await expect(agent.run('go')).rejects.toThrow('no index');
    expect(first.outcomes).toMatchObject([{ status: 'failed', error: { message: 'no index' } }]);
    expect(last.outcomes).toEqual([]);
  });

  it('warns of a damaged record and goes on with the others', async () => {
    const backend = new MemoryBackend();
    const key = { sessionId: 's', sourceId: 'history' };
    const good = {
      id: 'good',
      role: 'user',
      contents: [{ type: 'text', text: 'hi' }],
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    const record = (id: string, payload: string, v = 1) =>
      ({ v, id, group: id, kind: 'user', payload }) as const;
    await backend.append(key, [
      record('cut', '{"id":"cut","ro'),
      record('good', JSON.stringify(good)),
      record('later', JSON.stringify(good), 99),
    ]);
    const chatClient = new ScriptedChatClient(['ok']);
    const told: string[] = [];
    const agent = new Agent({
      chatClient,
      contextProviders: [new HistoryProvider({ backend })],
      onDiagnostic: ({ message }) => told.push(message),
    });
    const { warnings } = await agent.run('go', {
      session: agent.createSession({ sessionId: 's' }),
    });
    expect(warnings).toMatchObject([
      { code: 'damaged_record', sourceId: 'history', message: expect.stringContaining('not JSON') },
      { code: 'damaged_record', message: expect.stringContaining('layout 99') },
    ]);
    expect(told).toEqual(warnings.map(({ message }) => message));
    expect(chatClient.calls[0]?.messages.map(messageText)).toEqual(['hi', 'go']);
  });

  it('keeps content of a later version as it is, and sends none of it to a model', async () => {
    const backend = new MemoryBackend();
    const key = { sessionId: 's', sourceId: 'history' };
    const future = {
      id: 'm1',
      role: 'user',
      contents: [
        { type: 'hologram', beams: [1, null, { '\u0000': '\ud83e\udd16' }] },
        { type: 'text', text: 'hi', tone: 'warm' },
      ],
      createdAt: '2026-01-01T00:00:00.000Z',
      mood: 'fine',
    };
    const payload = JSON.stringify(future);
    await backend.append(key, [{ v: 1, id: 'm1', group: 'm1', kind: 'user', payload }]);
    const provider = new HistoryProvider({ backend });
    const chatClient = new ScriptedChatClient(['ok']);
    const agent = new Agent({ chatClient, contextProviders: [provider] });
    await agent.run('go', { session: agent.createSession({ sessionId: 's' }) });
    const { messages } = await provider.getMessages({ sessionId: 's', state: {} });
    expect(messages[0]).toEqual(future);
    expect(chatClient.calls[0]?.messages[0]?.contents).toEqual([future.contents[1]]);
  });

  it('replaces an edited message when told to', async () => {
    const backend = new MemoryBackend();
    const provider = new HistoryProvider({ backend, onConflict: 'replace' });
    const chatClient = new ScriptedChatClient(['a', 'b']);
    const agent = new Agent({ chatClient, contextProviders: [provider] });
    const session = agent.createSession({ sessionId: 's' });
    await agent.run({ id: 'u1', role: 'user', contents: 'helo' }, { session });
    await agent.run(
      [
        { id: 'u1', role: 'user', contents: 'hello' },
        { id: 'u2', role: 'user', contents: 'and?' },
      ],
      { session },
    );
    expect(await texts(provider, 's')).toEqual(['hello', 'a', 'and?', 'b']);
    expect(chatClient.calls[1]?.messages.map(messageText)).toEqual(['hello', 'a', 'and?']);
  });

  it('edits a history under the version that was read, and never over a newer one', async () => {
    const backend = new MemoryBackend();
    const provider = new HistoryProvider({ backend });
    const agent = new Agent({
      chatClient: new ScriptedChatClient(['a', 'b']),
      contextProviders: [provider],
    });
    const session = agent.createSession({ sessionId: 's' });
    await agent.run('one', { session });
    const { messages, version } = await provider.getMessages(session);
    await provider.setMessages(session, messages.slice(0, 1), { version });
    expect(await texts(provider, 's')).toEqual(['one']);
    await agent.run('two', { session });
    await expect(provider.setMessages(session, [], { version })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await texts(provider, 's')).toEqual(['one', 'two', 'b']);
  });
});

describe('persistPerServiceCall', () => {
  const setUp = (replies: ConstructorParameters<typeof ScriptedChatClient>[0]) => {
    const backend = new MemoryBackend();
    const provider = new HistoryProvider({ backend });
    const chatClient = new ScriptedChatClient(replies);
    const agent = new Agent({
      chatClient,
      contextProviders: [provider],
      tools: [noting],
      persistPerServiceCall: true,
    });
    return { backend, provider, agent, session: agent.createSession({ sessionId: 's' }) };
  };

  it('has stored what was done by the time the model is asked next', async () => {
    const seen: string[][] = [];
    const { provider, agent, session, backend } = setUp([
      async () => {
        seen.push(await texts(provider, 's'));
        return [{ type: 'text', text: 'wait' }, toolCall('a', 'note', {})];
      },
      async () => {
        seen.push(await texts(provider, 's'));
        return 'done';
      },
    ]);
    await agent.run('go', { session });
    expect(seen).toEqual([['go'], ['go', 'wait', '']]);
    expect(await texts(provider, 's')).toEqual(['go', 'wait', '', 'done']);
    expect(backend.calls.filter((verb) => verb === 'append')).toHaveLength(4);
  });

  it('keeps the input of a run that fails, and tries a failed write once more at the end', async () => {
    const failing = setUp([
      () => {
        throw new Error('offline');
      },
    ]);
    await expect(failing.agent.run('go', { session: failing.session })).rejects.toThrow('offline');
    expect(await texts(failing.provider, 's')).toEqual(['go']);

    const { backend, provider, agent, session } = setUp(['done']);
    let appends = 0;
    backend.before = (verb) => {
      if (verb === 'append' && ++appends === 2) throw new StoreError('Just now it is busy.');
    };
    const { warnings } = await agent.run('go', { session });
    expect(warnings).toMatchObject([{ code: 'store_failed' }]);
    expect(await texts(provider, 's')).toEqual(['go', 'done']);
  });

  it('asks no model when the input cannot be stored', async () => {
    const { backend, agent, session } = setUp([]);
    backend.before = (verb) => {
      if (verb === 'append') throw new StoreError('The disk is full.');
    };
    await expect(agent.run('go', { session })).rejects.toThrow('The disk is full.');
  });
});

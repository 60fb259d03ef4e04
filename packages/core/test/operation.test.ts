import {
  Agent,
  type ChatMessageInit,
  HistoryProvider,
  type MessageInput,
  SessionHistoryBackend,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import { MemoryBackend } from './memory-backend.js';
import { type Reply, ScriptedChatClient } from './scripted-chat-client.js';
import { SummarisingReducer } from './small-reducers.js';
import { outline, ways } from './ways.js';

function setUp(
  flags: Partial<ConstructorParameters<typeof HistoryProvider>[0]> = {},
  first: readonly Reply[] = [],
) {
  const chatClient = new ScriptedChatClient([...first, 'one', 'two', 'three', 'four']);
  const provider = new HistoryProvider({ backend: new MemoryBackend(), ...flags });
  const agent = new Agent({ chatClient, contextProviders: [provider] });
  const session = agent.createSession();
  const stored = async () => outline((await provider.getMessages(session)).messages);
  return { agent, chatClient, session, stored };
}

describe.each(ways)('a run with a name, by $way', ({ ask }) => {
  it('is made once when it is asked for several times at once', async () => {
    const { agent, session, chatClient, stored } = setUp();
    const options = { session, operationId: 'turn' };
    const responses = await Promise.all([1, 2, 3].map(() => ask(agent, 'hi', options)));
    expect(responses.map(({ text }) => text)).toEqual(['one', 'one', 'one']);
    expect(chatClient.calls).toHaveLength(1);
    expect(await stored()).toEqual(['user: hi', 'assistant: one']);
  });

  it('does not take other input under its name', async () => {
    const { agent, session, stored } = setUp();
    const options = { session, operationId: 'turn' };
    await ask(agent, 'hi', options);
    const other: readonly MessageInput[] = [
      'something else',
      ['hi', 'there'],
      { id: 'a', role: 'user', contents: 'something else' },
      [],
      { role: 'system', contents: 'hi' },
    ];
    for (const input of other) {
      await expect(ask(agent, input, options)).rejects.toMatchObject({
        code: 'conflict',
        field: 'operationId',
        message: expect.stringContaining('operationId "turn"'),
      });
    }
    expect(await stored()).toEqual(['user: hi', 'assistant: one']);
  });

  it('does not take other input under its name where edits may replace what is stored', async () => {
    const { agent, session, stored } = setUp({ onConflict: 'replace' });
    const options = { session, operationId: 'turn' };
    await ask(agent, ['hi', 'there'], options);
    for (const input of ['hi', ['hi', 'you']]) {
      await expect(ask(agent, input, options)).rejects.toMatchObject({ field: 'operationId' });
    }
    expect(await stored()).toEqual(['user: hi', 'user: there', 'assistant: one']);
  });

  it('stores nothing more when it only gives its answer again', async () => {
    const { agent, session, stored } = setUp();
    const options = { session, operationId: 'turn' };
    const input = (id: string): ChatMessageInit => ({ id, role: 'user', contents: 'hi' });
    await ask(agent, input('a'), options);
    // A front end may give another id to the same words.
    expect((await ask(agent, input('b'), options)).text).toBe('one');
    expect(await stored()).toEqual(['user: hi', 'assistant: one']);
  });

  it.each(['trimmed', 'reduced'])('is not made again when its answer was %s away', async (how) => {
    const { agent, session, chatClient, stored } = setUp(
      how === 'trimmed'
        ? { backend: new SessionHistoryBackend({ maxMessages: 2 }) }
        : { reducer: new SummarisingReducer(1), reducerTrigger: 'afterMessageAdded' },
    );
    await ask(agent, 'hi', { session, operationId: 'turn' });
    await ask(agent, 'and', { session });
    const before = await stored();
    await expect(ask(agent, 'hi', { session, operationId: 'turn' })).rejects.toMatchObject({
      code: 'conflict',
      field: 'operationId',
      message: expect.stringContaining('no longer stored'),
    });
    expect(chatClient.calls).toHaveLength(2);
    expect(await stored()).toEqual(before);
  });

  it('is made again after a failure, of which nothing but the input is left', async () => {
    const { agent, session, stored } = setUp({ onFailure: 'input' }, [
      () => {
        throw new Error('offline');
      },
    ]);
    const options = { session, operationId: 'turn' };
    await expect(ask(agent, 'hi', options)).rejects.toThrow('offline');
    expect((await ask(agent, 'hi', options)).text).toBe('one');
    expect(await stored()).toEqual(['user: hi', 'assistant: one']);
  });

  it('finds its answer beyond what the model is sent', async () => {
    const { agent, session, chatClient } = setUp({ limit: 2 });
    await ask(agent, 'hi', { session, operationId: 'turn' });
    await ask(agent, 'and', { session });
    await ask(agent, 'then', { session });
    expect((await ask(agent, 'hi', { session, operationId: 'turn' })).text).toBe('one');
    expect(chatClient.calls).toHaveLength(3);
    expect(outline(chatClient.calls[2]?.messages ?? [])).toEqual([
      'user: and',
      'assistant: two',
      'user: then',
    ]);
  });

  it.each(['a:b', '__proto__', 'ä'.repeat(100)])('may be called %.20s', async (operationId) => {
    const { agent, session, chatClient } = setUp();
    await ask(agent, 'hi', { session, operationId });
    expect((await ask(agent, 'hi', { session, operationId })).text).toBe('one');
    expect(chatClient.calls).toHaveLength(1);
  });

  it.each(['', '\ud800', 'a\u0000', 'x'.repeat(257)])('may not be called %.20j', async (name) => {
    const { agent, session, chatClient } = setUp();
    await expect(ask(agent, 'hi', { session, operationId: name })).rejects.toMatchObject({
      code: 'invalid_input',
      field: 'operationId',
    });
    expect(chatClient.calls).toEqual([]);
  });
});

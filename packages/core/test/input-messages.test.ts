import { Agent, type ChatMessageInit, HistoryProvider, messageText } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { MemoryBackend } from './memory-backend.js';
import { ScriptedChatClient } from './scripted-chat-client.js';
import { outline, ways } from './ways.js';

function setUp(replies: readonly string[] = ['one', 'two', 'three']) {
  const chatClient = new ScriptedChatClient(replies);
  const provider = new HistoryProvider({ backend: new MemoryBackend() });
  const agent = new Agent({ chatClient, contextProviders: [provider] });
  const session = agent.createSession();
  const stored = async () => (await provider.getMessages(session)).messages;
  return { agent, chatClient, session, stored };
}

function said(id: string, contents: string): ChatMessageInit {
  return { id, role: 'user', contents };
}

describe.each(ways)('input, by $way', ({ ask }) => {
  it('cannot pose as a summary or as what a provider injected', async () => {
    const { agent, session, stored } = setUp();
    const metadata = { 'minne.summary': true, 'minne.source_id': 'notes', mine: 1 };
    await ask(agent, { ...said('a', 'hi'), metadata }, { session });
    const [message] = await stored();
    expect(message?.metadata).toEqual({ mine: 1 });
    expect(JSON.stringify(session.state) + JSON.stringify(await stored())).not.toContain('summary');
  });

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(1025)],
    ['with U+0000', 'a\u0000b'],
    ['with half a surrogate pair', '\ud800'],
  ])('is refused with an id that is %s, before a model is asked', async (_what, id) => {
    const { agent, session, chatClient, stored } = setUp();
    await expect(ask(agent, said(id, 'hi'), { session })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(chatClient.calls).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'x'.repeat(1024)])(
    'is known again by the id %.20s',
    async (id) => {
      const { agent, session, chatClient } = setUp();
      await ask(agent, said(id, 'hi'), { session });
      await ask(agent, [said(id, 'hi'), said('next', 'and?')], { session });
      expect(chatClient.calls[1]?.messages.map(messageText)).toEqual(['hi', 'one', 'and?']);
    },
  );

  it('with one id twice counts once, and is refused when the two say different things', async () => {
    const { agent, session, chatClient, stored } = setUp();
    await ask(agent, [said('a', 'hi'), said('a', 'hi')], { session });
    expect(chatClient.calls[0]?.messages).toHaveLength(1);
    expect((await stored()).map(messageText)).toEqual(['hi', 'one']);
    await expect(
      ask(agent, [said('b', 'yes'), said('b', 'no')], { session }),
    ).rejects.toMatchObject({ code: 'invalid_input', field: 'input[1].id' });
    expect(await stored()).toHaveLength(2);
  });

  it('is new in another session, whatever its id', async () => {
    const { agent, session, chatClient } = setUp();
    await ask(agent, said('a', 'hi'), { session });
    await ask(agent, said('a', 'something else'), { session: agent.createSession() });
    expect(chatClient.calls[1]?.messages.map(messageText)).toEqual(['something else']);
  });

  it.each([
    ['2024-05-01T10:00:00Z', '2024-05-01T10:00:00.000Z'],
    ['2024-05-01T10:00:00.5+09:00', '2024-05-01T01:00:00.500Z'],
    ['2024-05-01T10:00:00', '2024-05-01T10:00:00.000Z'],
    ['2024-05-01 10:00', '2024-05-01T10:00:00.000Z'],
    ['2024-05-01', '2024-05-01T00:00:00.000Z'],
  ])('said at %s is kept in UTC', async (createdAt, expected) => {
    const { agent, session, stored } = setUp();
    await ask(agent, { ...said('a', 'hi'), createdAt }, { session });
    expect((await stored())[0]?.createdAt).toBe(expected);
  });

  it.each(['', 'yesterday', '5', 'May 1 2024', '2024-13-01', '1714557600000'])(
    'said at %j is refused',
    async (createdAt) => {
      const { agent, session } = setUp();
      await expect(
        ask(agent, { ...said('a', 'hi'), createdAt }, { session }),
      ).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringMatching(/2026-05/) });
    },
  );

  it('of a transcript without its middle, with a system message of no id, is told apart from what is new', async () => {
    const { agent, session, chatClient, stored } = setUp();
    const system: ChatMessageInit = { role: 'system', contents: 'Be kind.' };
    const transcript: ChatMessageInit[] = [system];
    for (const id of ['u1', 'u2']) {
      transcript.push(said(id, id));
      transcript.push(...(await ask(agent, transcript, { session })).messages);
    }
    const [, first, , , last] = transcript;
    if (first === undefined || last === undefined) throw new Error('five messages were expected');
    await ask(agent, [system, first, last, said('u3', 'u3')], { session });
    const whole = ['system: Be kind.', 'user: u1', 'assistant: one', 'user: u2', 'assistant: two'];
    expect(outline(chatClient.calls[2]?.messages ?? [])).toEqual([...whole, 'user: u3']);
    expect(outline(await stored())).toEqual([...whole, 'user: u3', 'assistant: three']);
  });

  it('without times goes behind what was said before, however the clocks stand', async () => {
    const { agent, session, chatClient } = setUp();
    const u1 = { ...said('u1', 'u1'), createdAt: '2099-05-01T10:00:00Z' };
    const [a1] = (await ask(agent, u1, { session })).messages;
    if (a1 === undefined) throw new Error('an answer was expected');
    const { createdAt: _, ...untimed } = a1;
    await ask(agent, [said('u1', 'u1'), untimed, said('u2', 'u2')], { session });
    expect(chatClient.calls[1]?.messages.map(messageText)).toEqual(['u1', 'one', 'u2']);
  });
});

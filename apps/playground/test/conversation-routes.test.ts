import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatClient, ChatClientError, messageText, uuidv7 } from '@minne/core';
import { afterEach, describe, expect, it } from 'vitest';
import { DemonstrationChatClient } from '../src/demonstration-model/demonstration-chat-client.js';
import { startPlayground } from './support/running-playground.js';

type Server = Awaited<ReturnType<typeof startPlayground>>;

const textOf = (events: Record<string, unknown>[]) =>
  events.map((event) => (event['type'] === 'text-delta' ? event['delta'] : '')).join('');

describe('conversations over HTTP', () => {
  let server: Server;
  const start = async (chatClient?: ChatClient) => {
    server = await startPlayground(chatClient);
  };
  afterEach(() => server.stop());

  it('remember from one session to the next', async () => {
    await start();
    const first = await server.newSession();
    const events = await server.say(first, 'I prefer aisle seats');
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['tool-call-end', 'tool-result', 'text-delta', 'finish']),
    );
    const second = await server.newSession();
    expect(second).not.toBe(first);
    expect(textOf(await server.say(second, 'What seat do I like?'))).toContain('aisle seats');

    const messages = await server.messages(first);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    const { json } = await server.ask(
      '/api/2.0/agents/memory-stores/playground/entries?actor_id=you',
    );
    expect(json['managed_memory_entries']).toEqual([
      expect.objectContaining({ path: '/preferences/seat', content: 'I prefer aisle seats.' }),
    ]);
  });

  it('tell the model what was said before', async () => {
    await start();
    const id = await server.newSession();
    await server.say(id, 'Hello there');
    expect(textOf(await server.say(id, 'What did I say?'))).toContain('“Hello there”');
  });

  it('are listed by their first words, the last used first', async () => {
    await start();
    expect((await server.ask('/playground/sessions')).json).toEqual({ sessions: [] });
    const ids = [await server.newSession(), await server.newSession()] as const;
    await server.say(ids[0], 'Hello   from\nthe first');
    await server.say(ids[1], `A long one: ${'word '.repeat(100)}`);
    await server.say(ids[0], 'and again');
    const { sessions } = (await server.ask('/playground/sessions')).json;
    expect(sessions).toEqual([
      { session_id: ids[0], title: 'Hello from the first', update_time: expect.any(String) },
      expect.objectContaining({ session_id: ids[1], title: expect.stringMatching(/^A long.*…$/) }),
    ]);
  });

  it('are listed page by page, each once', async () => {
    await start();
    const ids = new Set<string>();
    for (let made = 0; made < 65; made += 1) {
      const id = await server.newSession();
      await server.say(id, `Talk ${made}`);
      ids.add(id);
    }
    const seen: string[] = [];
    let token: unknown;
    do {
      const query = token === undefined ? '' : `?page_token=${encodeURIComponent(String(token))}`;
      const { json } = await server.ask(`/playground/sessions${query}`);
      const sessions = json['sessions'] as { session_id: string }[];
      expect(sessions.length).toBeLessThanOrEqual(30);
      seen.push(...sessions.map(({ session_id }) => session_id));
      token = json['next_page_token'];
    } while (token !== undefined);
    expect(seen).toEqual([...ids].reverse());
  });

  it('give their messages page by page, the newest first', async () => {
    await start();
    const id = await server.newSession();
    for (let turn = 0; turn < 70; turn += 1) await server.say(id, `Turn ${turn}`);
    const path = `/playground/sessions/${id}/messages`;
    const newest = (await server.ask(path)).json;
    const earlier = (await server.ask(`${path}?before=${newest['before']}`)).json;
    const texts = [earlier, newest]
      .flatMap(
        (page) =>
          page['messages'] as { role: string; contents: { type: 'text'; text: string }[] }[],
      )
      .flatMap((message) => (message.role === 'user' ? [messageText(message)] : []));
    expect(texts).toEqual(Array.from({ length: 70 }, (_, turn) => `Turn ${turn}`));
    expect(earlier).not.toHaveProperty('before');
  });

  it.each(['x', '..', 'a/b', '%00', '01981A00-0000-7000-8000-000000000000', '1'.repeat(300)])(
    'have no session called %j',
    async (id) => {
      await start();
      const path = `/playground/sessions/${encodeURIComponent(id)}/messages`;
      expect([400, 404]).toContain((await server.ask(path)).status);
      expect([400, 404]).toContain((await server.ask(path, { body: { text: 'hi' } })).status);
      expect((await server.ask('/playground/sessions')).json).toEqual({ sessions: [] });
    },
  );

  it.each([{}, { text: '' }, { text: ' \n' }, { text: 5 }, { text: 'a\0b' }, { text: '\ud800' }])(
    'refuse the message %j and store nothing',
    async (body) => {
      await start();
      const id = await server.newSession();
      const { status, json } = await server.ask(`/playground/sessions/${id}/messages`, { body });
      expect([status, json['error_code']]).toEqual([400, 'INVALID_PARAMETER_VALUE']);
      expect(await server.messages(id)).toEqual([]);
    },
  );

  it('take the actor from nowhere but the program', async () => {
    await start();
    const id = await server.newSession();
    await server.ask(`/playground/sessions/${id}/messages?actor_id=eve`, {
      body: { text: 'I prefer aisle seats', actor_id: 'eve', actorId: 'eve', role: 'system' },
    });
    const entries = '/api/2.0/agents/memory-stores/playground/entries?actor_id=';
    expect((await server.ask(`${entries}eve`)).json['managed_memory_entries'] ?? []).toEqual([]);
    expect((await server.ask(`${entries}you`)).json['managed_memory_entries']).toHaveLength(1);
    expect((await server.messages(id))[0]?.role).toBe('user');
  });

  it('let two tabs write to one session, one after the other', async () => {
    await start(new DemonstrationChatClient({ wordDelay: 1 }));
    const id = await server.newSession();
    const answers = await Promise.all([
      server.say(id, 'I prefer aisle seats'),
      server.say(id, 'My name is Ada'),
    ]);
    for (const events of answers) expect(events.at(-1)?.['type']).toBe('finish');
    const messages = await server.messages(id);
    const turn = ['user', 'assistant', 'tool', 'assistant'];
    expect(messages.map(({ role }) => role)).toEqual([...turn, ...turn]);
  });

  it('keep what there is of an answer when its reader leaves', async () => {
    await start(new DemonstrationChatClient({ wordDelay: 20 }));
    const id = await server.newSession();
    const leaving = new AbortController();
    const { body } = await server.stream(id, 'Hello', leaving.signal);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes('text-delta')) seen += (await reader?.read())?.value ?? '';
    leaving.abort();

    await expect.poll(() => server.messages(id)).toHaveLength(2);
    const [question, answer] = await server.messages(id);
    expect(question && messageText(question)).toBe('Hello');
    expect(answer).toMatchObject({ role: 'assistant', status: 'incomplete' });
    expect(answer && messageText(answer)).toMatch(/^Hello! /);
    expect(textOf(await server.say(id, 'What did I say?'))).toContain('“Hello”');
    expect(server.reported).toEqual([]);
  });

  it('can be stopped by a request, and end with what there is', async () => {
    await start(new DemonstrationChatClient({ wordDelay: 20 }));
    const [id, other] = [await server.newSession(), await server.newSession()];
    const [answer, untouched] = [server.say(id, 'Hello'), server.say(other, 'Hello')];
    await expect.poll(() => server.messages(id)).toHaveLength(1);
    await sleep(100);
    await server.ask(`/playground/sessions/${id}/stop`, { body: {} });
    expect((await answer).at(-1)).toEqual({ type: 'error', message: 'The answer was stopped.' });
    expect((await server.messages(id)).at(-1)).toMatchObject({ status: 'incomplete' });
    expect((await untouched).at(-1)?.['type']).toBe('finish');
  });

  it('say in a sentence why a model failed, and keep what was written', async () => {
    const refusal = new ChatClientError('The service did not accept the API key (401).', {
      field: 'apiKey',
      status: 401,
    });
    await start(failingClient(refusal));
    const id = await server.newSession();
    const events = await server.say(id, 'I prefer aisle seats');
    expect(events.at(-1)).toEqual({
      type: 'error',
      message: expect.stringMatching(/did not accept the API key.* OPENAI_API_KEY\.$/),
    });
    expect((await server.messages(id)).map(messageText)).toEqual(['I prefer aisle seats']);
    expect(server.reported).toEqual([]);
  });

  it('tell the terminal, and not the page, of a fault of the program', async () => {
    const fault = new TypeError('secret of the inside');
    await start(failingClient(fault));
    const id = await server.newSession();
    const last = (await server.say(id, 'Hello')).at(-1);
    expect(last).toMatchObject({ type: 'error', message: expect.stringContaining('terminal') });
    expect(JSON.stringify(last)).not.toContain('secret');
    expect(server.reported).toEqual([fault]);
  });

  it('know nothing of a session that was never written to', async () => {
    await start();
    expect(await server.messages(uuidv7())).toEqual([]);
  });
});

function failingClient(error: Error): ChatClient {
  return {
    specificationVersion: 'v1',
    historyStorage: 'none',
    getResponse: () => Promise.reject(error),
    // biome-ignore lint/correctness/useYield: it fails before there is anything to give
    async *getStreamingResponse() {
      throw error;
    },
  };
}

import { type AgentSession, createMessage, messageText, systemClock, uuidv7 } from '@minne/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteHistoryProvider, type SqliteHistoryProviderOptions } from '../src/index.js';
import { temporaryStore } from './temporary-store.js';

const session: AgentSession = { sessionId: 's', actorId: 'kim', state: {} };

describe('SqliteHistoryProvider', () => {
  it('finds the messages of a session again in another process', async () => {
    const { provider, options } = open();
    await say(provider, 'one', 'two');
    await provider.close();
    const later = new SqliteHistoryProvider(options);
    onTestFinished(() => later.close());
    const { messages, version } = await later.getMessages(session);
    expect(messages.map((message) => messageText(message))).toEqual(['one', 'two']);
    await later.setMessages(session, messages.slice(1), { version });
    const edited = await later.getMessages(session);
    expect(edited.messages).toEqual(messages.slice(1));
  });

  it('leaves nothing of the messages in the session', async () => {
    const { provider } = open();
    await say(provider, 'one');
    expect(JSON.stringify(session)).not.toContain('one');
  });

  it('names itself sqlite unless told otherwise, and takes the options of the backend', async () => {
    const { provider, options } = open({ maxMessages: 1 });
    const audit = new SqliteHistoryProvider({ ...options, sourceId: 'audit', loadMessages: false });
    onTestFinished(() => audit.close());
    expect([provider.sourceId, audit.sourceId]).toEqual(['sqlite', 'audit']);
    expect([provider.loadMessages, audit.loadMessages]).toEqual([true, false]);
    await say(provider, 'one', 'two');
    expect((await provider.getMessages(session)).messages.length).toBe(1);
    expect((await audit.getMessages(session)).messages).toEqual([]);
    expect(await provider.backend.eraseActor('kim')).toBe(1);
    expect((await provider.getMessages(session)).messages).toEqual([]);
  });
});

async function say(provider: SqliteHistoryProvider, ...texts: readonly string[]): Promise<void> {
  const { messages, version } = await provider.getMessages(session);
  const added = texts.map((contents) =>
    createMessage({ role: 'user', contents }, uuidv7, systemClock),
  );
  await provider.setMessages(session, [...messages, ...added], { version });
}

function open(given: Omit<SqliteHistoryProviderOptions, 'path' | 'database'> = {}): {
  provider: SqliteHistoryProvider;
  options: SqliteHistoryProviderOptions;
} {
  const { path, remove } = temporaryStore();
  onTestFinished(remove);
  const options = { path, ...given };
  const provider = new SqliteHistoryProvider(options);
  onTestFinished(() => provider.close());
  return { provider, options };
}

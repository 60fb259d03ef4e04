import { type AgentSession, createMessage, messageText, systemClock, uuidv7 } from '@minne/core';
import { type PostgresServer, serverMissing, startPostgres } from '@minne/test-servers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PostgresHistoryProvider, type PostgresHistoryProviderOptions } from '../src/index.js';
import { newSchema } from './test-database.js';

const session: AgentSession = { sessionId: 's', actorId: 'kim', state: {} };
const missing = serverMissing('postgres');

describe.skipIf(missing !== undefined)(`PostgresHistoryProvider ${missing ?? ''}`, () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off' } });
  }, 60_000);

  afterAll(() => server.remove());

  function open(options: Partial<PostgresHistoryProviderOptions> = {}): PostgresHistoryProvider {
    const given = { schema: newSchema(), ...options, connectionString: server.url };
    // The rest of the options is the same for either kind of connection.
    const provider = new PostgresHistoryProvider(given as PostgresHistoryProviderOptions);
    onTestFinished(() => provider.close());
    return provider;
  }

  it('finds the messages of a session again, and lets them be edited', async () => {
    const schema = newSchema();
    const provider = open({ schema });
    await say(provider, 'one', 'two');
    await provider.close();
    const later = open({ schema });
    const { messages, version } = await later.getMessages(session);
    expect(messages.map((message) => messageText(message))).toEqual(['one', 'two']);
    await later.setMessages(session, messages.slice(1), { version });
    expect((await later.getMessages(session)).messages).toEqual(messages.slice(1));
    await later.clear(session);
    expect((await later.getMessages(session)).messages).toEqual([]);
  });

  it('leaves nothing of the messages, nor of the connection, in the session', async () => {
    await say(open(), 'one');
    expect(JSON.stringify(session)).not.toMatch(/one|127\.0\.0\.1|secret/);
  });

  it('names itself postgres unless told otherwise, and takes the options of the backend', async () => {
    const schema = newSchema();
    const provider = open({ schema, maxMessages: 1 });
    const audit = open({ schema, sourceId: 'audit', loadMessages: false });
    expect([provider.sourceId, audit.sourceId]).toEqual(['postgres', 'audit']);
    expect([provider.loadMessages, audit.loadMessages]).toEqual([true, false]);
    await say(provider, 'one', 'two');
    expect((await provider.getMessages(session)).messages.length).toBe(1);
    expect((await audit.getMessages(session)).messages).toEqual([]);
    expect(await provider.backend.eraseActor('kim')).toBe(1);
    expect((await provider.getMessages(session)).messages).toEqual([]);
  });
});

async function say(provider: PostgresHistoryProvider, ...texts: readonly string[]): Promise<void> {
  const { messages, version } = await provider.getMessages(session);
  const added = texts.map((contents) =>
    createMessage({ role: 'user', contents }, uuidv7, systemClock),
  );
  await provider.setMessages(session, [...messages, ...added], { version });
}

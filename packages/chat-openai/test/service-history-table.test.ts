import { readFileSync } from 'node:fs';
import { Agent, HistoryProvider, SessionHistoryBackend } from '@minne/core';
import type { OpenAIWireServer } from '@minne/openai-wire';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKey, failureOf, responsesClientOf, startWire } from './wire-fixture.js';

/** A row of the table in the guide. */
interface Row {
  readonly client: string;
  readonly agent: string;
  readonly run: string;
  readonly loading: string;
  readonly recording: string;
  readonly id: string;
  readonly keptBy: string;
  readonly recorded: string;
}

const guide = readFileSync(
  new URL('../../../docs/guide/service-managed-history.md', import.meta.url),
  'utf8',
);

const rows = guide
  .slice(guide.indexOf('## Every combination'))
  .split('\n')
  .filter((line) => /^\| (keeps|does not keep) \|/.test(line))
  .map((line): Row => {
    const [, client, agent, run, loading, recording, id, keptBy, recorded] = line
      .replaceAll('`', '')
      .split('|')
      .map((cell) => cell.trim());
    return { client, agent, run, loading, recording, id, keptBy, recorded } as Row;
  });

let server: OpenAIWireServer;
beforeAll(async () => {
  server = await startWire({ fallback: { text: 'ok' } });
});
afterAll(() => server.close());

const provider = (sourceId: string, loadMessages: boolean) =>
  new HistoryProvider({ backend: new SessionHistoryBackend(), sourceId, loadMessages });

/** `store` of a cell, as options have it. */
const storeOf = (cell: string) => (cell === '–' ? {} : { store: cell === 'true' });

/** A conversation of two messages that is at the service already. */
async function conversationAtService(): Promise<string> {
  const client = new OpenAI({ apiKey, baseURL: server.baseUrl });
  return (await client.responses.create({ model: 'gpt-test', input: 'earlier' })).id;
}

describe('the table in the guide', () => {
  it('has every combination once', () => {
    const combinations = new Set(
      rows.map(({ keptBy: _, recorded: __, ...given }) => JSON.stringify(given)),
    );
    expect(rows).toHaveLength(2 * 3 * 3 * 2 * 2 * 2);
    expect(combinations.size).toBe(rows.length);
  });

  it.each(rows)(
    '$client, agent $agent, run $run, loading $loading, recording $recording, id $id: $keptBy',
    async (row) => {
      const main = provider('main', true);
      const audit = provider('audit', false);
      const agent = new Agent({
        chatClient: responsesClientOf(server, { storesByDefault: row.client === 'keeps' }),
        contextProviders: [
          ...(row.loading === 'yes' ? [main] : []),
          ...(row.recording === 'yes' ? [audit] : []),
        ],
        ...storeOf(row.agent),
      });
      const earlier = row.id === 'yes' ? 2 : 0;
      const session =
        row.id === 'yes'
          ? agent.getSession({ serviceSessionId: await conversationAtService() })
          : agent.createSession();
      const options = { session, ...storeOf(row.run) };
      const before = server.requests.length;
      const stored = async (of: HistoryProvider) => (await of.getMessages(session)).messages.length;

      if (row.keptBy.startsWith('error: ')) {
        const error = await failureOf(agent.run('a', options));
        expect(error).toMatchObject({ code: 'configuration', field: row.keptBy.slice(7) });
        expect(server.requests).toHaveLength(before);
        expect(await stored(audit)).toBe(0);
        return;
      }

      const first = await agent.run('a', options);
      for await (const event of agent.runStream('b', options)) void event;
      const requests = server.requests.slice(before);
      expect(first.historyOwner).toBe(row.keptBy === 'service' ? 'service' : 'provider');
      // Nothing is fed twice, and nothing is forgotten.
      expect(requests.map(({ effectiveInput }) => effectiveInput?.length)).toEqual([
        1 + earlier,
        3 + earlier,
      ]);
      expect(requests.map(({ body }) => (body as { store: boolean }).store)).toEqual(
        Array(2).fill(row.keptBy === 'service'),
      );
      expect(session.serviceSessionId !== undefined).toBe(row.keptBy === 'service');
      expect(await stored(main)).toBe(row.keptBy === 'provider' ? 4 : 0);
      expect('in_memory' in session.state).toBe(row.keptBy === 'session');
      expect(await stored(audit)).toBe(row.recorded === 'yes' ? 4 : 0);
    },
  );
});

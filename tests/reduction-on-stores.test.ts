import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenAIWireServer, startOpenAIWire } from '@minne/openai-wire';
import { serverMissing, startPostgres, startRedis } from '@minne/test-servers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { OpenAIChatCompletionClient } from '../packages/chat-openai/src/index.js';
import {
  Agent,
  type AgentSession,
  type ChatReducer,
  defineTool,
  type HistoryBackend,
  HistoryProvider,
} from '../packages/core/src/index.js';
import { EncryptedHistoryBackend } from '../packages/history-encrypted/src/index.js';
import { PostgresHistoryBackend } from '../packages/history-postgres/src/index.js';
import { RedisHistoryBackend } from '../packages/history-redis/src/index.js';
import { SqliteHistoryBackend } from '../packages/history-sqlite/src/index.js';
import {
  MessageCountingReducer,
  SlidingWindowReducer,
  SummarizingReducer,
  TokenBudgetReducer,
  ToolResultClearingReducer,
} from '../packages/reducers/src/index.js';

/** Starting a server takes seconds on a machine that is busy with other tests. */
const timeout = 120_000;
const turns = 14;
const missing = serverMissing('redis') ?? serverMissing('postgres');

describe.skipIf(missing !== undefined)('a long conversation', { timeout }, () => {
  const addresses = { redis: '', postgres: '' };
  const removals: (() => void | Promise<void>)[] = [];
  let folder: string;
  let model: OpenAIWireServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reduction-'));
    removals.push(() => rmSync(folder, { recursive: true, force: true }));
    const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
    removals.push(redis.remove, postgres.remove);
    Object.assign(addresses, { redis: redis.url, postgres: postgres.url });
    // It refuses a result without its call, and a call without its result, as the service does.
    model = await startOpenAIWire({ apiKey: 'key-of-the-test', fallback: answerOf });
    removals.push(() => model.close());
  }, timeout);

  afterAll(async () => {
    for (const remove of removals.toReversed()) await remove();
  });

  const sqlite = () => new SqliteHistoryBackend({ path: join(folder, 'history.db') });
  const stores: Readonly<Record<string, () => HistoryBackend>> = {
    SQLite: sqlite,
    'SQLite, encrypted': () =>
      new EncryptedHistoryBackend({
        backend: sqlite(),
        keys: { one: new Uint8Array(32).fill(7) },
        currentKeyId: 'one',
      }),
    Redis: () => new RedisHistoryBackend({ url: addresses.redis }),
    PostgreSQL: () => new PostgresHistoryBackend({ connectionString: addresses.postgres }),
  };
  const client = () =>
    new OpenAIChatCompletionClient({
      modelId: 'gpt-4.1-mini',
      apiKey: 'key-of-the-test',
      baseUrl: model.baseUrl,
    });
  const reducers: Readonly<Record<string, () => ChatReducer>> = {
    MessageCountingReducer: () => new MessageCountingReducer({ targetCount: 6, threshold: 6 }),
    SlidingWindowReducer: () => new SlidingWindowReducer({ targetCount: 2, threshold: 2 }),
    TokenBudgetReducer: () => new TokenBudgetReducer({ targetTokens: 400, threshold: 200 }),
    ToolResultClearingReducer: () => new ToolResultClearingReducer({ targetCount: 2 }),
    SummarizingReducer: () =>
      new SummarizingReducer({ chatClient: client(), targetCount: 6, threshold: 6 }),
  };
  const look = defineTool({
    name: 'look',
    description: 'Looks at something.',
    parameters: { type: 'object', properties: { at: { type: 'string' } } },
    execute: () => 'There was much to see, and all of it is told here at length. '.repeat(6),
  });
  const cases = Object.keys(stores).flatMap((store) =>
    Object.keys(reducers).flatMap((reducer) =>
      (['beforeMessagesRetrieval', 'afterMessageAdded'] as const).map(
        (trigger) => [store, reducer, trigger] as const,
      ),
    ),
  );

  it.each(cases)('in %s, reduced by %s, %s, goes on after every restart', async (...given) => {
    const [store, reducer, reducerTrigger] = given;
    const backends: HistoryBackend[] = [];
    onTestFinished(async () => {
      for (const backend of backends) await backend.close?.();
    });
    /** Another process, as far as anybody can tell. */
    const open = () => {
      const backend = stores[store]?.();
      const made = reducers[reducer]?.();
      if (backend === undefined || made === undefined) throw new Error('There is none.');
      backends.push(backend);
      const history = new HistoryProvider({ backend, reducer: made, reducerTrigger });
      const contextProviders = [history];
      return {
        history,
        agent: new Agent({ chatClient: client(), contextProviders, tools: [look] }),
      };
    };
    const sessionId = given.join(' ');
    let { agent, history } = open();
    let session: AgentSession = agent.createSession({ sessionId });
    let reduced = 0;
    for (let turn = 1; turn <= turns; turn += 1) {
      const { text, warnings, reductions } = await agent.run(`Question ${turn}`, { session });
      expect(text).toBe(`Answer to question ${turn}`);
      expect(warnings).toEqual([]);
      reduced += reductions.filter(
        ({ dropped, summarised, rewritten = 0 }) => dropped + summarised + rewritten > 0,
      ).length;
      const saved = JSON.parse(JSON.stringify(agent.serializeSession(session)));
      ({ agent, history } = open());
      session = agent.deserializeSession(saved);
    }
    expect(reduced).toBeGreaterThan(0);
    expect(model.requests.filter(({ refusal }) => refusal !== undefined)).toEqual([]);
    const { messages } = await history.getMessages(session);
    const all = turns * 4;
    const keepsAll = reducerTrigger === 'beforeMessagesRetrieval' || reducer.startsWith('Tool');
    if (keepsAll) expect(messages).toHaveLength(all);
    else expect(messages.length).toBeLessThan(all / 2);
  });
});

/** Looks before it answers a question; writes a summary for who asks for one. */
function answerOf({ body }: { readonly body: unknown }) {
  const { messages = [], tools } = body as {
    readonly messages?: readonly { readonly role: string; readonly content?: unknown }[];
    readonly tools?: readonly unknown[];
  };
  if (tools === undefined) return { text: 'They asked, and looked.' };
  if (messages.at(-1)?.role === 'user') {
    return { toolCalls: [{ name: 'look', arguments: { at: 'it' } }] };
  }
  const asked = messages.findLast(({ role }) => role === 'user')?.content;
  const text = typeof asked === 'string' ? asked : JSON.stringify(asked);
  return { text: `Answer to question ${/Question (\d+)/.exec(text)?.[1]}` };
}

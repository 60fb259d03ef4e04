import {
  Agent,
  type AgentInputItem,
  OpenAIResponsesCompactionSession,
  RunContext,
  Runner,
  setTracingDisabled,
} from '@openai/agents';
import { assistantMessage, modelResponse, ScriptedModel } from '@openai/agents/testing';
import OpenAI from 'openai';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultyBackend } from './faulty-backend.js';
import { assistant, outline, user } from './items.js';
import { sessionStore } from './session-store.js';

const compaction = {
  type: 'compaction',
  id: 'cmp_1',
  encrypted_content: 'abc',
} as const satisfies AgentInputItem;

beforeAll(() => setTracingDisabled(true));

describe('a compaction', () => {
  it('takes the place of everything, and again when the answer of the store is lost', async () => {
    const store = sessionStore();
    await store.open().addItems([user('1'), assistant('2')]);
    const session = store.open('session', faultyBackend(store.backend, ['answer lost']));
    await session.replaceHistoryWithCompaction([compaction, assistant('3')]);
    expect(outline(await session.getItems())).toEqual(['compaction', '3']);
  });

  it('keeps what others have added since the run read', async () => {
    const store = sessionStore();
    const session = store.open();
    await session.addItems([user('old')]);
    const run = new RunContext();
    await session.getItems(undefined, run);
    await session.addItems([user('own')], run);
    await store.open().addItems([user('of another')]);
    await session.getItems(undefined, run);
    await session.replaceHistoryWithCompaction([compaction, assistant('3')], run);
    expect(outline(await session.getItems())).toEqual(['compaction', '3', 'of another']);
  });

  it('that the model made is stored by the runner, and later runs begin with it', async () => {
    const store = sessionStore();
    await store.open().addItems([user('old'), assistant('older')]);
    const model = new ScriptedModel([
      modelResponse([compaction, assistantMessage('new')]),
      modelResponse([assistantMessage('next')]),
    ]);
    const runner = new Runner({ tracingDisabled: true });
    const agent = new Agent({ name: 'Helper', model });
    await runner.run(agent, 'Go on.', { session: store.open() });
    expect(outline(await store.open().getItems())).toEqual(['compaction', 'new']);
    await runner.run(agent, 'And?', { session: store.open() });
    expect(outline(await store.open().getItems())).toEqual(['compaction', 'new', 'And?', 'next']);
  });

  it('by the compaction session of OpenAI works over ours', async () => {
    const store = sessionStore();
    const client = new OpenAI({
      apiKey: 'key',
      fetch: async () =>
        Response.json({
          id: 'resp_1',
          object: 'response.compaction',
          created_at: 1,
          output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'abc' }],
          usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
        }),
    });
    const session = new OpenAIResponsesCompactionSession({
      client,
      underlyingSession: store.open(),
      compactionMode: 'input',
      shouldTriggerCompaction: () => true,
    });
    const model = new ScriptedModel([modelResponse([assistantMessage('Hi.')])]);
    const runner = new Runner({ tracingDisabled: true });
    await runner.run(new Agent({ name: 'Helper', model }), 'Hello.', { session });
    expect(outline(await store.open().getItems())).toEqual(['compaction']);
  });
});

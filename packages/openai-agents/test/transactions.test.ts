import {
  Agent,
  isSessionHistoryRewriteAwareSession,
  isSessionHistoryTransactionAwareSession,
  MemorySession,
  type SessionHistoryTransaction,
} from '@openai/agents';
import { describe, expect, it } from 'vitest';
import { faultyBackend } from './faulty-backend.js';
import { assistant, call, outline, reasoning, result, user } from './items.js';
import { sessionStore } from './session-store.js';
import { add, startRunner } from './wire-runner.js';

const append: SessionHistoryTransaction = {
  type: 'append_items',
  items: [user('2'), assistant('3')],
};
const replace: SessionHistoryTransaction = {
  type: 'replace_suffix',
  expectedSuffix: [assistant('1')],
  replacement: [assistant('new'), user('2')],
};

describe('a transaction', () => {
  it.each([append, replace])(
    'of type $type is applied once, from wherever it is repeated',
    async (transaction) => {
      const store = sessionStore();
      const memory = new MemorySession();
      for (const session of [memory, store.open()]) {
        await session.addItems([user('0'), assistant('1')]);
        await session.applyHistoryTransaction({ operationId: 'run:1', transaction });
      }
      await Promise.all(
        [1, 2, 3].map(() =>
          store.open().applyHistoryTransaction({ operationId: 'run:1', transaction }),
        ),
      );
      expect(await store.open().getItems()).toEqual(await memory.getItems());
      expect(await store.open().getItems(2)).toEqual(await memory.getItems(2));
      expect(await store.open().popItem()).toEqual(await memory.popItem());
      await store.open().applyHistoryTransaction({ operationId: 'run:1', transaction });
      expect(await store.open().getItems()).toEqual(await memory.getItems());
    },
  );

  it('is applied once when the answer of the store is lost', async () => {
    const store = sessionStore();
    const session = store.open('session', faultyBackend(store.backend, ['answer lost']));
    await session.applyHistoryTransaction({ operationId: 'run:1', transaction: append });
    expect(outline(await session.getItems())).toEqual(['2', '3']);
  });

  it('is refused under the id of another, and nothing is changed', async () => {
    const store = sessionStore();
    const session = store.open();
    await session.applyHistoryTransaction({ operationId: 'run:1', transaction: append });
    const other = { ...append, items: [user('other')] };
    await expect(
      store.open().applyHistoryTransaction({ operationId: 'run:1', transaction: other }),
    ).rejects.toMatchObject({ code: 'conflict', field: 'operationId' });
    expect(outline(await session.getItems())).toEqual(['2', '3']);
  });

  it('is known after its items were trimmed', async () => {
    const store = sessionStore({ maxMessages: 2 });
    const session = store.open();
    await session.applyHistoryTransaction({ operationId: 'run:1', transaction: append });
    await session.addItems([user('4'), user('5'), user('6')]);
    await session.applyHistoryTransaction({ operationId: 'run:1', transaction: append });
    await expect(
      session.applyHistoryTransaction({ operationId: 'run:1', transaction: replace }),
    ).rejects.toMatchObject({ field: 'operationId' });
    expect(outline(await session.getItems())).toEqual(['5', '6']);
  });

  it('changes nothing when the newest items are others, and may then be tried again', async () => {
    const session = sessionStore().open();
    await session.addItems([user('0'), assistant('1'), user('later')]);
    const args = { operationId: 'run:1', transaction: replace };
    await expect(session.applyHistoryTransaction(args)).rejects.toMatchObject({
      code: 'conflict',
      field: 'transaction.expectedSuffix',
    });
    expect(outline(await session.getItems())).toEqual(['0', '1', 'later']);
    await session.popItem();
    await session.applyHistoryTransaction(args);
    expect(outline(await session.getItems())).toEqual(['0', 'new', '2']);
  });

  it('compares items whatever the order of their members', async () => {
    const session = sessionStore().open();
    await session.addItems([{ content: 'a', role: 'user', type: 'message' }]);
    await session.applyHistoryTransaction({
      operationId: '1',
      transaction: {
        type: 'replace_suffix',
        expectedSuffix: [{ type: 'message', role: 'user', content: 'a' }],
        replacement: [],
      },
    });
    expect(await session.getItems()).toEqual([]);
  });

  it('is refused when it cannot be kept or is of an unknown type', async () => {
    const session = sessionStore().open();
    const wrong = JSON.parse('{"type":"prepend_items","items":[]}');
    await expect(
      session.applyHistoryTransaction({ operationId: '1', transaction: wrong }),
    ).rejects.toMatchObject({ field: 'transaction.type' });
    await expect(
      session.applyHistoryTransaction({ operationId: '', transaction: append }),
    ).rejects.toMatchObject({ field: 'operationId' });
    await expect(
      session.applyHistoryTransaction({ operationId: '1', transaction: JSON.parse('null') }),
    ).rejects.toMatchObject({ field: 'transaction.type' });
    const items = JSON.parse('[{"type":"unknown"}]');
    items[0].n = 1n;
    await expect(
      session.applyHistoryTransaction({
        operationId: '1',
        transaction: { type: 'append_items', items },
      }),
    ).rejects.toMatchObject({ field: 'transaction.items[0].n' });
    expect(await session.getItems()).toEqual([]);
  });
});

describe('a mutation', () => {
  it.each([
    ['mutations', '{}'],
    ['mutation.type', '{"mutations":[null]}'],
    ['mutation.type', '{"mutations":[{"type":"drop"}]}'],
  ])('is refused by its %s in %s', async (field, wrong) => {
    const session = sessionStore().open();
    const refused = session.applyHistoryMutations(JSON.parse(wrong));
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input', field });
  });

  it('puts a call in the place of another, as MemorySession does', async () => {
    const items = [user('0'), reasoning('rs_1'), call('c'), call('c'), result('c'), call('d')];
    const memory = new MemorySession({ initialItems: items });
    const session = sessionStore().open();
    await session.addItems(items);
    const replacement = {
      type: 'function_call',
      callId: 'c',
      name: 'add',
      status: 'completed',
      arguments: '{"a":2}',
    } as const;
    const mutations = [{ type: 'replace_function_call', callId: 'c', replacement } as const];
    for (const each of [memory, session]) {
      await each.applyHistoryMutations({ mutations });
      await each.applyHistoryMutations({ mutations: [] });
    }
    expect(await session.getItems()).toEqual(await memory.getItems());
    expect(outline(await session.getItems(2))).toContain('reasoning');
  });
});

describe('the runner', () => {
  it('finds the abilities', () => {
    const session = sessionStore().open();
    expect(isSessionHistoryTransactionAwareSession(session)).toBe(true);
    expect(isSessionHistoryRewriteAwareSession(session)).toBe(true);
  });

  it.each([false, true] as const)(
    'stores what tools did of an answer that a guardrail blocks (streamed: %s)',
    async (stream) => {
      const store = sessionStore();
      const memory = new MemorySession();
      const agent = new Agent({
        name: 'Guarded',
        tools: [add],
        outputGuardrails: [
          {
            name: 'no secrets',
            execute: async ({ agentOutput }) => ({
              tripwireTriggered: String(agentOutput).includes('secret'),
              outputInfo: {},
            }),
          },
        ],
      });
      for (const session of [memory, store.open()]) {
        const { server, runner, refusals } = await startRunner();
        server.script(
          { toolCalls: [{ name: 'add', arguments: { a: 1, b: 1 }, id: 'c1' }] },
          { text: 'The secret is two.' },
          { text: 'No.' },
        );
        const run = stream
          ? runner.run(agent, 'Tell.', { session, stream }).then(({ completed }) => completed)
          : runner.run(agent, 'Tell.', { session });
        await expect(run).rejects.toThrow('guardrail');
        await runner.run(agent, 'Again.', { session });
        expect(refusals()).toEqual([]);
      }
      const items = await store.open().getItems();
      expect(items).toEqual(JSON.parse(JSON.stringify(await memory.getItems())));
      expect(JSON.stringify(items)).not.toContain('secret');
      expect(outline(items)).toContain('function_call_result c1');
    },
  );
});

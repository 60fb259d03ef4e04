import { Agent, HistoryProvider, InvalidInputError, SessionHistoryBackend } from '@minne/core';
import { type AgentInputItem, MemorySession } from '@openai/agents';
import { describe, expect, it } from 'vitest';
import { MinneSession } from '../src/index.js';
import { faultyBackend } from './faulty-backend.js';
import { assistant, call, outline, reasoning, result, user } from './items.js';
import { sessionStore } from './session-store.js';

describe('items', () => {
  it('come back as they were, in order, in another object and with fields of later versions', async () => {
    const store = sessionStore();
    const text = 'a\u0000b \ud800 😀 \u2028 "quoted" \n';
    const strange = JSON.parse(
      '{"type":"message","role":"user","content":"x","__proto__":{"a":1},"later":[1.5,null,{"deep":true}]}',
    );
    const items: AgentInputItem[] = [user(text), assistant('', 'msg_1'), strange];
    await store.open().addItems(items);
    expect(await store.open().getItems()).toEqual(items);
    expect(Object.keys((await store.open().getItems())[2] ?? {})).toContain('__proto__');
  });

  it('are values of your own', async () => {
    const session = sessionStore().open();
    const item = user('before');
    await session.addItems([item]);
    if ('content' in item) item.content = 'after';
    const [first] = await session.getItems();
    if (first !== undefined && 'content' in first) first.content = 'after';
    expect(outline(await session.getItems())).toEqual(['before']);
  });

  it('that JSON cannot carry are refused with the path, and none is written', async () => {
    const session = sessionStore().open();
    const cycle: Record<string, unknown> = { type: 'unknown' };
    cycle['self'] = cycle;
    const wrong: readonly (readonly [unknown, string])[] = [
      [{ type: 'unknown', n: 1n }, 'items[1].n'],
      [{ type: 'unknown', list: [Number.NaN] }, 'items[1].list[0]'],
      [{ type: 'unknown', bytes: new Uint8Array(2) }, 'items[1].bytes'],
      [cycle, 'items[1].self'],
      [{ text: 'neither type nor role' }, 'items[1]'],
      ['text', 'items[1]'],
      [undefined, 'items[1]'],
    ];
    for (const [item, path] of wrong) {
      const items = JSON.parse('[{"role":"user","content":"first"}]');
      items.push(item);
      const added = session.addItems(items);
      await expect(added).rejects.toSatisfy(InvalidInputError.isInstance);
      await expect(added).rejects.toMatchObject({ field: path });
    }
    await expect(session.addItems(JSON.parse('{}'))).rejects.toMatchObject({ field: 'items' });
    expect(await session.getItems()).toEqual([]);
  });

  it('that are said twice are kept twice, whatever their ids', async () => {
    const session = sessionStore().open();
    const twice = [user('Yes.'), assistant('Fine.', 'FAKE_ID')];
    await session.addItems(twice);
    await session.addItems(twice);
    await session.addItems([...twice, ...twice]);
    expect(await session.getItems()).toEqual([...twice, ...twice, ...twice, ...twice]);
  });

  it('that were taken back can be added again', async () => {
    const session = sessionStore().open();
    await session.addItems([user('Hello.'), assistant('Hi.', 'msg_1')]);
    const taken = await session.popItem();
    if (taken === undefined) throw new Error('There was nothing to take.');
    await session.addItems([taken]);
    expect(outline(await session.getItems())).toEqual(['Hello.', 'Hi.']);
  });

  it('are added in the order of the calls, whether or not these are awaited', async () => {
    const session = sessionStore().open();
    const calls = [[user('1')], [assistant('2')], [call('c')], [result('c')], [user('3')]];
    await Promise.all(calls.map((items) => session.addItems(items)));
    expect(await session.getItems()).toEqual(calls.flat());
  });
});

describe('a history in memory, as MemorySession keeps it', () => {
  it.each([undefined, 0, -1, 1, 2, 3, 99, Number.POSITIVE_INFINITY])(
    'gives the same for the limit %s',
    async (limit) => {
      const items = [user('1'), assistant('2'), user('3')];
      const memory = new MemorySession({ initialItems: items });
      const session = sessionStore().open();
      await session.addItems(items);
      expect(await session.getItems(limit)).toEqual(await memory.getItems(limit));
    },
  );

  it('gives the same when it is taken back, cleared and empty', async () => {
    const memory = new MemorySession({ sessionId: 'session' });
    const session = sessionStore().open();
    for (const each of [memory, session]) {
      expect(await each.getSessionId()).toBe('session');
      expect(await each.getItems()).toEqual([]);
      expect(await each.popItem()).toBeUndefined();
      await each.addItems([]);
      await each.addItems([user('1'), user('2')]);
      expect(await each.popItem()).toEqual(user('2'));
      await each.clearSession();
      await each.clearSession();
      expect(await each.getItems()).toEqual([]);
      await each.addItems([user('3')]);
      expect(await each.getItems()).toEqual([user('3')]);
    }
  });
});

describe('a limit', () => {
  it('goes back to the call of a result, however far', async () => {
    const session = sessionStore().open();
    const between = Array.from({ length: 200 }, (_, index) => user(String(index)));
    await session.addItems([user('first'), call('c')]);
    await session.addItems(between);
    await session.addItems([result('c')]);
    const items = await session.getItems(1);
    expect(outline(items.slice(0, 2))).toEqual(['function_call c', '0']);
    expect(items).toHaveLength(202);
  });

  it('is refused when it is no whole number', async () => {
    const session = sessionStore().open();
    for (const limit of [1.5, Number.NaN]) {
      await expect(session.getItems(limit)).rejects.toMatchObject({ field: 'limit' });
    }
  });
});

describe('after an error that leaves open what was stored', () => {
  const turn = [user('Hello.'), assistant('Hi.')];

  it.each(['answer lost', 'never arrived'] as const)(
    'it is tried again by itself, and everything is there once (%s)',
    async (fault) => {
      const store = sessionStore();
      const session = store.open('session', faultyBackend(store.backend, [fault, fault]));
      await session.addItems(turn);
      expect(await session.getItems()).toEqual(turn);
    },
  );

  it.each(['answer lost', 'never arrived'] as const)(
    'the same items added again by the caller are there once (%s)',
    async (fault) => {
      const store = sessionStore();
      const backend = faultyBackend(store.backend, [fault], { retryable: false });
      const session = store.open('session', backend);
      await expect(session.addItems(turn)).rejects.toThrow('The connection broke');
      await session.addItems(turn);
      expect(await session.getItems()).toEqual(turn);
      await session.addItems(turn);
      expect(await session.getItems()).toEqual([...turn, ...turn]);
    },
  );

  it.each<[string, (session: MinneSession) => Promise<unknown>]>([
    ['taken back', (session) => session.popItem()],
    [
      'replaced',
      (session) =>
        session.applyHistoryTransaction({
          operationId: 'run:1',
          transaction: { type: 'replace_suffix', expectedSuffix: [user('1')], replacement: [] },
        }),
    ],
    ['compacted', (session) => session.replaceHistoryWithCompaction([])],
  ])('items that have been %s since can be added again', async (_how, takeAway) => {
    const store = sessionStore();
    const backend = faultyBackend(store.backend, ['answer lost'], { retryable: false });
    const session = store.open('session', backend);
    await expect(session.addItems([user('1')])).rejects.toThrow('The connection broke');
    await takeAway(session);
    await session.addItems([user('1')]);
    expect(outline(await session.getItems())).toEqual(['1']);
  });

  it('an item is not taken back twice', async () => {
    const store = sessionStore();
    await store.open().addItems([user('1'), user('2'), user('3')]);
    const session = store.open('session', faultyBackend(store.backend, ['answer lost']));
    await expect(session.popItem()).rejects.toThrow('The connection broke');
    expect(outline(await session.getItems())).toEqual(['1', '2']);
  });
});

describe('several at once', () => {
  it('take back different items, and nobody loses one', async () => {
    const store = sessionStore();
    await store.open().addItems(Array.from({ length: 12 }, (_, index) => user(String(index))));
    const taken = await Promise.all(Array.from({ length: 12 }, () => store.open().popItem()));
    expect(
      outline(taken.flatMap((item) => item ?? []))
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 12 }, (_, index) => index));
    expect(await store.open().popItem()).toBeUndefined();
  });

  it('are the first to write', async () => {
    const store = sessionStore();
    const turns = Array.from({ length: 10 }, (_, index) => [
      user(`${index}`),
      assistant(`${index}`),
    ]);
    await Promise.all(turns.map((turn) => store.open().addItems(turn)));
    const texts = outline(await store.open().getItems());
    expect(texts).toHaveLength(20);
    for (let index = 0; index < 20; index += 2) expect(texts[index]).toBe(texts[index + 1]);
  });
});

describe('what cannot be read', () => {
  it('is left out, and so is a result without its call, with a warning for each', async () => {
    const store = sessionStore();
    await store.open().addItems([user('1'), call('c'), result('c'), assistant('2')]);
    const key = { sessionId: 'session', sourceId: 'openai_agents' };
    const { records, version } = await store.backend.load(key);
    const spoilt = records.map((record) =>
      record.payload.includes('"function_call"') ? { ...record, payload: '{' } : record,
    );
    await store.backend.replace(key, spoilt, { version });
    expect(outline(await store.open().getItems())).toEqual(['1', '2']);
    for (const [limit, texts] of [
      [1, ['2']],
      [2, ['1', '2']],
      [3, ['1', '2']],
    ] as const) {
      expect(outline(await store.open().getItems(limit))).toEqual(texts);
    }
    expect(store.warnings.slice(0, 2)).toMatchObject([
      { code: 'damaged_record', sourceId: 'openai_agents' },
      { code: 'orphan_result', sourceId: 'openai_agents' },
    ]);
    expect(store.warnings[0]?.message).toContain('sequence 2');
    // It is still there for whoever can mend it.
    expect(await store.open().popItem()).toEqual(assistant('2'));
    expect((await store.backend.load(key)).records).toHaveLength(3);
  });

  it('is not lost by a change when the backend holds it back', async () => {
    const store = sessionStore();
    await store.open().addItems([user('1'), user('2')]);
    const backend = {
      ...faultyBackend(store.backend, []),
      load: async (...call: Parameters<typeof store.backend.load>) => {
        const loaded = await store.backend.load(...call);
        const damaged = [{ sequence: 1, reason: 'it is spoilt' }];
        return { ...loaded, records: loaded.records.slice(1), damaged };
      },
    };
    const session = store.open('session', backend);
    await expect(session.popItem()).rejects.toThrow('holds 1 damaged records');
    expect(outline(await session.getItems())).toEqual(['2']);
    expect(outline(await store.open().getItems())).toEqual(['1', '2']);
  });
});

describe('a session', () => {
  it('is apart from others and from an agent of Minne in the same store', async () => {
    const store = sessionStore();
    await store.open('a:b').addItems([user('1')]);
    await store.open('a').addItems([user('2')]);
    expect(outline(await store.open('a:b').getItems())).toEqual(['1']);
    const provider = new HistoryProvider({ backend: store.backend, sourceId: 'history' });
    const minne = await sayToAgent(provider);
    const mixed = new MinneSession({
      backend: store.backend,
      sessionId: minne,
      sourceId: 'history',
    });
    await expect(mixed.getItems()).rejects.toMatchObject({ field: 'sourceId' });
    await expect(mixed.addItems([user('3')])).rejects.toMatchObject({ field: 'sourceId' });
    expect(await store.open(minne).getItems()).toEqual([]);
  });

  it('is listed and erased by its actor', async () => {
    const { backend } = sessionStore();
    const session = new MinneSession({ backend, sessionId: 's', actorId: 'ann' });
    await session.addItems([user('1')]);
    const listed = await Array.fromAsync(backend.list({ actorId: 'ann' }));
    expect(listed).toMatchObject([{ key: { sessionId: 's', sourceId: 'openai_agents' } }]);
    await backend.eraseActor('ann');
    expect(await session.getItems()).toEqual([]);
  });

  it('has an id of its own when none is given, and works in memory', async () => {
    const backend = new SessionHistoryBackend();
    const [one, other] = [new MinneSession({ backend }), new MinneSession({ backend })];
    expect(await one.getSessionId()).not.toBe(await other.getSessionId());
    await one.addItems([user('1')]);
    expect(outline(await one.getItems())).toEqual(['1']);
  });

  it('refuses ids and backends that cannot work', async () => {
    const { backend } = sessionStore();
    expect(() => new MinneSession({ backend, sessionId: '' })).toThrow('sessionId is empty');
    expect(() => new MinneSession({ backend, actorId: 'a\u0000' })).toThrow('actorId');
    const nobody = { backend, ...JSON.parse('{"sessionId":null}') };
    expect(() => new MinneSession(nobody)).toThrow('sessionId is null');
    const { replace: _, ...without } = faultyBackend(backend, []);
    expect(() => new MinneSession({ backend: without })).toThrow('cannot replace');
  });

  it('keeps the groups of a limited store whole', async () => {
    const store = sessionStore({ maxMessages: 4 });
    const session = store.open();
    await session.addItems([user('1'), reasoning('rs_1'), call('a'), call('b'), result('a')]);
    await session.addItems([result('b')]);
    await session.addItems([assistant('2'), user('3'), assistant('4')]);
    expect(outline(await session.getItems())).toEqual(['2', '3', '4']);
  });
});

/** Has an agent of Minne store a turn, and gives the session's id. */
async function sayToAgent(provider: HistoryProvider): Promise<string> {
  const agent = new Agent({
    chatClient: {
      specificationVersion: 'v1',
      historyStorage: 'none',
      getResponse: async () => ({ messages: [] }),
      async *getStreamingResponse() {},
    },
    contextProviders: [provider],
  });
  const session = agent.createSession();
  await agent.run('Hello.', { session });
  return session.sessionId;
}

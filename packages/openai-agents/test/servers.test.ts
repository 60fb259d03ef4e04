import { PostgresHistoryBackend } from '@minne/history-postgres';
import { RedisHistoryBackend } from '@minne/history-redis';
import { serverMissing, startPostgres, startRedis } from '@minne/test-servers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MinneSession } from '../src/index.js';
import { clerk } from './agents-under-test.js';
import { assistant, outline, user } from './items.js';
import { startRunner } from './wire-runner.js';

// The first call makes the tables, and the machine may be busy.
vi.setConfig({ testTimeout: 30_000 });

type Backend = PostgresHistoryBackend | RedisHistoryBackend;

/** A real server, and how a process of its own would open what it keeps. */
interface Server {
  open(): Backend;
  remove(): Promise<void>;
}

const servers = {
  redis: async (): Promise<Server> => {
    const server = await startRedis();
    return {
      open: () => new RedisHistoryBackend({ url: server.url }),
      remove: () => server.remove(),
    };
  },
  postgres: async (): Promise<Server> => {
    const server = await startPostgres();
    return {
      open: () => new PostgresHistoryBackend({ connectionString: server.url }),
      remove: () => server.remove(),
    };
  },
};

describe.each(['redis', 'postgres'] as const)('sessions in %s', (kind) => {
  describe.skipIf(serverMissing(kind) !== undefined)(serverMissing(kind) ?? 'that is there', () => {
    let server: Server;
    const opened: Backend[] = [];

    beforeAll(async () => {
      server = await servers[kind]();
    }, 60_000);

    afterAll(async () => {
      for (const backend of opened) await backend.close();
      await server.remove();
    });

    const open = (sessionId: string): MinneSession => {
      const backend = server.open();
      opened.push(backend);
      return new MinneSession({ backend, sessionId });
    };

    it('keep a run with tools that waits for approval, and go on with it', async () => {
      const { server: model, runner, refusals } = await startRunner();
      const sum = { name: 'add', arguments: { a: 1, b: 1 }, id: 'c1' };
      const pay = { name: 'pay', arguments: { amount: 20 }, id: 'p1' };
      model.script({ toolCalls: [sum, pay] }, { text: 'Paid.' }, { text: 'Twenty.' });
      const { state } = await runner.run(clerk, 'Pay.', { session: open('run') });
      for (const interruption of state.getInterruptions()) state.approve(interruption);
      await runner.run(clerk, state, { session: open('run') });
      await runner.run(clerk, 'How much?', { session: open('run') });
      expect(refusals()).toEqual([]);
      expect(outline(await open('run').getItems(2))).toEqual(['How much?', 'Twenty.']);
      expect(await open('run').getItems()).toHaveLength(8);
    });

    it('lose nothing to writers at once, and give each item back once', async () => {
      const turns = Array.from({ length: 8 }, (_, turn) => [user(`${turn}`), assistant(`${turn}`)]);
      await Promise.all(turns.map((turn) => open('many').addItems(turn)));
      const texts = outline(await open('many').getItems());
      expect(texts).toHaveLength(16);
      for (let index = 0; index < 16; index += 2) expect(texts[index]).toBe(texts[index + 1]);
      const taken = await Promise.all(Array.from({ length: 8 }, () => open('many').popItem()));
      expect(outline(taken.flatMap((item) => item ?? [])).toSorted()).toEqual(
        texts.slice(8).toSorted(),
      );
      expect(outline(await open('many').getItems())).toEqual(texts.slice(0, 8));
    });

    it('apply a transaction once, and a compaction in the place of everything', async () => {
      const args = {
        operationId: 'run:1',
        transaction: { type: 'append_items', items: [user('a\u0000b'), assistant('😀')] },
      } as const;
      const transaction = { ...args.transaction, items: [...args.transaction.items] };
      await Promise.all(
        [1, 2, 3].map(() => open('once').applyHistoryTransaction({ ...args, transaction })),
      );
      expect(outline(await open('once').getItems())).toEqual(['a\u0000b', '😀']);
      await open('once').replaceHistoryWithCompaction([
        { type: 'compaction', encrypted_content: 'abc' },
        assistant('new'),
      ]);
      expect(outline(await open('once').getItems())).toEqual(['compaction', 'new']);
      await open('once').clearSession();
      expect(await open('once').getItems()).toEqual([]);
    });
  });
});

import type { LoadResult } from '@minne/core';
import { type StoreProcess, startProcess } from '@minne/store-process';
import {
  type PostgresServer,
  serverMissing,
  startPgBouncer,
  startPostgres,
} from '@minne/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresHistoryBackend } from '../src/index.js';
import { newSchema } from './test-database.js';
import { expectOrderPerWriter, expectWholeTurns } from './whole-turns.js';

const missing = serverMissing('postgres') ?? serverMissing('pgbouncer');

describe.skipIf(missing !== undefined)(`several processes ${missing ?? ''}`, () => {
  let server: PostgresServer;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;

  beforeAll(async () => {
    server = await startPostgres({ settings: { max_connections: '200' } });
    bouncer = await startPgBouncer(server);
  }, 60_000);

  afterAll(async () => {
    await bouncer.remove();
    await server.remove();
  });

  it.each([
    ['', () => server.url],
    [' behind a pooler of transactions', () => bouncer.url],
  ])(
    'append from 50 connections to one session of an empty database%s: all is there, once and in order',
    async (_, url) => {
      const [processes, writers, turns] = [5, 10, 4];
      const schema = newSchema();
      const started = Array.from({ length: processes }, (_, index) =>
        startWriters(url(), schema, `w${index}x`, writers, turns),
      );
      const ends = await Promise.all(started.map((process) => process.ended()));
      expect(ends).toEqual(ends.map(() => ({ code: 0, complaint: '' })));
      const names = expectWholeTurns(await loadAll(server.url, schema));
      expect(names.length).toBe(processes * writers * turns);
      expectOrderPerWriter(names);
    },
    120_000,
  );

  it('are killed at any moment, and nothing acknowledged is missing, halved or doubled', async () => {
    const schema = newSchema();
    const acknowledged: string[] = [];
    let kills = 0;
    for (let round = 0; round < 3; round++) {
      const names = [0, 1, 2].map((index) => `round${round}process${index}writer`);
      const lines = await Promise.all(names.map((name) => killed(server.url, schema, name)));
      acknowledged.push(...lines.flat());
      kills += names.length;
      const stored = expectWholeTurns(await loadAll(server.url, schema));
      expectOrderPerWriter(stored);
      expect(acknowledged.filter((name) => !stored.includes(name))).toEqual([]);
      // At most the turn that was under way when each process was killed.
      expect(stored.length - acknowledged.length).toBeLessThanOrEqual(kills);
    }
  }, 120_000);

  it('go on with one conversation of an agent, each where the one before stopped', async () => {
    const schema = newSchema();
    const script = new URL('processes/talk.ts', import.meta.url);
    const answers: string[] = [];
    for (const text of ['one', 'two']) {
      const talk = startProcess(script, server.url, schema, text);
      expect(await talk.ended()).toEqual({ code: 0, complaint: '' });
      answers.push(...talk.lines());
    }
    expect(answers).toEqual(['I heard: one', 'I heard: one / I heard: one / two']);
    const backend = new PostgresHistoryBackend({ connectionString: server.url, schema });
    const [listing] = await Array.fromAsync(backend.list({ actorId: 'kim' }));
    expect(listing?.key).toEqual({
      sessionId: '50% of_everything',
      sourceId: 'postgres',
      actorId: 'kim',
    });
    await backend.close();
  }, 120_000);
});

function startWriters(
  url: string,
  schema: string,
  name: string,
  writers: number,
  turns: number,
): StoreProcess {
  const script = new URL('processes/append-loop.ts', import.meta.url);
  return startProcess(script, url, schema, name, String(writers), String(turns));
}

/** Starts a writer, kills it soon after its first turn, and gives the turns it had acknowledged. */
async function killed(url: string, schema: string, name: string): Promise<string[]> {
  const writer = startWriters(url, schema, name, 1, 100_000);
  await writer.begun();
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
  writer.process.kill('SIGKILL');
  expect(await writer.ended()).toEqual({ code: null, complaint: '' });
  return writer.lines();
}

async function loadAll(connectionString: string, schema: string): Promise<LoadResult> {
  const backend = new PostgresHistoryBackend({ connectionString, schema });
  const key = { sessionId: 'session', sourceId: 'history' };
  // What a killed process had sent may still be done: wait until nothing more comes.
  let loaded = await backend.load(key);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const again = await backend.load(key);
    if (again.version === loaded.version) break;
    loaded = again;
  }
  await backend.close();
  return loaded;
}

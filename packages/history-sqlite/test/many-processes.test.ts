import { DatabaseSync } from 'node:sqlite';
import type { LoadResult } from '@minne/core';
import { type StoreProcess, startProcess } from '@minne/store-process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteHistoryBackend } from '../src/index.js';
import { turnOf } from './processes/turn.js';
import { temporaryStore } from './temporary-store.js';

const key = { sessionId: 'session', sourceId: 'history' };

describe('several processes', () => {
  it('append to one session of a fresh file at once, and every turn is there once and whole', async () => {
    const { path, remove } = temporaryStore();
    onTestFinished(remove);
    const [processes, turns] = [5, 15];
    const writers = Array.from({ length: processes }, (_, writer) =>
      startWriter(path, `w${writer}`, turns),
    );
    const ends = await Promise.all(writers.map((writer) => writer.ended()));
    expect(ends).toEqual(ends.map(() => ({ code: 0, complaint: '' })));
    const loaded = await loadAll(path);
    const names = expectWholeTurns(loaded);
    expect(names.length).toBe(processes * turns);
    for (let writer = 0; writer < processes; writer++) {
      const own = names.filter((name) => name.startsWith(`w${writer}.`));
      expect(own).toEqual(Array.from({ length: turns }, (_, turn) => `w${writer}.${turn}`));
    }
  }, 240_000);

  it('are killed at any moment, and nothing acknowledged is missing, halved or doubled', async () => {
    const { path, remove } = temporaryStore();
    onTestFinished(remove);
    const acknowledged: string[] = [];
    let kills = 0;
    for (let round = 0; round < 3; round++) {
      const names = Array.from({ length: 3 }, (_, writer) => `round${round}writer${writer}`);
      acknowledged.push(...(await Promise.all(names.map((name) => killed(path, name)))).flat());
      kills += names.length;
      const stored = expectWholeTurns(await loadAll(path));
      expect(acknowledged.filter((name) => !stored.includes(name))).toEqual([]);
      // At most the turn that was under way when each process was killed.
      expect(stored.length - acknowledged.length).toBeLessThanOrEqual(kills);
    }
    const database = new DatabaseSync(path);
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.close();
  }, 240_000);
});

/** Starts a process that appends `turns` turns named after `writer`. */
function startWriter(path: string, writer: string, turns: number): StoreProcess {
  const script = new URL('processes/append-loop.ts', import.meta.url);
  return startProcess(script, path, writer, String(turns));
}

/** Starts a writer, kills it soon after its first turn, and gives the turns it had acknowledged. */
async function killed(path: string, name: string): Promise<string[]> {
  const writer = startWriter(path, name, 100_000);
  await writer.begun();
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
  writer.process.kill('SIGKILL');
  expect(await writer.ended()).toEqual({ code: null, complaint: '' });
  return writer.lines();
}

async function loadAll(path: string): Promise<LoadResult> {
  const backend = new SqliteHistoryBackend({ path });
  const loaded = await backend.load(key);
  await backend.close();
  return loaded;
}

/** Expects whole turns with ascending sequences, and gives their names. */
function expectWholeTurns({ records, damaged }: LoadResult): string[] {
  expect(damaged).toEqual([]);
  const names: string[] = [];
  for (let index = 0; index < records.length; index += 2) {
    const name = records[index]?.group ?? '';
    names.push(name);
    const pair = records.slice(index, index + 2);
    expect(pair.map(({ sequence: _, ...record }) => record)).toEqual(turnOf(name));
  }
  const sequences = records.map(({ sequence }) => sequence);
  expect(sequences).toEqual([...new Set(sequences)].sort((one, other) => one - other));
  expect(new Set(names).size).toBe(names.length);
  return names;
}

import { DatabaseSync } from 'node:sqlite';
import type { MemoryEntry } from '@minne/core/memory';
import { MemoryEngine } from '@minne/memory-engine';
import { type StoreProcess, startProcess } from '@minne/store-process';
import { describe, expect, it } from 'vitest';
import { temporaryPath, testStorage } from './temporary-database.js';

describe('several processes', () => {
  it('write to one fresh file at once and to one entry, and nothing is lost', async () => {
    const path = temporaryPath();
    const writers = Array.from({ length: 4 }, (_, index) => startWriter(path, `w${index}`, 15));
    const ends = await Promise.all(writers.map((writer) => writer.ended()));
    const names = writers.flatMap((writer) => writer.lines()).toSorted();
    expect(ends).toEqual(ends.map(() => ({ code: 0, complaint: '' })));
    expect(names.length).toBe(60);
    const { own, common } = await readBack(path);
    expect(own.map(({ path: place }) => place.slice(5)).toSorted()).toEqual(names);
    expect(common?.revision).toBe(60);
    expect(common?.content?.split('\n').toSorted()).toEqual(names);
  }, 60_000);

  it('are killed at any moment, and entries and what search knows of them stay in step', async () => {
    const path = temporaryPath();
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round++) {
      const writers = ['a', 'b'].map((name) => startWriter(path, `${name}${round}`, 100_000));
      await Promise.all(writers.map((writer) => writer.begun()));
      for (const writer of writers) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
        writer.process.kill('SIGKILL');
        expect(await writer.ended()).toEqual({ code: null, complaint: '' });
        acknowledged.push(...writer.lines());
      }
      const { own, common } = await readBack(path);
      const stored = own.map(({ path: place }) => place.slice(5));
      const lines = common?.content?.split('\n') ?? [];
      expect(
        acknowledged.filter((name) => !stored.includes(name) || !lines.includes(name)),
      ).toEqual([]);
      expect(new Set(lines).size).toBe(lines.length);
      await expectInStep(path, own);
    }
  }, 60_000);
});

/** Starts a process that writes `turns` entries, named after `writer`. */
function startWriter(path: string, writer: string, turns: number): StoreProcess {
  const script = new URL('processes/write-loop.ts', import.meta.url);
  return startProcess(script, path, writer, String(turns));
}

async function readBack(path: string) {
  const storage = testStorage({ path });
  const store = await new MemoryEngine({ storage }).openStore('notes');
  const own = await Array.fromAsync(store.list({ actorId: 'kim', pathPrefix: '/own/' }));
  const [common] = await Array.fromAsync(store.list({ actorId: 'kim', path: '/common' }));
  return { own, common };
}

/** Every entry is found by its words, and there is exactly one search record for each row. */
async function expectInStep(path: string, own: readonly MemoryEntry[]): Promise<void> {
  const storage = testStorage({ path });
  const store = await new MemoryEngine({ storage }).openStore('notes');
  for (const { id, content = '' } of own.slice(-20)) {
    const [hit] = await store.search({ actorId: 'kim', query: content, pathPrefix: '/own/' });
    expect(hit?.memory.id).toBe(id);
  }
  const database = new DatabaseSync(path);
  const unmatched = database
    .prepare(
      `SELECT id, entry_id FROM minne_memory_entries AS entries
       FULL JOIN minne_memory_changes AS changes
         ON changes.actor = entries.actor AND entry_id = id AND changes.revision = actor_revision
       WHERE id IS NULL OR entry_id IS NULL OR record IS NULL`,
    )
    .all();
  const integrity = database.prepare('PRAGMA integrity_check').get();
  database.close();
  expect(unmatched).toEqual([]);
  expect(integrity).toEqual({ integrity_check: 'ok' });
}

import { SqliteMemoryStorage } from '@minne/memory-sqlite';
import { onTestFinished } from 'vitest';
import {
  type EngineStore,
  type EntryTable,
  MemoryEngine,
  type MemoryEngineOptions,
  type StoragePort,
} from '../src/index.js';

/** A clock that stands still until it is moved. */
export interface ManualClock {
  (): Date;
  /** Moves the clock by so many milliseconds, backwards if negative. */
  advance(milliseconds: number): void;
}

export function manualClock(start = '2026-05-01T10:00:00.000Z'): ManualClock {
  let now = Date.parse(start);
  return Object.assign(() => new Date(now), {
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  });
}

/** A storage in memory, or in the file at `path`, that is closed when the test ends. */
export function testStorage(path = ':memory:'): SqliteMemoryStorage {
  const storage = new SqliteMemoryStorage({ path });
  onTestFinished(() => storage.close());
  return storage;
}

/** An engine over a storage of its own. */
export function testEngine(options: Partial<MemoryEngineOptions> = {}): MemoryEngine {
  return new MemoryEngine({ storage: testStorage(), ...options });
}

/** A store of an engine of its own. */
export function testStore(options: Partial<MemoryEngineOptions> = {}): Promise<EngineStore> {
  return testEngine(options).openStore('notes');
}

/** A storage of which some verbs on entries are others. */
export function withEntryVerbs(storage: StoragePort, verbs: Partial<EntryTable>): StoragePort {
  const { entries, stores } = storage;
  return {
    specificationVersion: 'v1',
    stores,
    entries: {
      get: (...call) => entries.get(...call),
      list: (...call) => entries.list(...call),
      changes: (...call) => entries.changes(...call),
      commit: (...call) => entries.commit(...call),
      ...verbs,
    },
    purge: (...call) => storage.purge(...call),
  };
}

/** Entries written one after the other, each at a path of its own, for one actor. */
export async function putAll(
  store: EngineStore,
  contents: readonly string[],
  actorId = 'kim',
): Promise<void> {
  for (const [index, content] of contents.entries()) {
    await store.put({ actorId, path: `/entries/${index}`, content });
  }
}

/** The contents that a search of `kim` finds, best first. */
export async function found(store: EngineStore, query: string): Promise<(string | undefined)[]> {
  const hits = await store.search({ actorId: 'kim', query, limit: 100 });
  return hits.map(({ memory }) => memory.content);
}

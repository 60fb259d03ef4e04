import { describe, expect, it } from 'vitest';
import { MemoryEngine, type MemoryEngineOptions } from '../src/index.js';
import { ActorIndex } from '../src/search/actor-index.js';
import { found, putAll, testStorage, withEntryVerbs } from './engine-fixture.js';

describe('engines that share a storage', () => {
  it('see each other’s writes in every search', async () => {
    const storage = testStorage();
    const [one, two] = await Promise.all(
      [1, 2].map(() => new MemoryEngine({ storage }).openStore('notes')),
    );
    if (one === undefined || two === undefined) throw new Error('No stores.');
    await putAll(one, ['first token']);
    expect(await found(two, 'token')).toEqual(['first token']);
    await putAll(two, ['second token', 'third token']);
    expect((await found(one, 'token')).toSorted()).toEqual(['second token', 'third token']);
    for await (const { id } of one.list({ actorId: 'kim' })) await one.delete(id);
    expect(await found(two, 'token')).toEqual([]);
  });

  it('are right after more removals than the storage remembers', async () => {
    const storage = testStorage();
    const [writer, reader] = [
      await new MemoryEngine({ storage }).openStore('notes'),
      await new MemoryEngine({ storage }).openStore('notes'),
    ];
    await putAll(writer, ['lasting token', 'passing token']);
    expect((await found(reader, 'token')).length).toBe(2);
    for (let index = 0; index < 1100; index++) {
      const { id } = await writer.put({
        actorId: 'kim',
        path: '/entries/1',
        content: 'passing token',
      });
      await writer.delete(id);
    }
    expect(await found(reader, 'token')).toEqual(['lasting token']);
  });
});

describe('the search cache', () => {
  it('reads only what changed', async () => {
    const { store, reads } = await countingStore();
    await putAll(store, ['one token', 'two token']);
    await found(store, 'token');
    await found(store, 'token');
    await store.put({ actorId: 'kim', path: '/entries/1', content: 'three token' });
    await found(store, 'token');
    expect(reads).toEqual([2, 0, 1]);
  });

  it('reads an actor anew that it had no room for, and finds the same', async () => {
    const { store, reads } = await countingStore({ searchCacheSize: 0 });
    await putAll(store, ['one token', 'two token']);
    expect(await found(store, 'token')).toEqual(await found(store, 'token'));
    expect(reads).toEqual([2, 2]);
  });

  it('drops the actor that was searched longest ago first', async () => {
    const { store, reads } = await countingStore({ searchCacheSize: 1200 });
    for (const actorId of ['a', 'b', 'c']) {
      await store.put({ actorId, path: '/a', content: 'token '.repeat(20) });
    }
    for (const actorId of ['a', 'b', 'a', 'c', 'a', 'b']) {
      await store.search({ actorId, query: 'token' });
    }
    // Two have room: `c` takes that of `b`, and `b` that of `c`.
    expect(reads).toEqual([1, 1, 0, 1, 0, 1]);
  });

  it('counts what long queries add to an index, and drops one that has no room any more', async () => {
    const { store, reads } = await countingStore({ searchCacheSize: 20_000 });
    await putAll(store, ['one token', 'two token']);
    const words = Array.from({ length: 1000 }, (_, index) => `word${index}`).join(' ');
    for (const query of ['token', 'token', `token ${words}`, 'token']) {
      expect((await found(store, query)).length).toBe(2);
    }
    expect(reads).toEqual([2, 0, 0, 2]);
  });

  it('is read once by many searches at once', async () => {
    const { store, reads } = await countingStore();
    await putAll(store, ['one token', 'two token']);
    const results = await Promise.all(Array.from({ length: 5 }, () => found(store, 'token')));
    expect(results.every((result) => result.length === 2)).toBe(true);
    expect(reads).toEqual([2, 0, 0, 0, 0]);
  });

  it('stays small when one entry is written again and again', async () => {
    const { store, reads } = await countingStore();
    await putAll(store, ['a', 'b']);
    for (let index = 0; index < 200; index++) {
      await store.put({ actorId: 'kim', path: '/entries/0', content: `token ${index}` });
      expect(await found(store, 'token')).toEqual([`token ${index}`]);
    }
    // One at a time, and all two entries whenever more than half of what is kept is outdated.
    expect(new Set(reads)).toEqual(new Set([1, 2]));
    expect(reads.filter((read) => read === 2).length).toBeLessThan(6);
  });
});

describe('a search', () => {
  it('ranks anew when an entry is gone or changed before it is read', async () => {
    const storage = testStorage();
    const other = await new MemoryEngine({ storage }).openStore('notes');
    await putAll(other, ['token', 'token token token', 'a token']);
    const [first, second] = await Array.fromAsync(other.list({ actorId: 'kim' }));
    if (first === undefined || second === undefined) throw new Error('No entries.');
    const interruptions = [
      () => other.delete(first.id),
      () => other.update(second.id, { content: 'no longer' }),
    ];
    const interrupted = withEntryVerbs(storage, {
      get: async (request) => {
        await interruptions.shift()?.();
        return storage.entries.get(request);
      },
    });
    const store = await new MemoryEngine({ storage: interrupted }).openStore('notes');
    expect(await found(store, 'token')).toEqual(['a token']);
    expect(interruptions).toEqual([]);
  });
});

describe('an index', () => {
  it('stays small however many words are looked for that nobody wrote', () => {
    const index = new ActorIndex();
    let largest = 0;
    for (let query = 0; query < 100; query++) {
      const terms = Array.from({ length: 1000 }, (_, word) => [`q${query}w${word}`, 1] as const);
      expect(index.search(new Map(terms), {}, 10)).toEqual([]);
      largest = Math.max(largest, index.size);
    }
    // Nothing but the words themselves, of which there are 100,000 in all.
    expect(index.size).toBeLessThan(largest);
    expect(largest).toBeLessThan(10 * 1024 * 1024);
  });
});

/** A store, and how many search records each search has read. */
async function countingStore(options: Partial<MemoryEngineOptions> = {}) {
  const storage = testStorage();
  const reads: number[] = [];
  const counting = withEntryVerbs(storage, {
    changes: async (request) => {
      const changes = await storage.entries.changes(request);
      reads.push(changes.records.length);
      return changes;
    },
  });
  const store = await new MemoryEngine({ storage: counting, ...options }).openStore('notes');
  return { store, reads };
}

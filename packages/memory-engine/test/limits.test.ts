import { randomBytes } from 'node:crypto';
import type { NewMemoryEntry } from '@minne/core/memory';
import { describe, expect, it } from 'vitest';
import { localPrincipal } from '../src/index.js';
import { testEngine, testStore } from './engine-fixture.js';

const at = { actorId: 'kim', path: '/a' };
const tooLarge = { errorCode: 'INVALID_PARAMETER_VALUE', status: 413 };

/** A text of so many bytes in UTF-8: `é` has two. */
function ofBytes(bytes: number): string {
  return 'é'.repeat(bytes >> 1) + 'x'.repeat(bytes % 2);
}

function pairs(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'value']));
}

describe('what is written', () => {
  const limits: readonly (readonly [string, number, (size: number) => Partial<NewMemoryEntry>])[] =
    [
      ['actor', 256, (size) => ({ actorId: ofBytes(size) })],
      ['session', 256, (size) => ({ sessionId: ofBytes(size) })],
      ['path', 1024, (size) => ({ path: `/${ofBytes(size - 1)}` })],
      ['content', 256 * 1024, (size) => ({ content: ofBytes(size) })],
      ['description', 4096, (size) => ({ description: ofBytes(size) })],
      ['number of pairs', 32, (size) => ({ metadata: pairs(size) })],
      ['key', 64, (size) => ({ metadata: { [ofBytes(size)]: 'value' } })],
      ['value', 1024, (size) => ({ metadata: { key: ofBytes(size) } })],
    ];

  it.each(limits)('may have its %s at the limit of %i and not one over', async (_, limit, of) => {
    const store = await testStore();
    const entry = { ...at, ...of(limit) };
    const stored = await store.put(entry);
    expect(await store.get(stored.id)).toMatchObject(entry);
    await expect(store.put({ ...at, ...of(limit + 1) })).rejects.toMatchObject(tooLarge);
    await expect(store.put({ ...at, ...of(100 * limit) })).rejects.toMatchObject(tooLarge);
    expect((await Array.fromAsync(store.list({ actorId: entry.actorId }))).length).toBe(1);
  });

  it('has a path whose composed form is within the limit', async () => {
    const store = await testStore();
    // Of three bytes, which compose to two of them each.
    const { path } = await store.put({ ...at, path: `/${'e\u0301'.repeat(341)}` });
    expect(path).toBe(`/${'\u00e9'.repeat(341)}`);
    await expect(store.put({ ...at, path: `/${'\u0958'.repeat(341)}` })).rejects.toMatchObject(
      tooLarge,
    );
  });

  it('may be a long text without any order, and is found by its words', async () => {
    const store = await testStore();
    const content = `${randomBytes(60_000).toString('base64')} lighthouse ${randomBytes(60_000).toString('hex')}`;
    const { id } = await store.put({ ...at, content });
    expect((await store.get(id)).content).toBe(content);
    const hits = await store.search({ actorId: 'kim', query: 'lighthouses' });
    expect(hits.map(({ memory }) => memory.id)).toEqual([id]);
  });
});

describe('a query', () => {
  it('may be 8 KiB long and no longer', async () => {
    const store = await testStore();
    await store.put({ ...at, content: 'token' });
    const query = `token ${ofBytes(8 * 1024 - 6)}`;
    expect((await store.search({ actorId: 'kim', query })).length).toBe(1);
    await expect(store.search({ actorId: 'kim', query: `${query}x` })).rejects.toMatchObject(
      tooLarge,
    );
  });
});

describe('a store', () => {
  it('may have an id of 3 and of 56 characters, and a description of 4 KiB', async () => {
    const engine = testEngine();
    const description = ofBytes(4096);
    for (const id of ['abc', `a${'-'.repeat(54)}z`]) {
      const store = await engine.createStore(localPrincipal, { id, description });
      expect(store).toMatchObject({ id, description });
    }
    await expect(
      engine.createStore(localPrincipal, { id: 'other', description: `${description}x` }),
    ).rejects.toMatchObject(tooLarge);
  });
});

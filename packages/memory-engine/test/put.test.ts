import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MemoryEngine } from '../src/index.js';
import { manualClock, testStorage, testStore, withEntryVerbs } from './engine-fixture.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const at = { actorId: 'kim', path: '/notes' };

describe('put', () => {
  it('makes an entry with all that was given', async () => {
    const store = await testStore({ clock: manualClock(), ids: () => 'id-1' });
    const entry = await store.put({
      ...at,
      sessionId: 's',
      content: 'text',
      description: 'short',
      metadata: JSON.parse('{"kind":"note","__proto__":"x"}'),
      source: 'DREAMER',
      expireTime: '2027-01-01T01:00:00+01:00',
    });
    expect(entry).toEqual({
      ...at,
      id: 'id-1',
      sessionId: 's',
      content: 'text',
      description: 'short',
      metadata: JSON.parse('{"kind":"note","__proto__":"x"}'),
      source: 'DREAMER',
      createTime: '2026-05-01T10:00:00.000Z',
      updateTime: '2026-05-01T10:00:00.000Z',
      expireTime: '2027-01-01T00:00:00.000Z',
      contentSha256: sha256('text'),
      revision: 1,
    });
    expect(await store.get('id-1')).toEqual(entry);
  });

  it('replaces the whole entry at its place, keeping id and creation', async () => {
    const clock = manualClock();
    const store = await testStore({ clock });
    const first = await store.put({
      ...at,
      content: 'one',
      description: 'd',
      metadata: { a: 'b' },
    });
    clock.advance(-60_000);
    const second = await store.put({ ...at, content: 'two' });
    expect(second).toMatchObject({
      id: first.id,
      createTime: first.createTime,
      content: 'two',
      revision: 2,
    });
    expect(second).toMatchObject({ metadata: {} });
    expect(second).not.toHaveProperty('description');
    expect(second.updateTime > first.updateTime).toBe(true);
    expect(await store.get(first.id)).toEqual(second);
  });

  it('knows an entry without a session from one in a session', async () => {
    const store = await testStore();
    const none = await store.put({ ...at, content: 'none' });
    const own = await store.put({ ...at, sessionId: 's', content: 'own' });
    expect(own.id).not.toBe(none.id);
    expect((await store.put({ ...at, content: 'none again' })).id).toBe(none.id);
    expect((await store.get(own.id)).content).toBe('own');
  });

  it('takes both spellings of an accent in a path for the same place', async () => {
    const store = await testStore();
    const composed = await store.put({ ...at, path: '/notes/\u00e9', content: 'a' });
    const decomposed = await store.put({ ...at, path: '/notes/e\u0301', content: 'b' });
    expect(decomposed).toMatchObject({ id: composed.id, path: '/notes/\u00e9' });
  });

  it('keeps any text as it is', async () => {
    const store = await testStore();
    for (const content of [
      '',
      'a\u0000b',
      '\\u0000',
      '\r\n',
      '\ufeffx',
      '𝒳🙂',
      "'; DROP TABLE",
      'x'.repeat(256 * 1024),
    ]) {
      const { id } = await store.put({ ...at, content, description: content.slice(0, 1000) });
      expect((await store.get(id)).content).toBe(content);
    }
  });
});

describe('append', () => {
  const append = { append: true };

  it('joins with exactly one newline', async () => {
    const store = await testStore();
    const cases: readonly (readonly [before: string, added: string, after: string])[] = [
      ['a', 'b', 'a\nb'],
      ['a\n', 'b', 'a\nb'],
      ['a', '\nb', 'a\nb'],
      ['a\n\n', '\n\nb\n', 'a\nb\n'],
      ['a\r\n', 'b', 'a\nb'],
      ['', 'b', 'b'],
      ['a', '', 'a'],
    ];
    for (const [content, added, after] of cases) {
      await store.put({ ...at, content });
      expect((await store.put({ ...at, content: added }, append)).content).toBe(after);
    }
  });

  it('takes no longer for a text that is full of newlines', async () => {
    const store = await testStore();
    const content = `${'\n'.repeat(250_000)}x`;
    await store.put({ ...at, content });
    const begun = performance.now();
    expect((await store.put({ ...at, content: 'b' }, append)).content).toBe(`${content}\nb`);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('makes the entry when there is none, and changes only what is given', async () => {
    const store = await testStore();
    await store.put({ ...at, content: 'a', description: 'd', metadata: { k: 'v' } }, append);
    const second = await store.put({ ...at, content: 'b' }, append);
    expect(second).toMatchObject({
      content: 'a\nb',
      description: 'd',
      metadata: { k: 'v' },
      revision: 2,
    });
    const third = await store.put({ ...at, description: 'e' }, append);
    expect(third).toMatchObject({ content: 'a\nb', description: 'e' });
  });

  it('refuses to grow an entry beyond the limit and leaves it as it was', async () => {
    const store = await testStore();
    const { id } = await store.put({ ...at, content: 'x'.repeat(256 * 1024) });
    await expect(store.put({ ...at, content: 'y' }, append)).rejects.toMatchObject({
      errorCode: 'INVALID_PARAMETER_VALUE',
      status: 413,
    });
    expect((await store.get(id)).revision).toBe(1);
  });
});

describe('a precondition', () => {
  it('lets a write through only if the stored content is what it says', async () => {
    const store = await testStore();
    const under = (contentSha256: string | null) => ({ precondition: { contentSha256 } });
    await expect(store.put({ ...at, content: 'a' }, under(sha256('x')))).rejects.toMatchObject({
      errorCode: 'ABORTED',
      status: 409,
    });
    await store.put({ ...at, content: 'a' }, under(null));
    await expect(store.put({ ...at, content: 'b' }, under(null))).rejects.toMatchObject({
      errorCode: 'ABORTED',
    });
    const second = await store.put({ ...at, content: 'b' }, under(sha256('a').toUpperCase()));
    expect(second).toMatchObject({ content: 'b', revision: 2 });
    await expect(store.put({ ...at, content: 'c' }, under(sha256('a')))).rejects.toMatchObject({
      errorCode: 'ABORTED',
    });
  });

  it('is no obstacle to the repetition of a write that succeeded', async () => {
    const store = await testStore();
    const precondition = { contentSha256: null };
    const entry = { ...at, content: 'a', metadata: { k: 'v' } };
    const first = await store.put(entry, { precondition });
    expect(await store.put(entry, { precondition })).toEqual(first);
    await expect(store.put({ ...entry, metadata: {} }, { precondition })).rejects.toMatchObject({
      errorCode: 'ABORTED',
    });
  });

  it('is no obstacle to the repetition of an append that succeeded', async () => {
    for (const [before, added] of [
      ['a', 'b'],
      ['a\n', 'b'],
      ['a\r\n', '\nb'],
      ['a\n\n', 'b'],
      ['\n\n\n\n', 'b'],
      ['', 'b'],
      ['a', ''],
    ] as const) {
      const store = await testStore();
      await store.put({ ...at, content: before });
      const options = { append: true, precondition: { contentSha256: sha256(before) } };
      const first = await store.put({ ...at, content: added }, options);
      const again = await store.put({ ...at, content: added }, options);
      expect(again.content).toBe(first.content);
      await store.put({ ...at, content: 'another' }, { append: true });
      await expect(store.put({ ...at, content: added }, options)).rejects.toMatchObject({
        errorCode: 'ABORTED',
      });
    }
  });

  it('must be a hash or null', async () => {
    const store = await testStore();
    for (const contentSha256 of ['', 'abc', `${sha256('a')} `]) {
      await expect(
        store.put({ ...at, content: 'a' }, { precondition: { contentSha256 } }),
      ).rejects.toMatchObject({
        errorCode: 'INVALID_PARAMETER_VALUE',
        field: 'precondition.content_sha256',
      });
    }
  });
});

describe('writers of one entry', () => {
  it('lose nothing in one process', async () => {
    const store = await testStore();
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    await Promise.all(lines.map((content) => store.put({ ...at, content }, { append: true })));
    const entries = await Array.fromAsync(store.list({ actorId: 'kim' }));
    expect(entries.length).toBe(1);
    expect(entries[0]?.revision).toBe(20);
    expect(entries[0]?.content?.split('\n').sort()).toEqual(lines.sort());
  });

  it('lose nothing to another engine that comes in between', async () => {
    const storage = testStorage();
    const other = await new MemoryEngine({ storage }).openStore('notes');
    let interruptions = 0;
    const interrupted = withEntryVerbs(storage, {
      commit: async (commit) => {
        if (++interruptions <= 3) await other.put({ ...at, content: 'other' }, { append: true });
        return storage.entries.commit(commit);
      },
    });
    const store = await new MemoryEngine({ storage: interrupted }).openStore('notes');
    const entry = await store.put({ ...at, content: 'own' }, { append: true });
    expect(entry.content).toBe('other\nother\nother\nown');
  });

  it('give up after the time that was set, with an error that says to try again', async () => {
    const storage = testStorage();
    const other = await new MemoryEngine({ storage }).openStore('notes');
    const interrupted = withEntryVerbs(storage, {
      commit: async (commit) => {
        await other.put({ ...at, content: 'other' });
        return storage.entries.commit(commit);
      },
    });
    const engine = new MemoryEngine({ storage: interrupted, writeTimeout: 30 });
    const store = await engine.openStore('notes');
    await expect(store.put({ ...at, content: 'own' })).rejects.toMatchObject({
      errorCode: 'TEMPORARILY_UNAVAILABLE',
      retryable: true,
    });
  });
});

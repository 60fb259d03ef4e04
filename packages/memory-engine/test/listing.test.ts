import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathRange } from '../src/entries/path-range.js';
import { localPrincipal } from '../src/index.js';
import { testEngine, testStore } from './engine-fixture.js';

const invalid = { errorCode: 'INVALID_PARAMETER_VALUE', field: 'page_token' };

describe('a listing', () => {
  it('is in the order of path, session and id, by code point, with no session first', async () => {
    const store = await testStore();
    const places: readonly (readonly [path: string, sessionId?: string])[] = [
      ['/\u{1f600}'],
      ['/\uffff'],
      ['/b', 'z'],
      ['/b'],
      ['/b', 'a'],
      ['/B'],
      ['/a/b'],
      ['/a b'],
      ['/a'],
    ];
    for (const [path, sessionId] of places) {
      await store.put({ actorId: 'kim', path, ...(sessionId === undefined ? {} : { sessionId }) });
    }
    const listed = await Array.fromAsync(store.list({ actorId: 'kim' }, { pageSize: 2 }));
    // JavaScript itself would put the emoji before U+FFFF.
    expect(listed.map(({ path, sessionId }) => [path, sessionId])).toEqual([
      ['/B', undefined],
      ['/a', undefined],
      ['/a b', undefined],
      ['/a/b', undefined],
      ['/b', undefined],
      ['/b', 'a'],
      ['/b', 'z'],
      ['/\uffff', undefined],
      ['/\u{1f600}', undefined],
    ]);
  });

  it('narrows to a path in every session, a prefix, or a session', async () => {
    const store = await testStore();
    for (const path of ['/a', '/ab', '/a/b', '/a_b', '/a%b', '/A/b']) {
      await store.put({ actorId: 'kim', path });
      await store.put({ actorId: 'kim', path, sessionId: 's' });
    }
    const paths = async (filter: { path?: string; pathPrefix?: string; sessionId?: string }) => {
      const entries = await Array.fromAsync(store.list({ actorId: 'kim', ...filter }));
      return entries.map(({ path, sessionId }) => `${path}${sessionId ?? ''}`);
    };
    expect(await paths({ path: '/a' })).toEqual(['/a', '/as']);
    expect(await paths({ path: '/a', sessionId: 'other' })).toEqual(['/a', '/as']);
    expect(await paths({ path: '/a_b' })).toEqual(['/a_b', '/a_bs']);
    expect(await paths({ pathPrefix: '/a/' })).toEqual(['/a/b', '/a/bs']);
    expect(await paths({ pathPrefix: '/a_' })).toEqual(['/a_b', '/a_bs']);
    expect(await paths({ pathPrefix: '/a%' })).toEqual(['/a%b', '/a%bs']);
    expect(await paths({ pathPrefix: '/a', sessionId: 's' })).toEqual([
      '/as',
      '/a%bs',
      '/a/bs',
      '/a_bs',
      '/abs',
    ]);
    expect(await paths({ sessionId: 'S' })).toEqual([]);
    expect((await paths({ pathPrefix: '/' })).length).toBe(12);
    await expect(paths({ path: '/a', pathPrefix: '/a' })).rejects.toMatchObject({
      errorCode: 'INVALID_PARAMETER_VALUE',
    });
  });

  it('finds a path and a prefix in either spelling of an accent', async () => {
    const store = await testStore();
    const { id } = await store.put({ actorId: 'kim', path: '/notes/\u00e9t\u00e9' });
    for (const path of ['/notes/\u00e9t\u00e9', '/notes/e\u0301te\u0301']) {
      for (const filter of [{ path }, { pathPrefix: path }]) {
        const listed = await Array.fromAsync(store.list({ actorId: 'kim', ...filter }));
        expect(listed.map((entry) => entry.id)).toEqual([id]);
      }
    }
  });

  it('comes in pages without gaps or doubles while entries are added and removed between them', async () => {
    const store = await testStore();
    const name = (index: number) => `/${String(index).padStart(3, '0')}`;
    for (let index = 0; index < 90; index += 2)
      await store.put({ actorId: 'kim', path: name(index) });
    const sizes: number[] = [];
    const seen: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await store.listPage(
        { actorId: 'kim' },
        { pageSize: 20, ...(pageToken === undefined ? {} : { pageToken }) },
      );
      sizes.push(page.entries.length);
      seen.push(...page.entries.map(({ path }) => path));
      // Before what has been listed, and the last entry that has been.
      await store.put({ actorId: 'kim', path: name(1) });
      const last = page.entries.at(-1);
      if (last !== undefined) await store.delete(last.id);
      pageToken = page.nextPageToken;
    } while (pageToken !== undefined);
    expect(sizes).toEqual([20, 20, 5]);
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => name(2 * index)));
  });

  it('has pages of 10 unless told otherwise, and no token after the last entry', async () => {
    const store = await testStore();
    for (let index = 0; index < 20; index++) await store.put({ actorId: 'kim', path: `/${index}` });
    expect((await store.listPage({ actorId: 'kim' })).entries.length).toBe(10);
    const exact = await store.listPage({ actorId: 'kim' }, { pageSize: 20 });
    expect(exact.entries.length).toBe(20);
    expect(exact).not.toHaveProperty('nextPageToken');
    for (const pageSize of [0, 101, -1, 0.5]) {
      await expect(store.listPage({ actorId: 'kim' }, { pageSize })).rejects.toMatchObject({
        field: 'page_size',
      });
    }
  });

  it('accepts a token only with the caller, store and filter that it was given for', async () => {
    const engine = testEngine();
    const [one, two] = [await engine.openStore('one'), await engine.openStore('two')];
    for (let index = 0; index < 5; index++) await one.put({ actorId: 'kim', path: `/é/${index}` });
    const { nextPageToken: pageToken = '' } = await one.listPage(
      { actorId: 'kim' },
      { pageSize: 2 },
    );
    expect(pageToken).toMatch(/^[\w-]+$/);
    const rest = await one.listPage({ actorId: 'kim' }, { pageSize: 3, pageToken });
    expect(rest.entries.map(({ path }) => path)).toEqual(['/é/2', '/é/3', '/é/4']);
    const others = [
      () => one.listPage({ actorId: 'pat' }, { pageToken }),
      () => one.listPage({ actorId: 'kim', pathPrefix: '/' }, { pageToken }),
      () => one.listPage({ actorId: 'kim', sessionId: 's' }, { pageToken }),
      () => two.listPage({ actorId: 'kim' }, { pageToken }),
      () => engine.listStores(localPrincipal, { pageToken }),
    ];
    for (const other of others) await expect(other()).rejects.toMatchObject(invalid);
    for (const broken of [
      '',
      'x',
      'ÿ',
      '[]',
      `${pageToken}A`,
      btoa('[1,2]'),
      btoa('"x"'),
      btoa('\xff'),
      'x'.repeat(1_000_000),
      movedTo(pageToken, ['/é/4', '', 'id']),
      movedTo(pageToken, ['/\ud800', '\0', '']),
    ]) {
      await expect(one.listPage({ actorId: 'kim' }, { pageToken: broken })).rejects.toMatchObject(
        invalid,
      );
    }
  });
});

/** The same token, with another place in it. */
function movedTo(token: string, place: readonly string[]): string {
  const [bound] = JSON.parse(Buffer.from(token, 'base64url').toString());
  return Buffer.from(JSON.stringify([bound, ...place])).toString('base64url');
}

describe('the range of a path prefix', () => {
  const bytes = (text: string) => Buffer.from(text);
  const character = fc.oneof(
    fc.constantFrom('a', '%', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  const text = fc.array(character, { maxLength: 5 }).map((parts) => parts.join(''));

  it('holds exactly the paths that begin with it, in the order of their bytes', () => {
    fc.assert(
      fc.property(text, text, (end, other) => {
        const prefix = `/${end}`;
        const { from, before } = pathRange(prefix);
        for (const path of [`/${other}`, prefix + other, prefix]) {
          const inRange =
            Buffer.compare(bytes(path), bytes(from)) >= 0 &&
            Buffer.compare(bytes(path), bytes(before)) < 0;
          expect(inRange).toBe(path.startsWith(prefix));
        }
      }),
      { numRuns: 1000 },
    );
  });
});

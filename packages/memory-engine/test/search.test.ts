import { describe, expect, it } from 'vitest';
import { found, putAll, testStore } from './engine-fixture.js';

describe('search', () => {
  it('finds words in content, description and path', async () => {
    const store = await testStore();
    await store.put({ actorId: 'kim', path: '/preferences/seat', content: 'aisle' });
    await store.put({
      actorId: 'kim',
      path: '/b',
      content: 'x',
      description: 'How Kim pays: invoice',
    });
    const paths = async (query: string) =>
      (await store.search({ actorId: 'kim', query })).map(({ memory }) => memory.path);
    expect(await paths('seat preference')).toEqual(['/preferences/seat']);
    expect(await paths('Aisles?')).toEqual(['/preferences/seat']);
    expect(await paths('invoices')).toEqual(['/b']);
  });

  it('ranks what holds more and rarer words of the query first, with scores that fall', async () => {
    const store = await testStore();
    await putAll(store, [
      'lock the shed at night',
      'that rule about sheds was odd',
      'the night was long',
      'nothing of the sort',
    ]);
    const hits = await store.search({ actorId: 'kim', query: 'night shed lock' });
    expect(hits.map(({ memory }) => memory.path).at(0)).toBe('/entries/0');
    expect(hits.length).toBe(3);
    const scores = hits.map(({ score }) => score);
    expect(scores.every((score) => Number.isFinite(score) && score > 0)).toBe(true);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  });

  it('ranks a word in brackets above the plain word when brackets are asked for', async () => {
    const store = await testStore();
    await putAll(store, [
      'that rule was odd',
      '[RULE] lock the shed at night, and the barn, and the house',
    ]);
    expect((await found(store, '[RULE]')).at(0)).toMatch(/^\[RULE\]/);
  });

  it('breaks ties by id', async () => {
    const store = await testStore();
    for (const [index, id] of ['c', 'a', 'B', '9'].entries()) {
      await store.add({ actorId: 'kim', path: `/${index}`, content: 'same words' }, { id });
    }
    const hits = await store.search({ actorId: 'kim', query: 'words' });
    expect(hits.map(({ memory }) => memory.id)).toEqual(['9', 'B', 'a', 'c']);
  });

  it('finds phrases in scripts without spaces, and identifiers within them', async () => {
    const store = await testStore();
    const texts = {
      japanese: '昨夜は友人と将棋大会を見た',
      chinese: '周末我们去爬了黄山看日出',
      korean: '어제 동생과 도서관에서 숙제했다',
      mixed: '部署mk7-router后3台网关恢复',
      thai: 'เมื่อวานฉันไปห้องสมุดกับน้อง',
    };
    await putAll(store, Object.values(texts));
    const queries: Record<string, string> = {
      将棋大会: texts.japanese,
      黄山: texts.chinese,
      日出: texts.chinese,
      爬: texts.chinese,
      도서관: texts.korean,
      router: texts.mixed,
      'mk7-router': texts.mixed,
      网关: texts.mixed,
      ห้องสมุด: texts.thai,
    };
    for (const [query, text] of Object.entries(queries)) {
      expect((await found(store, query)).at(0), query).toBe(text);
    }
  });

  it('reads a query as plain words', async () => {
    const store = await testStore();
    await putAll(store, [
      "I can't eat nuts",
      'near the station',
      'col and val',
      '__init__ of a variable',
    ]);
    expect(await found(store, "can't")).toEqual(["I can't eat nuts"]);
    expect(await found(store, 'NEAR(')).toEqual(['near the station']);
    expect((await found(store, 'col:val')).at(0)).toBe('col and val');
    expect(await found(store, 'what is _ variable')).toEqual(['__init__ of a variable']);
    expect(await found(store, '__init__')).toEqual(['__init__ of a variable']);
    for (const query of [
      "x'; DROP TABLE y",
      '"unclosed',
      'a AND',
      'OR',
      'NOT',
      '^x',
      'x*',
      '{a}',
      'a/b',
      'a.b',
    ]) {
      expect(Array.isArray(await found(store, query)), query).toBe(true);
    }
  });

  it('finds nothing for a query without words, and refuses a blank one', async () => {
    const store = await testStore();
    await putAll(store, ['one', 'two', 'good 🙂']);
    for (const query of ['@@@@', '***', '()', '""', '---'])
      expect(await found(store, query)).toEqual([]);
    expect(await found(store, '🙂')).toEqual(['good 🙂']);
    for (const query of ['', '   ', '\n', '\u200b']) {
      await expect(found(store, query)).rejects.toMatchObject({
        errorCode: 'INVALID_PARAMETER_VALUE',
      });
    }
  });

  it('finds text around a NUL character', async () => {
    const store = await testStore();
    await putAll(store, ['before\u0000after', 'literally \\u0000']);
    expect(await found(store, 'after')).toEqual(['before\u0000after']);
    expect(await found(store, 'literally')).toEqual(['literally \\u0000']);
  });

  it('narrows to a session or a path before it cuts', async () => {
    const store = await testStore();
    for (let index = 0; index < 30; index++) {
      await store.put({ actorId: 'kim', path: `/a/${index}`, content: 'token token token' });
    }
    await store.put({ actorId: 'kim', path: '/b%/1', content: 'a token among many other words' });
    await store.put({
      actorId: 'kim',
      path: '/a/1',
      sessionId: 's',
      content: 'a token among others',
    });
    const search = async (filter: { pathPrefix?: string; sessionId?: string }) =>
      (await store.search({ actorId: 'kim', query: 'token', limit: 1, ...filter })).map(
        ({ memory: { path, sessionId } }) => [path, sessionId],
      );
    expect(await search({ pathPrefix: '/b%/' })).toEqual([['/b%/1', undefined]]);
    expect(await search({ pathPrefix: '/%' })).toEqual([]);
    expect(await search({ sessionId: 's' })).toEqual([['/a/1', 's']]);
    expect(await search({ sessionId: 'S' })).toEqual([]);
  });

  it('gives as many as are asked for, up to 100', async () => {
    const store = await testStore();
    for (let index = 0; index < 120; index++) {
      await store.put({ actorId: 'kim', path: `/${index}`, content: `token ${index}` });
    }
    expect((await store.search({ actorId: 'kim', query: 'token' })).length).toBe(10);
    expect((await store.search({ actorId: 'kim', query: 'token', limit: 100 })).length).toBe(100);
    for (const limit of [0, -1, 101, 1.5, Number.NaN]) {
      await expect(store.search({ actorId: 'kim', query: 'token', limit })).rejects.toMatchObject({
        errorCode: 'INVALID_PARAMETER_VALUE',
      });
    }
  });

  it('leaves the content out of the basic view', async () => {
    const store = await testStore();
    await putAll(store, ['some token']);
    const [hit] = await store.search({ actorId: 'kim', query: 'token' }, { view: 'BASIC' });
    expect(hit?.memory.path).toBe('/entries/0');
    expect(hit?.memory).not.toHaveProperty('content');
  });

  it('sees each write before it, and nothing of what was deleted or replaced', async () => {
    const store = await testStore();
    const { id } = await store.put({ actorId: 'kim', path: '/a', content: 'first apple' });
    expect(await found(store, 'apple')).toEqual(['first apple']);
    await store.put({ actorId: 'kim', path: '/a', content: 'then pear' });
    expect(await found(store, 'apple')).toEqual([]);
    expect(await found(store, 'pear')).toEqual(['then pear']);
    await store.update(id, { description: 'a fruit' });
    expect(await found(store, 'fruit')).toEqual(['then pear']);
    await store.delete(id);
    expect(await found(store, 'pear fruit')).toEqual([]);
  });

  it.each<readonly [string, { pathPrefix?: string; sessionId?: string }]>([
    ['one path prefix', { pathPrefix: '/gone/' }],
    ['one session', { sessionId: 'gone' }],
  ])('finds nothing of what was deleted of %s, and all else', async (_name, filter) => {
    const store = await testStore();
    for (let index = 0; index < 15; index++) {
      const entry = { actorId: 'kim', content: `token ${index}` };
      await store.put({ ...entry, path: `/gone/${index}`, sessionId: 'gone' });
      await store.put({ ...entry, path: `/goner/${index}`, sessionId: 'kept' });
      await store.put({ ...entry, path: `/kept/${index}` });
    }
    await found(store, 'token');
    const listed = await Array.fromAsync(store.list({ actorId: 'kim', ...filter }));
    for (const { id } of listed) await store.delete(id);
    expect(listed.length).toBe(15);
    const hits = await store.search({ actorId: 'kim', query: 'token', limit: 100 });
    const paths = hits.map(({ memory }) => memory.path);
    expect(paths.length).toBe(30);
    expect(paths.filter((path) => path.startsWith('/gone/'))).toEqual([]);
  });

  it('ranks what has a rare identifier first, however much else fits the words around it', async () => {
    const store = await testStore();
    await putAll(store, [
      'What is the status of the order? The order is shipped, says the status page of orders.',
      'QT-9917 left the depot.',
      'Order status: unknown. Ask for the status of an order at the desk.',
    ]);
    expect((await found(store, 'status of order QT-9917')).at(0)).toBe('QT-9917 left the depot.');
    expect(await found(store, 'qt9917')).toEqual(['QT-9917 left the depot.']);
  });

  it('is not led astray by small words', async () => {
    const store = await testStore();
    const texts = {
      dog: 'Kims Hund heißt Bello und ist ein Dackel.',
      flight: 'Der Flug nach München geht am 14. Mai um 7:35 Uhr.',
      bin: 'Die Müllabfuhr kommt donnerstags, die Papiertonne alle zwei Wochen.',
      password: 'Das Passwort steht auf dem Router im Flur.',
      arabic: 'كلب كيم اسمه بندق',
      hebrew: 'הטיסה לאוסלו יוצאת ב-14 במאי',
    };
    await putAll(store, Object.values(texts));
    const queries: Record<string, string> = {
      'Was ist mit der Papiertonne?': texts.bin,
      'Und wann ist der Flug nach Muenchen?': texts.flight,
      'Wo ist das Passwort?': texts.password,
      'Wie heisst der Hund?': texts.dog,
      'ما اسم الكلب؟': texts.arabic,
      'מתי טיסה?': texts.hebrew,
    };
    for (const [query, text] of Object.entries(queries)) {
      expect((await found(store, query)).at(0), query).toBe(text);
    }
  });

  it('gives the places of deleted entries to live ones', async () => {
    const store = await testStore();
    for (let index = 0; index < 20; index++) {
      await store.put({ actorId: 'kim', path: `/${index}`, content: 'token' });
    }
    const all = await Array.fromAsync(store.list({ actorId: 'kim' }));
    for (const { id } of all.slice(0, 15)) await store.delete(id);
    const hits = await store.search({ actorId: 'kim', query: 'token', limit: 5 });
    expect(hits.map(({ memory }) => memory.id).sort()).toEqual(all.slice(15).map(({ id }) => id));
  });

  it('stops when the caller does', async () => {
    const store = await testStore();
    const signal = AbortSignal.abort();
    await expect(store.search({ actorId: 'kim', query: 'token' }, { signal })).rejects.toThrow(
      /abort/i,
    );
  });
});

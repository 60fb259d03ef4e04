import { expect, test } from 'vitest';
import { testEngine, testStore } from './engine-fixture.js';

test('actors whose names look alike see only their own entries', async () => {
  const store = await testStore();
  const actors = [
    'kim_a',
    'kim-a',
    'kimXa',
    'kim%',
    'kim',
    'KIM_A',
    'kim_a ',
    '%',
    'kim\u0301',
    'kiḿ',
  ];
  for (const actorId of actors) {
    await store.put({ actorId, path: '/note', content: `token of ${actorId}` });
  }
  for (const actorId of actors) {
    const listed = await Array.fromAsync(store.list({ actorId }));
    expect(listed.map((entry) => entry.actorId)).toEqual([actorId]);
    const hits = await store.search({ actorId, query: 'token' });
    expect(hits.map(({ memory }) => memory.content)).toEqual([`token of ${actorId}`]);
  }
});

test('an actor with few entries finds them beside one with many that fit better', async () => {
  const store = await testStore();
  for (let index = 0; index < 300; index++) {
    await store.put({ actorId: 'many', path: `/${index}`, content: 'token token' });
  }
  for (let index = 0; index < 5; index++) {
    await store.put({ actorId: 'few', path: `/${index}`, content: 'a token further away' });
  }
  expect((await store.search({ actorId: 'few', query: 'token', limit: 5 })).length).toBe(5);
  expect((await store.search({ actorId: 'few', query: 'token', limit: 100 })).length).toBe(5);
});

test('the score of an entry does not depend on other actors', async () => {
  const store = await testStore();
  await store.put({ actorId: 'kim', path: '/a', content: 'one token' });
  await store.put({ actorId: 'kim', path: '/b', content: 'two words' });
  const scoreOf = async () => (await store.search({ actorId: 'kim', query: 'token' }))[0]?.score;
  const alone = await scoreOf();
  await store.put({ actorId: 'pat', path: '/a', content: 'token token' });
  expect(await scoreOf()).toBe(alone);
});

test('an entry of another store is like one that does not exist', async () => {
  const engine = testEngine();
  const [one, two] = [await engine.openStore('one'), await engine.openStore('two')];
  const { id } = await one.put({ actorId: 'kim', path: '/a', content: 'token' });
  for (const verb of [
    () => two.get(id),
    () => two.update(id, { content: '' }),
    () => two.delete(id),
  ]) {
    await expect(verb()).rejects.toMatchObject({
      errorCode: 'NOT_FOUND',
      message: `There is no entry "${id}" in memory store "two".`,
    });
  }
  expect(await two.search({ actorId: 'kim', query: 'token' })).toEqual([]);
  expect((await two.add({ actorId: 'kim', path: '/a' }, { id })).id).toBe(id);
});

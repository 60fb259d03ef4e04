import { describe, expect, it } from 'vitest';
import { found, manualClock, testEngine, testStore } from './engine-fixture.js';

const soon = '2026-05-01T10:00:01Z';

describe('an expired entry', () => {
  it('is there until its time and nowhere afterwards', async () => {
    const clock = manualClock();
    const store = await testStore({ clock });
    const { id } = await store.put({
      actorId: 'kim',
      path: '/a',
      content: 'token',
      expireTime: soon,
    });
    await store.put({ actorId: 'kim', path: '/b', content: 'token too' });
    clock.advance(999);
    expect((await store.get(id)).expireTime).toBe('2026-05-01T10:00:01.000Z');
    expect((await found(store, 'token')).length).toBe(2);
    clock.advance(1);
    await expect(store.get(id)).rejects.toMatchObject({ errorCode: 'NOT_FOUND' });
    await expect(store.update(id, { content: 'x' })).rejects.toMatchObject({
      errorCode: 'NOT_FOUND',
    });
    await expect(store.delete(id)).rejects.toMatchObject({ errorCode: 'NOT_FOUND' });
    expect(await found(store, 'token')).toEqual(['token too']);
    expect((await Array.fromAsync(store.list({ actorId: 'kim' }))).length).toBe(1);
    expect((await Array.fromAsync(store.list({ actorId: 'kim', path: '/a' }))).length).toBe(0);
  });

  it('leaves its place and its id to another, also of another actor', async () => {
    const clock = manualClock();
    const store = await testStore({ clock });
    const entry = { actorId: 'kim', path: '/a', content: 'old token', expireTime: soon };
    await store.add(entry, { id: 'one' });
    clock.advance(1000);
    const again = await store.put(
      { actorId: 'kim', path: '/a', content: 'new token' },
      { append: true },
    );
    expect(again).toMatchObject({ content: 'new token', revision: 1 });
    expect(again.id).not.toBe('one');
    await store.add({ ...entry, path: '/b' }, { id: 'two' });
    const other = await store.add({ actorId: 'pat', path: '/b' }, { id: 'two' });
    expect(other).toMatchObject({ id: 'two', actorId: 'pat' });
    expect(await found(store, 'token')).toEqual(['new token']);
    const same = await store.add(
      { actorId: 'kim', path: '/c', content: 'a token', expireTime: soon },
      { id: 'three' },
    );
    expect(
      await store.add({ ...same, content: 'b token', expireTime: '2027-01-01' }, { id: 'three' }),
    ).toMatchObject({ content: 'b token' });
    expect((await found(store, 'token')).toSorted()).toEqual(['b token', 'new token']);
  });

  it('counts for nothing in the ranking of the others', async () => {
    const clock = manualClock();
    const [store, fresh] = [await testStore({ clock }), await testStore({ clock })];
    await store.put({ actorId: 'kim', path: '/x', content: 'token '.repeat(50), expireTime: soon });
    for (const each of [store, fresh]) {
      await each.put({ actorId: 'kim', path: '/a', content: 'a token' });
      await each.put({ actorId: 'kim', path: '/b', content: 'something else' });
    }
    const score = async (each: typeof store) =>
      (await each.search({ actorId: 'kim', query: 'token' })).map((hit) => hit.score);
    expect((await score(store)).length).toBe(2);
    clock.advance(1000);
    expect(await score(store)).toEqual(await score(fresh));
  });

  it('is removed for good by a purge', async () => {
    const clock = manualClock();
    const engine = testEngine({ clock });
    const store = await engine.openStore('notes');
    for (let index = 0; index < 5; index++) {
      await store.put({ actorId: `actor${index}`, path: '/a', expireTime: soon });
    }
    expect(await engine.purge()).toEqual({ removed: 0 });
    clock.advance(1000);
    expect(await engine.purge()).toEqual({ removed: 5 });
    expect(await engine.purge()).toEqual({ removed: 0 });
  });
});

describe('a time of expiry', () => {
  it('is read as RFC 3339, as UTC where no zone is given', async () => {
    const store = await testStore({ clock: manualClock('2024-01-01T00:00:00.000Z') });
    const times: Record<string, string> = {
      '2024-05-01T10:00:00': '2024-05-01T10:00:00.000Z',
      '2024-05-01T10:00:00Z': '2024-05-01T10:00:00.000Z',
      '2024-05-01t10:00:00z': '2024-05-01T10:00:00.000Z',
      '2024-05-01 10:00': '2024-05-01T10:00:00.000Z',
      '2024-05-01T10:00:00+09:00': '2024-05-01T01:00:00.000Z',
      '2024-05-01T10:00:00-0230': '2024-05-01T12:30:00.000Z',
      '2024-05-01': '2024-05-01T00:00:00.000Z',
      '2024-05-01T10:00:00.123456789Z': '2024-05-01T10:00:00.123Z',
      '2024-02-29T23:59:59.9Z': '2024-02-29T23:59:59.900Z',
    };
    for (const [expireTime, stored] of Object.entries(times)) {
      expect((await store.put({ actorId: 'kim', path: '/a', expireTime })).expireTime).toBe(stored);
    }
  });

  it('is refused where it is no time', async () => {
    const store = await testStore();
    const wrong = [
      '',
      'soon',
      '2024',
      '2023-02-29',
      '2024-13-01',
      '2024-05-01T25:00Z',
      '2024-05-01T10:00:00+25:00',
      '2024-05-01T10:00:61Z',
      '0000-01-01T00:00:00+01:00',
      '9999-12-31T23:59:59-01:00',
      '+012024-05-01T00:00:00Z',
      ' 2024-05-01',
      '1714557600000',
    ];
    for (const expireTime of wrong) {
      await expect(
        store.put({ actorId: 'kim', path: '/a', expireTime }),
        expireTime,
      ).rejects.toMatchObject({
        errorCode: 'INVALID_PARAMETER_VALUE',
        field: 'expire_time',
      });
    }
  });
});

import { startProcess } from '@minne/store-process';
import { describe, expect, it } from 'vitest';
import { outline, user } from './items.js';
import { sessionStore } from './session-store.js';

const script = new URL('processes/add-loop.ts', import.meta.url);

describe('several processes', () => {
  it('add to one new session, and every turn is there once, whole and in the order of its writer', async () => {
    const store = sessionStore();
    const [writers, turns] = [4, 10];
    const processes = Array.from({ length: writers }, (_, writer) =>
      startProcess(script, store.path, 'add', `w${writer}`, String(turns)),
    );
    const ends = await Promise.all(processes.map((each) => each.ended()));
    expect(ends).toEqual(ends.map(() => ({ code: 0, complaint: '' })));
    const texts = outline(await store.open().getItems());
    expect(texts).toHaveLength(writers * turns * 2);
    for (let index = 0; index < texts.length; index += 2) {
      expect(texts[index]).toBe(texts[index + 1]);
    }
    for (let writer = 0; writer < writers; writer += 1) {
      const own = texts.filter((text, index) => index % 2 === 0 && text.startsWith(`w${writer}.`));
      expect(own).toEqual(Array.from({ length: turns }, (_, turn) => `w${writer}.${turn}`));
    }
  }, 120_000);

  it('take back from one session, and each item goes to one of them', async () => {
    const store = sessionStore();
    const names = Array.from({ length: 30 }, (_, index) => `item ${index}`);
    await store.open().addItems(names.map(user));
    const processes = Array.from({ length: 3 }, () =>
      startProcess(script, store.path, 'pop', 'p', '12'),
    );
    const ends = await Promise.all(processes.map((each) => each.ended()));
    expect(ends).toEqual(ends.map(() => ({ code: 0, complaint: '' })));
    const taken = processes.flatMap((each) => each.lines());
    expect(taken.toSorted()).toEqual(names.toSorted());
    expect(await store.open().getItems()).toEqual([]);
  }, 120_000);
});

import { uuidv7 } from '@minne/core';
import { expect, it } from 'vitest';

it('makes UUIDs of version 7, each new, in the order in which they are made', () => {
  const before = Date.now();
  const ids = Array.from({ length: 20_000 }, uuidv7);
  for (const id of ids.slice(0, 300)) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  const time = Number.parseInt((ids[0] ?? '').replace('-', '').slice(0, 12), 16);
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now() + 10);
});

import { isJsonObject, toJsonValue } from '@minne/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('toJsonValue', () => {
  it('copies what JSON carries, and shares nothing with it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = toJsonValue(value);
        expect(json).toEqual(JSON.parse(JSON.stringify(value)));
        if (typeof value === 'object' && value !== null) expect(json).not.toBe(value);
      }),
    );
  });

  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const refused: readonly (readonly [unknown, string])[] = [
    [{ a: [1, Number.NaN] }, 'state.a[1] is NaN'],
    [Number.POSITIVE_INFINITY, 'state is Infinity'],
    [{ n: 9007199254740993n }, 'state.n is bigint'],
    [{ f: () => 1 }, 'state.f is function'],
    [[undefined], 'state[0] is undefined'],
    [{ s: Symbol('x') }, 'state.s is symbol'],
    [{ m: new Map() }, 'state.m is an instance of Map'],
    [{ e: new Error('x') }, 'state.e is an instance of Error'],
    [cycle, 'state.self is a cycle'],
  ];
  it.each(refused)('refuses %o with its path', (value, text) => {
    expect(() => toJsonValue(value, 'state')).toThrow(text);
  });

  it('takes the same object twice side by side, a date as its text, and leaves undefined out', () => {
    const shared = { x: 1 };
    expect(
      toJsonValue({ a: shared, b: shared, when: new Date(0), gone: undefined, zero: -0 }),
    ).toEqual({ a: { x: 1 }, b: { x: 1 }, when: '1970-01-01T00:00:00.000Z', zero: 0 });
  });

  it('treats __proto__ as a key like any other', () => {
    const json = toJsonValue(JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(JSON.stringify(json)).toBe('{"__proto__":{"polluted":true}}');
    expect(isJsonObject(json) && 'polluted' in json).toBe(false);
  });

  it('refuses what is nested without end rather than overflowing the stack', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(() => toJsonValue(deep)).toThrow('nested deeper than 512 levels');
  });
});

import { onTestFailed } from 'vitest';

/** Numbers that a test takes for chance, the same again from the same seed. */
export interface Chance {
  /** At least 0 and less than `below`. */
  number(below: number): number;
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number;
}

/**
 * Chance for one test. Its seed is printed when the test fails: run it again with that in
 * `MINNE_FAULT_SEED`. What other processes do in the meantime is not repeated by it.
 */
export function seededChance(): Chance {
  const seed = Number(process.env['MINNE_FAULT_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  onTestFailed(() => {
    console.error(`To repeat this, set MINNE_FAULT_SEED=${seed}.`);
  });
  return chanceOf(seed);
}

/** Mulberry32, a generator in the public domain. */
function chanceOf(seed: number): Chance {
  let state = seed;
  const number = (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below;
  };
  return { number, whole: (from, to) => from + Math.floor(number(to - from + 1)) };
}

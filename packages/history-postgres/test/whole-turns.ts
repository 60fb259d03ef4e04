import type { LoadResult } from '@minne/core';
import { expect } from 'vitest';
import { turnOf } from './processes/turn.js';

/** Expects whole turns with ascending sequences, each once, and gives their names. */
export function expectWholeTurns({ records, damaged }: LoadResult): string[] {
  expect(damaged).toEqual([]);
  const names: string[] = [];
  for (let index = 0; index < records.length; index += 2) {
    const name = records[index]?.group ?? '';
    names.push(name);
    const pair = records.slice(index, index + 2);
    expect(pair.map(({ sequence: _, ...record }) => record)).toEqual(turnOf(name));
  }
  const sequences = records.map(({ sequence }) => sequence);
  expect(sequences).toEqual([...new Set(sequences)].sort((one, other) => one - other));
  expect(new Set(names).size).toBe(names.length);
  return names;
}

/** Expects that each writer's turns, named `<writer>.<number>`, ascend. */
export function expectOrderPerWriter(names: readonly string[]): void {
  const last = new Map<string, number>();
  for (const name of names) {
    const [writer = '', turn] = name.split('.');
    expect(Number(turn), name).toBeGreaterThan(last.get(writer) ?? -1);
    last.set(writer, Number(turn));
  }
}

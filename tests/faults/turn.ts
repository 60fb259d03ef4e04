import { createHash } from 'node:crypto';
import type { LoadResult, NewHistoryRecord } from '../../packages/core/src/index.js';

/** The source of every history here, an agent's or not. */
export const faultSource = 'faults';

/** Records of one turn. */
export const turnLength = 4;

/** Every fourth turn is large, so that a fault falls into the middle of sending it. */
const [small, large] = [600, 16_000];

/** A question, a tool call, its result and the answer, as one run appends them. `name` ends in its number. */
export function turnOf(name: string): NewHistoryRecord[] {
  const size = Number(name.slice(name.lastIndexOf('.') + 1)) % 4 === 3 ? large : small;
  const part = (part: string, kind: NewHistoryRecord['kind'], group: string): NewHistoryRecord => {
    const id = `${name}.${part}`;
    return {
      v: 1,
      id,
      group: `${name}.${group}`,
      kind,
      payload: JSON.stringify({ id, text: textOf(id, size) }),
    };
  };
  return [
    part('question', 'user', 'question'),
    part('call', 'assistant', 'call'),
    part('result', 'tool', 'call'),
    part('answer', 'assistant', 'answer'),
  ];
}

/**
 * The names of the turns that were loaded, in their order.
 *
 * @throws Error for a turn that is not there as a whole and together, is there twice, or has other
 * content, for sequences that do not count up, and for damage.
 */
export function turnsIn({ records, damaged }: LoadResult): string[] {
  if (damaged.length > 0) throw new Error(`Damaged: ${JSON.stringify(damaged)}`);
  checkSequences(records.map(({ sequence }) => sequence));
  const names: string[] = [];
  for (let first = 0; first < records.length; first += turnLength) {
    const name = records[first]?.id.replace(/\.question$/, '') ?? '';
    const found = records.slice(first, first + turnLength);
    const same = turnOf(name).every((record, index) => {
      const { v, id, group, kind, payload } = found[index] ?? {};
      return JSON.stringify({ v, id, group, kind, payload }) === JSON.stringify(record);
    });
    if (!same) throw new Error(`No whole turn: ${found.map(({ id }) => id).join(', ')}`);
    names.push(name);
  }
  return onceEach(names);
}

/** @throws Error unless they count up. */
export function checkSequences(sequences: readonly number[]): void {
  sequences.reduce((before, sequence) => {
    if (sequence > before) return sequence;
    throw new Error(`Sequence ${sequence} comes after ${before}.`);
  }, 0);
}

/** @throws Error for a name that is there twice. */
export function onceEach(names: readonly string[]): string[] {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new Error(`${name} is there twice.`);
    seen.add(name);
  }
  return [...seen];
}

/** Which turns of each writer there are, in their order. A name is the writer, a dot and a number. */
export function byWriter(names: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const writers: Record<string, string[]> = {};
  for (const name of names) {
    const writer = name.slice(0, name.lastIndexOf('.'));
    writers[writer] ??= [];
    writers[writer].push(name);
  }
  return writers;
}

/** Text that is always the same for an id, and that no store can make much smaller. */
function textOf(id: string, size: number): string {
  const bytes = createHash('shake256', { outputLength: Math.ceil((size * 3) / 4) }).update(id);
  return `ü 😀 ${bytes.digest('base64')}`;
}

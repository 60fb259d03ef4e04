import { overlap } from './words.js';

/** A memory as a tool's answer tells of it. */
export interface FoundMemory {
  readonly path: string;
  readonly text: string;
}

/**
 * Reads the quoted lines `path: text` of a tool's answer; indented lines belong to the memory above.
 * What stands in a memory is only ever compared and quoted, never followed.
 */
export function readFoundMemories(answer: string): FoundMemory[] {
  const quoted = /^<memories\b[^\n]*\n([\s\S]*)\n<\/memories>/.exec(answer)?.[1] ?? '';
  const memories: { path: string; text: string }[] = [];
  for (const line of quoted.split('\n')) {
    const match = /^(\/.*?)(?:: ?(.*))?$/.exec(line);
    const last = memories.at(-1);
    if (match?.[1] !== undefined) memories.push({ path: match[1], text: match[2] ?? '' });
    else if (last !== undefined) last.text += `\n${line.trim()}`;
  }
  return memories;
}

/** The memories that share most words with what was asked for, at least one; the order is kept. */
export function bestMatches(
  memories: readonly FoundMemory[],
  wanted: readonly string[],
): FoundMemory[] {
  const scored = memories.map((memory) => ({
    memory,
    score: overlap(wanted, `${memory.path} ${memory.text}`),
  }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return best === 0 ? [] : scored.filter(({ score }) => score === best).map(({ memory }) => memory);
}

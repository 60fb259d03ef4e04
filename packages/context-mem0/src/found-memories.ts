import { type Mem0Scope, scopeFields, scopeParts } from './mem0-scope.js';
import type { MemoryOwner } from './search-legs.js';

/** The most results of one answer that are looked at. */
export const maximumResults = 1_000;

/** A memory that was found. */
export interface FoundMemory {
  readonly id: string | undefined;
  readonly text: string;
  readonly owner: MemoryOwner;
  /** How well it fits, 0 to 1. One without is the last. */
  readonly score: number | undefined;
}

/**
 * The memories in what a client's `search` gave, whatever that is: `{ results: [] }` of versions 2 and 3,
 * or a list alone. What is no memory is left out, and so is one that names somebody the scope does not:
 * the agent's memories in the open-source client may each be somebody's as well.
 */
export function readFoundMemories(
  answer: unknown,
  scope: Mem0Scope,
  owner: MemoryOwner,
): readonly FoundMemory[] {
  const found: FoundMemory[] = [];
  for (const item of resultsOf(answer).slice(0, maximumResults)) {
    if (!isRecord(item) || !belongs(item, scope)) continue;
    const text = textOf(item);
    if (text === undefined) continue;
    const { id, score } = item;
    found.push({
      id: typeof id === 'string' && id !== '' ? id : undefined,
      text,
      owner,
      score: typeof score === 'number' && Number.isFinite(score) ? score : undefined,
    });
  }
  return found;
}

/** Memories of several searches as one list: best first, each once, at most `limit`. */
export function mergeFoundMemories(
  searches: readonly (readonly FoundMemory[])[],
  limit: number,
): readonly FoundMemory[] {
  const best = searches
    .flat()
    .toSorted((one, other) => (other.score ?? -Infinity) - (one.score ?? -Infinity) || 0);
  const ids = new Set<string>();
  const texts = new Set<string>();
  const merged: FoundMemory[] = [];
  for (const memory of best) {
    if (merged.length === limit) break;
    if (texts.has(memory.text) || (memory.id !== undefined && ids.has(memory.id))) continue;
    texts.add(memory.text);
    if (memory.id !== undefined) ids.add(memory.id);
    merged.push(memory);
  }
  return merged;
}

/** How many results an answer holds, whosoever they are. */
export function resultCount(answer: unknown): number {
  return resultsOf(answer).length;
}

function resultsOf(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  if (isRecord(answer) && Array.isArray(answer['results'])) return answer['results'];
  return [];
}

function textOf(item: Readonly<Record<string, unknown>>): string | undefined {
  const { memory } = item;
  return typeof memory === 'string' && memory.trim() !== '' ? memory : undefined;
}

/** A memory may name a user only if that user is the scope's; the other ids must not contradict it. */
function belongs(item: Readonly<Record<string, unknown>>, scope: Mem0Scope): boolean {
  return scopeParts.every((part) => {
    if (part !== 'userId' && scope[part] === undefined) return true;
    // The platform's client gives `userId`, the open-source one `user_id`.
    const named = [item[part], item[scopeFields[part]]];
    return named.every((id) => id === undefined || id === null || id === scope[part]);
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

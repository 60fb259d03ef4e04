import type { AddRequest } from './check-add.js';
import type { Entities } from './entities.js';
import { type Filter, matches, namedFields } from './filter.js';
import { wordScore } from './word-score.js';

/** A memory as the service keeps it. */
export interface StoredMemory {
  readonly id: string;
  readonly memory: string;
  readonly entities: Entities;
  readonly metadata: unknown;
  readonly createdAt: string;
}

/** A memory that was found. */
export interface RankedMemory {
  readonly memory: StoredMemory;
  readonly score: number;
}

/** What one project of the service holds. */
export class MemorySpace {
  readonly #memories: StoredMemory[] = [];

  get memories(): readonly StoredMemory[] {
    return this.#memories;
  }

  /**
   * Keeps what was said. The real service has a model draw facts from it; here each message is a fact, word
   * for word.
   *
   * A fact is filed under the user or under the agent, never under both ("Memories are stored per-entity …
   * no record contains both values at once", https://docs.mem0.ai/platform/features/v2-memory-filters);
   * application and run go with each. With both given, what the user said is the user's and what the
   * assistant said is the agent's.
   */
  add({ messages, entities, metadata }: AddRequest): void {
    const { user_id: user, agent_id: agent, ...narrowing } = entities;
    for (const { role, content } of messages) {
      const agents = agent !== undefined && (user === undefined || role === 'assistant');
      const owner = agents ? { agent_id: agent } : user === undefined ? {} : { user_id: user };
      this.#memories.push({
        id: `memory-${this.#memories.length + 1}`,
        memory: content,
        entities: { ...owner, ...narrowing },
        metadata,
        createdAt: '2026-05-01T10:00:00Z',
      });
    }
  }

  /** Best first; by age where they fit alike. */
  search(query: string, filter: Filter, limit: number, threshold: number): readonly RankedMemory[] {
    const named = namedFields(filter);
    return this.#memories
      .filter((memory) => matches(filter, memory, named))
      .map((memory) => ({ memory, score: wordScore(query, memory.memory) }))
      .filter(({ score }) => score > 0 && score >= threshold)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, limit);
  }

  /** @returns How many there were. */
  deleteOf(entities: Entities): number {
    const wanted = Object.entries(entities);
    const kept = this.#memories.filter(
      ({ entities: own }) =>
        !wanted.every(([field, id]) =>
          Object.entries(own).some(([name, value]) => name === field && value === id),
        ),
    );
    const deleted = this.#memories.length - kept.length;
    this.#memories.splice(0, this.#memories.length, ...kept);
    return deleted;
  }
}

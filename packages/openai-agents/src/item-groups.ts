import type { AgentInputItem } from '@openai/agents';
import { type Correlation, type ItemPlace, placeOf } from './item-correlation.js';

/** The groups of the calls of one kind and id. */
interface Calls {
  /** Of those without a result, in their order. */
  readonly waiting: string[];
  /** Of the latest one. */
  latest: string;
}

/** The answer of the model that the latest items are part of. */
interface OpenAnswer {
  readonly group: string;
  /** Whether it thought, so that all that follows belongs to the thought. */
  reasoned: boolean;
}

/**
 * Works out which items stay or go together, from all items in their order.
 *
 * A result belongs to the earliest call of its kind and id that has none yet. Calls next to each other
 * belong together, since one answer of the model made them. From a reasoning item on, so does everything
 * that the model gave until it was answered. A call that a program made belongs to the program.
 * Everything else is a group of its own. A group has the id of its first record.
 */
export class ItemGroups {
  readonly #calls = new Map<string, Calls>();
  #open: OpenAnswer | undefined;

  /** An item that is stored already comes next. */
  stored(item: AgentInputItem, group: string): void {
    this.#enter(placeOf(item), group);
  }

  /**
   * A new item comes next.
   * @param id - The id of its record.
   * @returns Its group.
   */
  add(item: AgentInputItem, id: string): string {
    const place = placeOf(item);
    const group = this.#groupFor(place) ?? id;
    this.#enter(place, group);
    return group;
  }

  #groupFor({ role, correlation, programId }: ItemPlace): string | undefined {
    const ofProgram = programId === undefined ? undefined : this.#ofProgram(programId)?.latest;
    switch (role) {
      case 'result': {
        const calls = this.#answeredBy(correlation);
        return calls?.waiting[0] ?? calls?.latest ?? ofProgram;
      }
      case 'call':
        return ofProgram ?? this.#open?.group;
      case 'reasoning':
        return this.#open?.group;
      case 'output':
        return this.#open?.reasoned === true ? this.#open.group : undefined;
      default:
        return undefined;
    }
  }

  #enter({ role, correlation }: ItemPlace, group: string): void {
    if (role === 'call' || role === 'reasoning') {
      const reasoned = this.#open?.group === group && this.#open.reasoned;
      this.#open = { group, reasoned: reasoned || role === 'reasoning' };
    } else if (role !== 'output' || this.#open?.reasoned !== true) {
      this.#open = undefined;
    }
    if (correlation === undefined) return;
    if (role === 'result') {
      this.#answeredBy(correlation)?.waiting.shift();
      return;
    }
    const key = keyOf(correlation.family, correlation.id);
    const calls = this.#calls.get(key);
    if (calls === undefined) {
      this.#calls.set(key, { waiting: [group], latest: group });
      return;
    }
    calls.waiting.push(group);
    calls.latest = group;
  }

  #answeredBy(correlation: Correlation | undefined): Calls | undefined {
    if (correlation === undefined) return undefined;
    const { family, id } = correlation;
    if (id !== undefined) return this.#calls.get(keyOf(family, id));
    for (const [key, calls] of this.#calls) {
      if (key.startsWith(`${family}:`) && calls.waiting.length > 0) return calls;
    }
    return undefined;
  }

  #ofProgram(programId: string): Calls | undefined {
    return this.#calls.get(keyOf('program_output', programId));
  }
}

/**
 * How much of what is stored before them decides the groups of new items: nothing, the last item, or, when
 * they answer what is not among them, everything.
 */
export function neededBefore(items: readonly AgentInputItem[]): 'nothing' | 'last' | 'all' {
  const calls = new Set<string>();
  for (const item of items) {
    const { role, correlation, programId } = placeOf(item);
    if (programId !== undefined && !calls.has(keyOf('program_output', programId))) return 'all';
    if (correlation === undefined) continue;
    const key = keyOf(correlation.family, correlation.id);
    if (role === 'call') calls.add(key);
    // Ids are used again: each call vouches for one result.
    else if (!calls.delete(key)) return 'all';
  }
  const first = items[0];
  const role = first === undefined ? 'input' : placeOf(first).role;
  return role === 'input' || role === 'compaction' ? 'nothing' : 'last';
}

/** Whether the model gave an item, so that the next one may belong to the same answer. */
export function isGiven(item: AgentInputItem): boolean {
  const { role } = placeOf(item);
  return role === 'call' || role === 'reasoning' || role === 'output';
}

/** Those of the items, by index, that answer a call which does not come before them. */
export function unansweredResults(items: readonly AgentInputItem[]): ReadonlySet<number> {
  const calls = new Set<string>();
  const families = new Set<string>();
  const orphans = new Set<number>();
  for (const [index, item] of items.entries()) {
    const { role, correlation } = placeOf(item);
    if (correlation === undefined) continue;
    const { family, id } = correlation;
    if (role === 'call') {
      calls.add(keyOf(family, id));
      families.add(family);
    } else if (id === undefined ? !families.has(family) : !calls.has(keyOf(family, id))) {
      orphans.add(index);
    }
  }
  return orphans;
}

function keyOf(family: string, id: string | undefined): string {
  return `${family}:${id ?? ''}`;
}

import type { ChatMessage } from '@minne/core';
import { groupMessages, type MessageGroups } from './message-groups.js';

/** What of a history is to stay. */
export interface WindowOptions {
  /** What may stay, in the unit of `cost`. System messages are not part of it. */
  readonly budget: number;
  /** What the message at a position takes of the budget, 0 or more. */
  readonly cost: (position: number) => number;
  /** Whether the messages that go, earlier summaries among them, are replaced by a summary. Default false. */
  readonly summarises?: boolean;
}

/** What of a history stays. */
export interface WindowSelection {
  /** 1 at the position of each message that stays. */
  readonly kept: Uint8Array;
  readonly groups: MessageGroups;
}

/**
 * Chooses the newest groups that fit the budget, whole, up to the first that does not fit.
 *
 * These stay whether they fit or not: system messages, the group of the newest message, the newest
 * question of the user, and calls that wait for approval since then. The newest summary comes next,
 * unless another one is to be written. A group that begins in the middle of a turn stays only together
 * with the question of that turn. Results without a call go.
 */
export function selectWindow(
  messages: readonly ChatMessage[],
  { budget, cost, summarises = false }: WindowOptions,
): WindowSelection {
  const window = new Window(groupMessages(messages), cost);
  window.keepNewest();
  if (!summarises) window.keepSummary(budget);
  window.keepWhileFits(budget);
  return window.selection();
}

/**
 * Chooses everything from a position on, with the groups that reach into it and their questions. Results
 * without a call go.
 */
export function selectFrom(messages: readonly ChatMessage[], start: number): WindowSelection {
  const window = new Window(groupMessages(messages), () => 0);
  window.keepNewest();
  window.keepSummary(0);
  window.keepFrom(start);
  return window.selection();
}

/** Groups are kept or not, and never one without the group that opens its turn. */
class Window {
  readonly #groups: MessageGroups;
  /** 1 at the first position of each group that stays. */
  readonly #kept: Uint8Array;
  /** What each group takes of the budget, at its first position. */
  readonly #costs: Float64Array;
  /** What is kept takes of the budget. */
  #cost = 0;

  constructor(groups: MessageGroups, cost: (position: number) => number) {
    const { groupOf, systems } = groups;
    const { length } = groupOf;
    this.#groups = groups;
    this.#kept = Uint8Array.from(systems);
    this.#costs = new Float64Array(length);
    for (let position = 0; position < length; position += 1) {
      if (systems[position] === 1) continue;
      const group = groupOf[position] ?? position;
      this.#costs[group] = (this.#costs[group] ?? 0) + cost(position);
    }
  }

  keepNewest(): void {
    const { orphans, systems, newestQuestion, waiting } = this.#groups;
    const isCandidate = (position: number): boolean =>
      systems[position] === 0 && orphans[position] === 0;
    let newest = this.#kept.length - 1;
    while (newest >= 0 && !isCandidate(newest)) newest -= 1;
    // A history of nothing but lost results must not become empty.
    if (newest < 0) newest = systems.lastIndexOf(0);
    this.#keep(newest);
    this.#keep(newestQuestion);
    for (const { position, group } of waiting) if (position > newestQuestion) this.#keep(group);
  }

  /** Keeps the newest summary when it fits. */
  keepSummary(budget: number): void {
    const { newestSummary } = this.#groups;
    if (this.#fits(newestSummary, budget)) this.#keep(newestSummary);
  }

  keepWhileFits(budget: number): void {
    const { groupOf, lastOf, orphans } = this.#groups;
    for (let position = groupOf.length - 1; position >= 0; position -= 1) {
      const group = groupOf[position] ?? position;
      const decided = this.#kept[group] === 1 || orphans[position] === 1;
      if (decided || lastOf[group] !== position) continue;
      if (!this.#fits(group, budget)) return;
      this.#keep(group);
    }
  }

  keepFrom(start: number): void {
    const { groupOf, orphans } = this.#groups;
    for (let position = start; position < groupOf.length; position += 1) {
      if (orphans[position] === 0) this.#keep(position);
    }
  }

  selection(): WindowSelection {
    const { groupOf } = this.#groups;
    const kept = new Uint8Array(groupOf.length);
    for (let position = 0; position < groupOf.length; position += 1) {
      kept[position] = this.#kept[groupOf[position] ?? position] ?? 0;
    }
    return { kept, groups: this.#groups };
  }

  #keep(position: number): void {
    for (let group = this.#openGroup(position); group >= 0; group = this.#before(group)) {
      this.#kept[group] = 1;
      this.#cost += this.#costs[group] ?? 0;
    }
  }

  #fits(position: number, budget: number): boolean {
    let cost = this.#cost;
    for (let group = this.#openGroup(position); group >= 0; group = this.#before(group)) {
      cost += this.#costs[group] ?? 0;
    }
    return cost <= budget;
  }

  /** The group of a position, or -1 when it is kept already, or there is no such position. */
  #openGroup(position: number): number {
    const group = this.#groups.groupOf[position] ?? -1;
    return this.#kept[group] === 0 ? group : -1;
  }

  /** The group that opens the turn of another, or -1 when there is none that is not kept yet. */
  #before(group: number): number {
    return this.#openGroup(this.#groups.openings[group] ?? -1);
  }
}

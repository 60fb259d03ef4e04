import type { ChatMessage } from '@minne/core';
import { groupMessages, type MessageGroups } from './message-groups.js';
import { isOpener, isQuestion, isSummary, isSystem } from './message-kinds.js';

/** What of a history is to stay. */
export interface WindowOptions {
  /** What may stay, in the unit of `cost`. System messages are not part of it. */
  readonly budget: number;
  /** What the message at a position takes of the budget, 0 or more. */
  readonly cost: (position: number) => number;
  /** Whether the messages that go are replaced by a summary, which begins what is left. Default false. */
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
 * unless another one is to be written. When the window begins in the middle of a turn, the question of
 * that turn stays in its place and the oldest groups make room for it, so that what is left begins with
 * a message of the user wherever the history has one. Results without a call go.
 */
export function selectWindow(
  messages: readonly ChatMessage[],
  { budget, cost, summarises = false }: WindowOptions,
): WindowSelection {
  const window = new Window(messages, cost);
  window.keepNewest();
  const left = budget - window.cost;
  if (!summarises) window.keepSummary(left);
  window.keepWhileFits(budget);
  window.beginWithOpener(budget, summarises);
  return window;
}

/**
 * Chooses everything from a position on, with the groups that reach into it, and the question before
 * them where they begin in the middle of a turn. Results without a call go.
 */
export function selectFrom(messages: readonly ChatMessage[], start: number): WindowSelection {
  const window = new Window(messages, () => 0);
  window.keepNewest();
  window.keepSummary(0);
  window.keepFrom(start);
  window.beginWithOpener(0, false);
  return window;
}

class Window implements WindowSelection {
  readonly kept: Uint8Array;
  readonly groups: MessageGroups;
  /** What is kept takes of the budget. */
  cost = 0;
  readonly #messages: readonly ChatMessage[];
  readonly #costs: Float64Array;
  readonly #members: Int32Array;
  /** 1 at the first position of each group that stays in any case. */
  readonly #pinned: Uint8Array;
  /** The nearest opener before each position, or -1. */
  readonly #openerBefore: Int32Array;

  constructor(messages: readonly ChatMessage[], cost: (position: number) => number) {
    const { length } = messages;
    this.#messages = messages;
    this.groups = groupMessages(messages);
    this.kept = new Uint8Array(length);
    this.#costs = new Float64Array(length);
    this.#pinned = new Uint8Array(length);
    this.#members = new Int32Array(length).fill(-1);
    this.#openerBefore = new Int32Array(length).fill(-1);
    this.#readGroups(cost);
  }

  /** Sums up the groups, chains their members backwards, and keeps system messages. */
  #readGroups(cost: (position: number) => number): void {
    const { groupOf } = this.groups;
    const previous = new Int32Array(groupOf.length).fill(-1);
    let opener = -1;
    for (let position = 0; position < groupOf.length; position += 1) {
      const message = this.#messages[position];
      if (message === undefined) continue;
      this.#openerBefore[position] = opener;
      if (isOpener(message)) opener = position;
      if (isSystem(message)) {
        this.kept[position] = 1;
        continue;
      }
      const group = groupOf[position] ?? position;
      this.#costs[group] = (this.#costs[group] ?? 0) + cost(position);
      this.#members[position] = previous[group] ?? -1;
      previous[group] = position;
    }
  }

  keepNewest(): void {
    const { orphans, waiting } = this.groups;
    const messages = this.#messages;
    const isCandidate = (message: ChatMessage, position: number): boolean =>
      !isSystem(message) && orphans[position] === 0;
    let newest = messages.findLastIndex(isCandidate);
    // A history of nothing but lost results must not become empty.
    if (newest < 0) newest = messages.findLastIndex((message) => !isSystem(message));
    if (newest < 0) return;
    this.#pin(newest);
    const question = messages.findLastIndex(isQuestion);
    if (question >= 0) this.#pin(question);
    for (const { position, group } of waiting) if (position > question) this.#pin(group);
    this.#openPinned();
  }

  /** Keeps the newest summary when it takes no more than this. */
  keepSummary(left: number): void {
    const summary = this.#messages.findLastIndex(isSummary);
    if (summary >= 0 && this.#costOf(summary) <= left) this.#keep(summary);
  }

  keepWhileFits(budget: number): void {
    const { groupOf, lastOf, orphans } = this.groups;
    for (let position = this.kept.length - 1; position >= 0; position -= 1) {
      const group = groupOf[position] ?? position;
      const decided = this.kept[position] === 1 || orphans[position] === 1;
      if (decided || lastOf[group] !== position) continue;
      if (this.cost + this.#costOf(position) > budget) return;
      this.#keep(position);
    }
  }

  keepFrom(start: number): void {
    for (let position = start; position < this.kept.length; position += 1) {
      if (this.groups.orphans[position] === 0) this.#keep(position);
    }
  }

  beginWithOpener(budget: number, summarises: boolean): void {
    const { groupOf } = this.groups;
    let dropped = summarises ? this.#lastDropped() : this.kept.length;
    let first = this.#firstKept(0);
    // What was dropped is not taken back, so that this comes to an end.
    const refused = new Set<number>();
    // A new summary stands where the last message was that it replaces, and is an opener itself.
    while (first >= 0 && first < dropped && !this.#opens(first)) {
      const opener = this.#openerBefore[first] ?? -1;
      if (opener < 0) return;
      const group = groupOf[opener] ?? opener;
      if (!refused.has(group) && this.cost + this.#costOf(opener) <= budget) {
        this.#keep(opener);
        first = group;
      } else if (this.#pinned[groupOf[first] ?? first] === 1) {
        return;
      } else {
        this.#drop(first);
        refused.add(groupOf[first] ?? first);
        if (summarises) dropped = Math.max(dropped, this.groups.lastOf[groupOf[first] ?? 0] ?? 0);
        first = this.#firstKept(first + 1);
      }
    }
  }

  /** What stays in any case begins with an opener, where there is one before it. */
  #openPinned(): void {
    let first = this.#firstKept(0);
    while (!this.#opens(first)) {
      const opener = this.#openerBefore[first] ?? -1;
      if (opener < 0) return;
      this.#pin(opener);
      first = this.groups.groupOf[opener] ?? opener;
    }
  }

  #pin(position: number): void {
    this.#pinned[this.groups.groupOf[position] ?? position] = 1;
    this.#keep(position);
  }

  #keep(position: number): void {
    if (this.kept[position] === 1) return;
    this.cost += this.#costOf(position);
    this.#mark(position, 1);
  }

  #drop(position: number): void {
    this.cost -= this.#costOf(position);
    this.#mark(position, 0);
  }

  #mark(position: number, value: 0 | 1): void {
    const { groupOf, lastOf } = this.groups;
    let member = lastOf[groupOf[position] ?? position] ?? position;
    while (member >= 0) {
      this.kept[member] = value;
      member = this.#members[member] ?? -1;
    }
  }

  #costOf(position: number): number {
    return this.#costs[this.groups.groupOf[position] ?? position] ?? 0;
  }

  #opens(position: number): boolean {
    const message = this.#messages[position];
    return message !== undefined && isOpener(message);
  }

  #firstKept(from: number): number {
    for (let position = from; position < this.kept.length; position += 1) {
      const message = this.#messages[position];
      if (this.kept[position] === 1 && message !== undefined && !isSystem(message)) return position;
    }
    return -1;
  }

  #lastDropped(): number {
    return this.kept.lastIndexOf(0);
  }
}

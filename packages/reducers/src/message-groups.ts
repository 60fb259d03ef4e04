import type { ChatMessage } from '@minne/core';
import { isResultsOnly, isSystem } from './message-kinds.js';

/** Messages that stay or go together, by position in the history. */
export interface MessageGroups {
  /** The position of the first message of the group that each message belongs to. */
  readonly groupOf: Int32Array;
  /** The position of the last message of each group, at the position of its first. */
  readonly lastOf: Int32Array;
  /** 1 where a message holds only results whose calls are nowhere before them. */
  readonly orphans: Uint8Array;
  /** Groups with an approval request that has no result yet, by the position of the request. */
  readonly waiting: readonly { readonly position: number; readonly group: number }[];
}

/**
 * Finds what belongs together, in one pass: time and memory in proportion to the messages and contents.
 *
 * - A tool call and its result: a result belongs to the first call before it with its `callId` that no
 *   earlier result took, wherever either stands. That is how results are sent to a model, too.
 * - A request for approval, its answer (by the id of the request) and the result of its call.
 * - What shares a message: parallel calls, text and reasoning beside a call.
 * - An assistant's message of nothing but reasoning, and the message of the assistant right after it.
 *
 * System messages belong to no group but their own.
 */
export function groupMessages(messages: readonly ChatMessage[]): MessageGroups {
  const finder = new GroupFinder(messages.length);
  for (let position = 0; position < messages.length; position += 1) {
    const message = messages[position];
    if (message !== undefined && !isSystem(message)) finder.read(message, position);
  }
  return finder.finish();
}

/** Positions that wait under a key, to be taken in their order. Most keys have one. */
class Waiting {
  readonly #first = new Map<string, number>();
  readonly #others = new Map<string, { readonly items: number[]; head: number }>();

  push(key: string, position: number): void {
    if (!this.#first.has(key)) {
      this.#first.set(key, position);
      return;
    }
    const others = this.#others.get(key);
    if (others === undefined) this.#others.set(key, { items: [position], head: 0 });
    else others.items.push(position);
  }

  shift(key: string): number | undefined {
    const first = this.#first.get(key);
    if (first === undefined) return undefined;
    const others = this.#others.get(key);
    const next = others?.items[others.head];
    if (others === undefined || next === undefined) {
      this.#first.delete(key);
    } else {
      this.#first.set(key, next);
      others.head += 1;
    }
    return first;
  }
}

class GroupFinder {
  /** A forest: each message points to an earlier one of its group, the first one to itself. */
  readonly #parents: Int32Array;
  readonly #orphans: Uint8Array;
  readonly #calls = new Waiting();
  readonly #requestsOfCall = new Waiting();
  readonly #requests = new Map<string, number>();
  readonly #open = new Map<number, number>();
  #thought = -1;

  constructor(length: number) {
    this.#parents = new Int32Array(length);
    for (let index = 0; index < length; index += 1) this.#parents[index] = index;
    this.#orphans = new Uint8Array(length);
  }

  read(message: ChatMessage, position: number): void {
    if (this.#thought >= 0 && message.role === 'assistant') this.#join(this.#thought, position);
    this.#thought = -1;
    const { contents } = message;
    let onlyReasoning = message.role === 'assistant' && contents.length > 0;
    let paired = false;
    for (const content of contents) {
      switch (content.type) {
        case 'tool_call':
          this.#calls.push(content.callId, position);
          break;
        case 'tool_result':
          paired = this.#answer(content.callId, position) || paired;
          break;
        case 'approval_request':
          this.#requests.set(content.id, position);
          this.#requestsOfCall.push(content.toolCall.callId, position);
          this.#open.set(position, (this.#open.get(position) ?? 0) + 1);
          break;
        case 'approval_response':
          this.#joinRequest(content.id, position);
          break;
      }
      onlyReasoning &&= content.type === 'reasoning';
    }
    if (onlyReasoning) this.#thought = position;
    if (!paired && isResultsOnly(message)) this.#orphans[position] = 1;
  }

  finish(): MessageGroups {
    const { length } = this.#parents;
    const lastOf = new Int32Array(length);
    // A parent stands before its children, so it points to the first of the group already.
    for (let index = 0; index < length; index += 1) {
      const group = this.#first(index);
      this.#parents[index] = group;
      lastOf[group] = index;
    }
    const waiting: { position: number; group: number }[] = [];
    for (const [position, count] of this.#open) {
      if (count > 0) waiting.push({ position, group: this.#first(position) });
    }
    return { groupOf: this.#parents, lastOf, orphans: this.#orphans, waiting };
  }

  /** Whether there is something that the result answers. */
  #answer(callId: string, position: number): boolean {
    const call = this.#calls.shift(callId);
    const request = this.#requestsOfCall.shift(callId);
    if (call !== undefined) this.#join(call, position);
    if (request !== undefined) {
      this.#join(request, position);
      this.#open.set(request, (this.#open.get(request) ?? 1) - 1);
    }
    return call !== undefined || request !== undefined;
  }

  #joinRequest(id: string, position: number): void {
    const request = this.#requests.get(id);
    if (request !== undefined) this.#join(request, position);
  }

  #join(one: number, other: number): void {
    const [a, b] = [this.#first(one), this.#first(other)];
    if (a < b) this.#parents[b] = a;
    else this.#parents[a] = b;
  }

  #first(position: number): number {
    let at = position;
    for (;;) {
      const parent = this.#parents[at] ?? at;
      if (parent === at) return at;
      const next = this.#parents[parent] ?? parent;
      this.#parents[at] = next;
      at = next;
    }
  }
}

import { type ChatMessage, isSummary, isSystem } from '@minne/core';
import { isOpener, isQuestion, isResultsOnly } from './message-kinds.js';
import { WaitingQueues } from './waiting-queues.js';

/** Of a message that may come first. */
const opensItself = -1;
/** Of a message before which there is none that may come first. */
const nothingBefore = -2;

/** Messages that stay or go together, by position in the history. */
export interface MessageGroups {
  /** The position of the first message of the group that each message belongs to. */
  readonly groupOf: Int32Array;
  /** The position of the last message of each group, at the position of its first. */
  readonly lastOf: Int32Array;
  /** 1 where a message is a system one: each is a group of its own. */
  readonly systems: Uint8Array;
  /** 1 where a message holds only results whose calls are nowhere before them. */
  readonly orphans: Uint8Array;
  /**
   * The position of the message that each group needs before it, so that it does not begin in the middle
   * of a turn, at the position of its first message: the nearest question, or else the nearest message
   * that may come first. Negative where it needs none, or there is none.
   */
  readonly openings: Int32Array;
  /** The position of the newest question of the user, or -1. */
  readonly newestQuestion: number;
  /** The position of the newest summary, or -1. */
  readonly newestSummary: number;
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
 */
export function groupMessages(messages: readonly ChatMessage[]): MessageGroups {
  const finder = new GroupFinder(messages.length);
  for (let position = 0; position < messages.length; position += 1) {
    const message = messages[position];
    if (message !== undefined) finder.read(message, position);
  }
  return finder.finish();
}

class GroupFinder {
  /** A forest: each message points to an earlier one of its group, the first one to itself. */
  readonly #parents: Int32Array;
  readonly #systems: Uint8Array;
  readonly #orphans: Uint8Array;
  readonly #openings: Int32Array;
  readonly #calls = new WaitingQueues<number>();
  readonly #requestsOfCall = new WaitingQueues<number>();
  /** Positions of approval requests, by their id. */
  readonly #requests = new Map<string, number>();
  /** How many requests wait, by the position of the message. */
  readonly #open = new Map<number, number>();
  /** The message before, when it is nothing but reasoning of the assistant; or -1. */
  #thought = -1;
  #opener = -1;
  #question = -1;
  #summary = -1;

  constructor(length: number) {
    this.#parents = new Int32Array(length);
    for (let position = 0; position < length; position += 1) this.#parents[position] = position;
    this.#systems = new Uint8Array(length);
    this.#orphans = new Uint8Array(length);
    this.#openings = new Int32Array(length).fill(nothingBefore);
  }

  read(message: ChatMessage, position: number): void {
    if (isSystem(message)) {
      this.#systems[position] = 1;
      return;
    }
    if (this.#thought >= 0 && message.role === 'assistant') this.#join(this.#thought, position);
    this.#thought = -1;
    this.#readContents(message, position);
    if (isSummary(message)) this.#summary = position;
    if (isOpener(message)) {
      this.#openings[position] = opensItself;
      this.#opener = position;
      if (isQuestion(message)) this.#question = position;
    } else if (this.#opener >= 0) {
      this.#openings[position] = this.#question >= 0 ? this.#question : this.#opener;
    }
  }

  finish(): MessageGroups {
    const { length } = this.#parents;
    const lastOf = new Int32Array(length);
    // A parent stands before its children, so it points to the first of the group already.
    for (let position = 0; position < length; position += 1) {
      const group = this.#first(position);
      this.#parents[position] = group;
      lastOf[group] = position;
      // What begins before anything that may come first is opened with what of it comes later.
      if (this.#openings[group] === nothingBefore) {
        this.#openings[group] = this.#openings[position] ?? nothingBefore;
      }
    }
    const waiting: { position: number; group: number }[] = [];
    for (const [position, count] of this.#open) {
      if (count > 0) waiting.push({ position, group: this.#first(position) });
    }
    return {
      groupOf: this.#parents,
      lastOf,
      systems: this.#systems,
      orphans: this.#orphans,
      openings: this.#openings,
      newestQuestion: this.#question,
      newestSummary: this.#summary,
      waiting,
    };
  }

  #readContents(message: ChatMessage, position: number): void {
    let onlyReasoning = message.role === 'assistant' && message.contents.length > 0;
    let answers = message.role === 'tool';
    let paired = false;
    for (const content of message.contents) {
      switch (content.type) {
        case 'tool_call':
          this.#calls.push(content.callId, position);
          break;
        case 'tool_result':
          answers = true;
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
    if (answers && !paired && isResultsOnly(message)) this.#orphans[position] = 1;
  }

  /** @returns Whether there is something that the result answers. */
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

  /** The first message of the group, as far as it is known; the way to it is made shorter. */
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

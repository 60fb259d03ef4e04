import { CallPairing } from '../call-pairing.js';
import type { ReduceResult } from '../chat-reducer.js';
import { deepFreeze } from '../deep-freeze.js';
import { InvalidInputError } from '../errors.js';
import { type ChatMessage, parseMessage } from '../message.js';
import { isPlain } from '../run/plain-message.js';
import { sameMessage } from '../same-message.js';
import {
  isSummary,
  isSystem,
  type PlacedMessage,
  reducedMetadataKey,
  summaryMetadataKey,
} from './placed-message.js';

/**
 * Finds the places of what a reducer left: kept messages keep theirs, and a summary takes that of the last
 * message it replaces. System messages therefore may come to stand before a summary that was before them.
 *
 * @returns The very array that was given when nothing was reduced.
 * @throws InvalidInputError when the result breaks a law of reducers that this can tell.
 */
export function placeReduction(
  before: readonly PlacedMessage[],
  { messages, summary }: ReduceResult,
): readonly PlacedMessage[] {
  const reduction = new Placing(before);
  for (const message of messages) {
    const fresh = message === summary || isSummary(message);
    if (!(fresh && reduction.summarise(message))) reduction.keep(message);
  }
  return reduction.end();
}

class Placing {
  readonly #before: readonly PlacedMessage[];
  readonly #indexes: ReadonlyMap<string, number>;
  /** What is left of the given messages, by index. */
  readonly #kept = new Map<number, PlacedMessage>();
  readonly #summaries = new Map<number, PlacedMessage>();
  /** Summaries for which the next kept message has not come yet. */
  #open: ChatMessage[] = [];
  #last = -1;
  #changed = false;

  constructor(before: readonly PlacedMessage[]) {
    this.#before = before;
    this.#indexes = new Map(before.map(({ message }, index) => [message.id, index]));
  }

  /** @returns Whether the summary is a new one. */
  summarise(message: ChatMessage): boolean {
    const known = this.#before[this.#indexes.get(message.id) ?? -1]?.message;
    if (known !== undefined && (known === message || sameMessage(known, message))) return false;
    if (message.role !== 'user') {
      throw broken(`gave a summary with the role ${message.role}; a summary is a user message`);
    }
    this.#open.push(marked(message, summaryMetadataKey));
    return true;
  }

  keep(message: ChatMessage): void {
    const index = this.#indexes.get(message.id) ?? -1;
    const found = this.#before[index];
    if (found === undefined) {
      throw broken(`gave a message ${message.id} that is neither one it was given nor a summary`);
    }
    if (index <= this.#last) throw broken(`gave message ${message.id} out of order`);
    this.#last = index;
    const same = found.message === message || sameMessage(found.message, message);
    if (!same && (found.message.role !== message.role || isSystem(message))) {
      throw broken(`changed message ${message.id} in what it must leave alone`);
    }
    this.#changed ||= !same;
    this.#kept.set(
      index,
      same
        ? found
        : { sequence: found.sequence, message: marked(message, reducedMetadataKey), made: true },
    );
    if (!isSystem(message)) this.#placeSummaries(index);
  }

  end(): readonly PlacedMessage[] {
    this.#placeSummaries(this.#before.length);
    const left = [...this.#kept.values(), ...this.#summaries.values()];
    if (!this.#changed && left.length === this.#before.length && this.#summaries.size === 0) {
      return this.#before;
    }
    for (const [index, { message }] of this.#before.entries()) {
      if (isSystem(message) && !this.#kept.has(index)) {
        throw broken(`took away the ${message.role} message ${message.id}`);
      }
    }
    if (left.every(({ message }) => isSystem(message)) && !this.#onlySystem()) {
      throw broken('left nothing');
    }
    this.#checkCalls();
    return left.sort((one, other) => one.sequence - other.sequence);
  }

  /** Gives the open summaries the last free places before `end`. */
  #placeSummaries(end: number): void {
    let index = end;
    for (const message of this.#open.toReversed()) {
      do index -= 1;
      while (this.#kept.has(index) || this.#summaries.has(index));
      const replaced = this.#before[index];
      if (replaced === undefined) throw broken('gave a summary of nothing');
      this.#summaries.set(index, { sequence: replaced.sequence, message, made: true });
    }
    this.#open = [];
  }

  /** A call and its result stay or go together, whatever else is in their messages. */
  #checkCalls(): void {
    const pairing = new CallPairing<number>();
    for (const [index, { message }] of this.#before.entries()) {
      if (isPlain(message)) continue;
      for (const content of message.contents) {
        if (content.type === 'tool_call') pairing.call(content.callId, index);
        if (content.type !== 'tool_result') continue;
        const caller = pairing.result(content.callId);
        if (caller === undefined || this.#kept.has(caller) === this.#kept.has(index)) continue;
        throw broken(`parted the tool call ${content.callId} from its result`);
      }
    }
  }

  #onlySystem(): boolean {
    return this.#before.every(({ message }) => isSystem(message));
  }
}

function marked(message: ChatMessage, key: string): ChatMessage {
  const metadata = { [key]: true, ...message.metadata };
  return deepFreeze(parseMessage({ ...message, metadata }, 'a message of the reducer'));
}

/** The error of a reducer that breaks a law; `problem` goes on after its name. */
export function broken(problem: string): InvalidInputError {
  return new InvalidInputError(`The reducer ${problem}.`, {
    packageName: '@minne/core',
    field: 'reducer',
  });
}

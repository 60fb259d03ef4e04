import type {
  ChatMessage,
  ChatReducer,
  ReduceOptions,
  ReduceResult,
  TokenCounter,
} from '@minne/core';
import { cachedTokenCounter } from './cached-token-counter.js';
import { isQuestion } from './message-kinds.js';
import { checkInput, optionsOf, wholeNumber } from './options.js';
import { divide, notReduced, toResult } from './reduction.js';
import { selectFrom } from './window-selection.js';

/** Options of {@link SlidingWindowReducer}. */
export interface SlidingWindowReducerOptions {
  /** How many turns are left by a reduction. At least 1. */
  readonly targetCount: number;
  /**
   * By how many turns the history may outgrow `targetCount`: it is reduced when it has more than
   * `targetCount + threshold`. Default 0.
   */
  readonly threshold?: number;
  /** Counts tokens for the report. Default: none are counted. */
  readonly tokenCounter?: TokenCounter;
}

/**
 * Keeps the newest turns, whole.
 *
 * A turn begins with a message in which the user says something and lasts to the next one; summaries and
 * injected context begin none. A history of more than `targetCount + threshold` turns is reduced to the
 * newest `targetCount`. What reaches into them from before stays, with its question: a call whose result
 * came late. What is said before the first turn goes with it; a summary goes too, unless it is the
 * newest one.
 */
export class SlidingWindowReducer implements ChatReducer {
  readonly specificationVersion = 'v1' as const;
  readonly id = 'sliding_window';
  readonly #targetCount: number;
  readonly #limit: number;
  readonly tokenCounter?: TokenCounter;

  /** @throws ConfigurationError when a number is not whole or too small. */
  constructor(options: SlidingWindowReducerOptions) {
    const { targetCount, threshold = 0, tokenCounter } = optionsOf(options);
    this.#targetCount = wholeNumber(targetCount, 'targetCount', 1);
    this.#limit = targetCount + wholeNumber(threshold, 'threshold', 0);
    if (tokenCounter !== undefined) {
      this.tokenCounter = cachedTokenCounter(tokenCounter);
    }
  }

  async reduce(
    messages: readonly ChatMessage[],
    { signal }: ReduceOptions = {},
  ): Promise<ReduceResult> {
    checkInput(messages, signal);
    const common = { reducer: this.id, before: messages, tokenCounter: this.tokenCounter };
    const turns = turnStarts(messages);
    const count = turns.length;
    const start = turns.at(-this.#targetCount);
    if (count <= this.#limit || start === undefined) {
      return notReduced({ ...common, reason: `${count} turns are not over ${this.#limit}.` });
    }
    return toResult({
      ...common,
      ...divide(messages, selectFrom(messages, start).kept),
      reason: `${count} turns are over ${this.#limit}; the newest ${this.#targetCount} are left.`,
    });
  }
}

/** The positions at which turns begin. */
export function turnStarts(messages: readonly ChatMessage[]): number[] {
  const starts: number[] = [];
  for (let position = 0; position < messages.length; position += 1) {
    const message = messages[position];
    if (message !== undefined && isQuestion(message)) starts.push(position);
  }
  return starts;
}

import {
  type ChatMessage,
  type ChatReducer,
  isSystem,
  type ReduceOptions,
  type ReduceResult,
  type TokenCounter,
} from '@minne/core';
import { cachedTokenCounter } from './cached-token-counter.js';
import { checkInput, optionsOf, wholeNumber } from './options.js';
import { divide, notReduced, toResult } from './reduction.js';
import { unmetWarning } from './unmet-warning.js';
import { selectWindow } from './window-selection.js';

/** Options of {@link MessageCountingReducer}. */
export interface MessageCountingReducerOptions {
  /** How many messages are left by a reduction, at most; system messages are not counted. At least 1. */
  readonly targetCount: number;
  /**
   * By how many messages the history may outgrow `targetCount`: it is reduced when it has more than
   * `targetCount + threshold`. Default 0.
   */
  readonly threshold?: number;
  /** Counts tokens for the report. Default: none are counted. */
  readonly tokenCounter?: TokenCounter;
}

/**
 * Keeps the newest messages.
 *
 * A history of more than `targetCount + threshold` messages is reduced to at most `targetCount`. More
 * stay only where what must stay is more: the newest group, the newest question and what it waits for.
 */
export class MessageCountingReducer implements ChatReducer {
  readonly specificationVersion = 'v1' as const;
  readonly id = 'message_counting';
  readonly #targetCount: number;
  readonly #limit: number;
  readonly tokenCounter?: TokenCounter;

  /** @throws ConfigurationError when a number is not whole or too small. */
  constructor(options: MessageCountingReducerOptions) {
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
    const count = countConversation(messages);
    if (count <= this.#limit) {
      return notReduced({ ...common, reason: `${count} messages are not over ${this.#limit}.` });
    }
    const { kept } = selectWindow(messages, { budget: this.#targetCount, cost: () => 1 });
    const parts = divide(messages, kept);
    const left = countConversation(parts.after);
    return toResult({
      ...common,
      ...parts,
      reason: `${count} messages are over ${this.#limit}; ${left} are left of at most ${this.#targetCount}.`,
      warnings: left > this.#limit ? [unmetWarning(`${left} messages`, `${this.#limit}`)] : [],
    });
  }
}

/** How many messages are not system ones. */
export function countConversation(messages: readonly ChatMessage[]): number {
  let count = 0;
  for (const message of messages) if (!isSystem(message)) count += 1;
  return count;
}

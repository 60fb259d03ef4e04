import {
  type ChatMessage,
  type ChatReducer,
  countMessage,
  isSystem,
  type ReduceOptions,
  type ReduceResult,
  type TokenCounter,
} from '@minne/core';
import { cachedTokenCounter } from './cached-token-counter.js';
import { estimatedTokenCounter } from './estimated-token-counter.js';
import { checkInput, optionsOf, wholeNumber } from './options.js';
import { divide, notReduced, toResult } from './reduction.js';
import { unmetWarning } from './unmet-warning.js';
import { selectWindow } from './window-selection.js';

/** Options of {@link TokenBudgetReducer}. */
export interface TokenBudgetReducerOptions {
  /**
   * How many tokens are left by a reduction, at most: of system messages, of all others, and of what is
   * sent beside them (`fixedTokens`). At least 1.
   */
  readonly targetTokens: number;
  /**
   * By how many tokens that may be outgrown: the history is reduced when all together cost more than
   * `targetTokens + threshold`, which is what has to fit the model, answer not included. Default 0.
   */
  readonly threshold?: number;
  /** Default: {@link estimatedTokenCounter}. */
  readonly tokenCounter?: TokenCounter;
}

/**
 * Keeps the newest messages that fit a number of tokens.
 *
 * When messages and `fixedTokens` cost more than `targetTokens + threshold`, the oldest groups go until
 * they cost at most `targetTokens`. System messages, the newest group, the newest question and what it
 * waits for stay even when they alone cost more: with a warning `budget_unmet` when they are over
 * `targetTokens + threshold`.
 */
export class TokenBudgetReducer implements ChatReducer {
  readonly specificationVersion = 'v1' as const;
  readonly id = 'token_budget';
  readonly #targetTokens: number;
  readonly #limit: number;
  readonly tokenCounter: TokenCounter;

  /** @throws ConfigurationError when a number is not whole or too small. */
  constructor(options: TokenBudgetReducerOptions) {
    const { targetTokens, threshold = 0, tokenCounter } = optionsOf(options);
    this.#targetTokens = wholeNumber(targetTokens, 'targetTokens', 1);
    this.#limit = targetTokens + wholeNumber(threshold, 'threshold', 0);
    this.tokenCounter = cachedTokenCounter(tokenCounter ?? estimatedTokenCounter);
  }

  async reduce(
    messages: readonly ChatMessage[],
    { signal, fixedTokens = 0 }: ReduceOptions = {},
  ): Promise<ReduceResult> {
    checkInput(messages, signal, fixedTokens);
    const common = { reducer: this.id, before: messages, tokenCounter: this.tokenCounter };
    const costs = new Float64Array(messages.length);
    let [system, conversation] = [0, 0];
    for (let position = 0; position < messages.length; position += 1) {
      const message = messages[position];
      if (message === undefined) continue;
      const cost = countMessage(message, this.tokenCounter);
      costs[position] = cost;
      if (isSystem(message)) system += cost;
      else conversation += cost;
    }
    const total = fixedTokens + system + conversation;
    if (total <= this.#limit) {
      return notReduced({ ...common, reason: `${total} tokens are not over ${this.#limit}.` });
    }
    const { kept } = selectWindow(messages, {
      budget: this.#targetTokens - fixedTokens - system,
      cost: (position) => costs[position] ?? 0,
    });
    let left = fixedTokens;
    for (let position = 0; position < kept.length; position += 1) {
      if (kept[position] === 1) left += costs[position] ?? 0;
    }
    const fixed = fixedTokens === 0 ? '' : `, ${fixedTokens} of them fixed`;
    return toResult({
      ...common,
      ...divide(messages, kept),
      reason: `${total} tokens${fixed} are over ${this.#limit}; ${left} are left of at most ${this.#targetTokens}.`,
      warnings: left > this.#limit ? [unmetWarning(`${left} tokens`, `${this.#limit}`)] : [],
    });
  }
}

import type { ChatMessage, ChatReducer, Content, ReduceOptions, ReduceResult } from '@minne/core';
import type { ReducerParts } from '../../src/reducer/index.js';
import { ReferenceTokenReducer } from '../reference-token-reducer.js';

/** Has the whole budget for the messages, whatever else is sent. */
export class IgnoresFixedTokens extends ReferenceTokenReducer {
  override async reduce(
    messages: readonly ChatMessage[],
    { signal }: ReduceOptions = {},
  ): Promise<ReduceResult> {
    return super.reduce(messages, signal === undefined ? {} : { signal });
  }
}

/** Says nothing when the budget cannot be met. */
export class NeverWarns extends ReferenceTokenReducer {
  override async reduce(
    messages: readonly ChatMessage[],
    options?: ReduceOptions,
  ): Promise<ReduceResult> {
    return { ...(await super.reduce(messages, options)), warnings: [] };
  }
}

/** Fails when the budget cannot be met. */
export class ThrowsOverBudget extends ReferenceTokenReducer {
  override async reduce(
    messages: readonly ChatMessage[],
    options?: ReduceOptions,
  ): Promise<ReduceResult> {
    const result = await super.reduce(messages, options);
    if (result.warnings.length > 0) throw new Error('The budget cannot be met.');
    return result;
  }
}

/** Keeps to itself what it counts with. */
export class HidesItsCounter implements ChatReducer {
  readonly specificationVersion = 'v1' as const;
  readonly id = 'hidden';
  readonly #inner: ReferenceTokenReducer;

  constructor(parts: ReducerParts) {
    this.#inner = new ReferenceTokenReducer(parts);
  }

  reduce(messages: readonly ChatMessage[], options?: ReduceOptions): Promise<ReduceResult> {
    return this.#inner.reduce(messages, options);
  }
}

/** Counts everything anew in every reduction. */
export class CountsAnew extends ReferenceTokenReducer {
  protected override count(content: Content): number {
    return this.parts.tokenCounter.count(content);
  }
}

import type { ChatMessage, ChatReducer, ReduceOptions, ReduceResult } from '@minne/core';
import { expect } from 'vitest';
import { expectLawful } from './laws.js';
import { RecordingTokenCounter } from './recording-token-counter.js';
import type { ChatReducerSuiteOptions } from './reducer-suite-options.js';
import { ScriptedSummariser } from './scripted-summariser.js';

/** What a case works with. */
export class ReducerTestContext {
  /** The model that writes the summaries of every reducer of the case. */
  readonly summariser = new ScriptedSummariser();
  /** What every reducer of the case counts with. */
  readonly tokenCounter = new RecordingTokenCounter();
  readonly #create: ChatReducerSuiteOptions['create'];

  constructor(create: ChatReducerSuiteOptions['create']) {
    this.#create = create;
  }

  async open(): Promise<ChatReducer> {
    return this.#create({ chatClient: this.summariser, tokenCounter: this.tokenCounter });
  }

  /** Reduces with a reducer of its own. */
  async reduce(messages: readonly ChatMessage[], options?: ReduceOptions): Promise<ReduceResult> {
    const reducer = await this.open();
    return reducer.reduce(messages, options);
  }

  /** Reduces, and expects every law to hold. */
  async reduceLawfully(
    messages: readonly ChatMessage[],
    options?: ReduceOptions,
  ): Promise<ReduceResult> {
    const result = await this.reduce(messages, options);
    expectLawful(messages, result);
    return result;
  }
}

/** Expects that the case has seen the reducer at work. */
export function expectReduced({ removed }: ReduceResult): void {
  expect(removed.length, 'something is removed').toBeGreaterThan(0);
}

import {
  type ChatMessage,
  type ChatReducer,
  ConfigurationError,
  type ReduceOptions,
  type ReduceResult,
  type ReductionReport,
  type Warning,
} from '@minne/core';
import { isSummary } from './message-kinds.js';
import { packageName } from './reduction.js';
import type { ReductionTrigger } from './reduction-triggers.js';

/** A step of a {@link ReducerPipeline}. */
export interface ReducerStep {
  readonly reducer: ChatReducer;
  /** Default: in any case. The reducer still has its own target and threshold. */
  readonly when?: ReductionTrigger;
}

/** Options of {@link ReducerPipeline}. */
export interface ReducerPipelineOptions {
  /** Taken in this order, the mildest first: each works on what the one before has left. */
  readonly steps: readonly (ChatReducer | ReducerStep)[];
}

/** Rounds after which a pipeline whose reducers never come to an end is left. */
const mostRounds = 16;

/**
 * Reducers one after the other, each when its trigger holds.
 *
 * The steps are taken again until none of them changes anything, since a later step can make the trigger
 * of an earlier one hold. A step that has warned is not taken again, so that a summariser that fails is
 * asked once. There is a report for each reduction, and for each step that was not taken.
 */
export class ReducerPipeline implements ChatReducer {
  readonly specificationVersion = 'v1' as const;
  readonly id = 'pipeline';
  readonly #steps: readonly ReducerStep[];

  /** @throws ConfigurationError when there are no steps. */
  constructor({ steps }: ReducerPipelineOptions) {
    if (steps.length === 0) {
      throw new ConfigurationError('steps is empty. Give at least one reducer.', {
        packageName,
        field: 'steps',
      });
    }
    this.#steps = steps.map((step) => ('reducer' in step ? step : { reducer: step }));
  }

  async reduce(
    messages: readonly ChatMessage[],
    options: ReduceOptions = {},
  ): Promise<ReduceResult> {
    options.signal?.throwIfAborted();
    const run = new PipelineRun(this.#steps, messages);
    for (let round = 0; round < mostRounds; round += 1) {
      if (!(await run.round(options, round))) break;
    }
    return run.result();
  }
}

class PipelineRun {
  readonly #steps: readonly ReducerStep[];
  readonly #before: readonly ChatMessage[];
  #messages: readonly ChatMessage[];
  readonly #reports: ReductionReport[] = [];
  readonly #warnings: Omit<Warning, 'sourceId'>[] = [];
  readonly #warned = new Set<ReducerStep>();
  readonly #summaries = new Set<ChatMessage>();

  constructor(steps: readonly ReducerStep[], messages: readonly ChatMessage[]) {
    this.#steps = steps;
    this.#before = messages;
    this.#messages = messages;
  }

  /** Takes every step once. @returns whether any of them has changed anything. */
  async round({ signal, fixedTokens = 0 }: ReduceOptions, round: number): Promise<boolean> {
    const before = this.#messages;
    for (const step of this.#steps) {
      const { reducer, when } = step;
      if (this.#warned.has(step)) continue;
      if (when?.holds({ messages: this.#messages, fixedTokens }) === false) {
        if (round === 0) this.#reports.push(notTaken(step, this.#messages.length));
        continue;
      }
      const result = await reducer.reduce(this.#messages, {
        fixedTokens,
        ...(signal === undefined ? {} : { signal }),
      });
      if (round === 0 || result.messages !== this.#messages) this.#reports.push(...result.reports);
      if (result.warnings.length > 0) this.#warned.add(step);
      this.#warnings.push(...result.warnings);
      if (result.summary !== undefined) this.#summaries.add(result.summary);
      this.#messages = result.messages;
    }
    return this.#messages !== before;
  }

  result(): ReduceResult {
    const left = new Set(this.#messages);
    const removed = this.#before.filter((message) => !left.has(message));
    const summary = this.#messages.findLast(
      (message) => isSummary(message) && this.#summaries.has(message),
    );
    return {
      messages: this.#messages,
      removed,
      ...(summary === undefined ? {} : { summary }),
      reports: this.#reports,
      warnings: this.#warnings,
    };
  }
}

function notTaken({ reducer, when }: ReducerStep, count: number): ReductionReport {
  const waited = when?.description ?? '';
  return {
    reducer: reducer.id,
    reason: `Not taken: it waits for ${waited}.`,
    kept: count,
    dropped: 0,
    summarised: 0,
  };
}

import type {
  ChatMessage,
  ChatReducer,
  ReduceOptions,
  ReduceResult,
  ReductionReport,
  TokenCounter,
  Warning,
} from '@minne/core';
import { checkInput, optionsOf, wrongOption } from './options.js';
import { notReduced } from './reduction.js';
import { checkTrigger, firstCounter, type ReductionTrigger } from './reduction-triggers.js';
import { unmetCode } from './unmet-warning.js';

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

type ReducerWarning = Omit<Warning, 'sourceId'>;

/** Rounds after which a pipeline whose reducers never come to an end is left. */
const mostRounds = 16;

/**
 * Reducers one after the other, each when its trigger holds.
 *
 * The steps are taken again until none of them changes anything, since a later step can make the trigger
 * of an earlier one hold. A step that has failed is not taken again, so that a summariser that fails is
 * asked once. What a step leaves is dropped, with a warning, when it would put a second summary beside that
 * of another step. There is a report for each reduction, and for each step that was not taken.
 *
 * Its `tokenCounter` is the first that a trigger or a reducer of its steps has: what is sent beside the
 * history is counted with one, so give all steps the same.
 */
export class ReducerPipeline implements ChatReducer {
  readonly specificationVersion = 'v1' as const;
  readonly id = 'pipeline';
  readonly tokenCounter?: TokenCounter;
  readonly #steps: readonly ReducerStep[];

  /** @throws ConfigurationError when there are no steps, or one is none. */
  constructor(options: ReducerPipelineOptions) {
    const { steps } = optionsOf(options);
    if (!Array.isArray(steps) || steps.length === 0) {
      throw wrongOption('steps', 'must be an array with at least one reducer.');
    }
    this.#steps = steps.map(stepOf);
    const counting = this.#steps.flatMap(({ when, reducer }) =>
      when === undefined ? [reducer] : [when, reducer],
    );
    const { tokenCounter } = firstCounter(counting);
    if (tokenCounter !== undefined) this.tokenCounter = tokenCounter;
  }

  async reduce(
    messages: readonly ChatMessage[],
    options: ReduceOptions = {},
  ): Promise<ReduceResult> {
    checkInput(messages, options.signal, options.fixedTokens);
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
  /** What each step has warned of when it was last taken. */
  readonly #warnings = new Map<ReducerStep, readonly ReducerWarning[]>();
  #summary: ChatMessage | undefined;

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
      if (this.#hasFailed(step)) continue;
      if (when?.holds({ messages: this.#messages, fixedTokens }) === false) {
        this.#warnings.delete(step);
        if (round === 0) this.#reports.push(notTaken(step, this.#messages.length));
        continue;
      }
      const result = await reducer.reduce(this.#messages, {
        fixedTokens,
        ...(signal === undefined ? {} : { signal }),
      });
      if (this.#isSecondSummary(result)) {
        this.#warnings.set(step, [secondSummary(reducer.id)]);
        continue;
      }
      if (round === 0 || result.messages !== this.#messages) this.#reports.push(...result.reports);
      this.#warnings.set(step, result.warnings);
      this.#summary = result.summary ?? this.#summary;
      this.#messages = result.messages;
    }
    return this.#messages !== before;
  }

  result(): ReduceResult {
    // Nothing may have been taken, and a history of lost results at its front is accepted by no model.
    if (this.#messages === this.#before) this.#dropLostResults();
    const removed = missingFrom(this.#messages, this.#before);
    const isLeft = this.#summary !== undefined && this.#messages.includes(this.#summary);
    const summary = isLeft ? this.#summary : undefined;
    return {
      messages: this.#messages,
      removed,
      ...(summary === undefined ? {} : { summary }),
      reports: this.#reports,
      warnings: [...this.#warnings.values()].flat(),
    };
  }

  /** A budget that was not met may be in a later round; what has failed would only cost time again. */
  #hasFailed(step: ReducerStep): boolean {
    return this.#warnings.get(step)?.some(({ code }) => code !== unmetCode) === true;
  }

  /** A result has one summary. Nearly always a second one stands for the first as well. */
  #isSecondSummary({ messages, summary }: ReduceResult): boolean {
    const first = this.#summary;
    return summary !== undefined && first !== undefined && messages.includes(first);
  }

  #dropLostResults(): void {
    const reason = 'No step had anything to do.';
    const result = notReduced({ reducer: 'pipeline', reason, before: this.#before });
    if (result.messages === this.#before) return;
    this.#messages = result.messages;
    this.#reports.push(...result.reports);
  }
}

/** What of the messages before is not left. The same object may stand there twice. */
function missingFrom(
  left: readonly ChatMessage[],
  before: readonly ChatMessage[],
): readonly ChatMessage[] {
  const times = new Map<ChatMessage, number>();
  for (const message of left) times.set(message, (times.get(message) ?? 0) + 1);
  const missing: ChatMessage[] = [];
  for (const message of before) {
    const count = times.get(message) ?? 0;
    if (count === 0) missing.push(message);
    else times.set(message, count - 1);
  }
  return missing;
}

function stepOf(given: ChatReducer | ReducerStep, index: number): ReducerStep {
  const isStep = typeof given === 'object' && given !== null && 'reducer' in given;
  const step: ReducerStep = isStep ? given : { reducer: given };
  if (typeof step.reducer?.reduce !== 'function') {
    throw wrongOption(`steps[${index}]`, 'has no reducer. Give one, or `{ reducer, when }`.');
  }
  if (step.when !== undefined) checkTrigger(step.when, `steps[${index}].when`);
  return step;
}

function secondSummary(reducer: string): ReducerWarning {
  return {
    code: 'summary_failed',
    message: `The summary of ${reducer} was not taken: that of an earlier step stays beside it, and a reduction has one. Let one step of the pipeline summarise.`,
  };
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

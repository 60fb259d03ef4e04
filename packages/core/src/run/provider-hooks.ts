import type { ReductionReport } from '../chat-reducer.js';
import type {
  ContextContribution,
  ContextProvider,
  RunContext,
  RunMessages,
  RunOutcome,
  Warning,
} from '../context-provider.js';
import { deepFreeze } from '../deep-freeze.js';
import { errorText } from '../error-text.js';
import type { HistoryContribution } from '../history-options.js';
import { HistoryProvider } from '../history-provider.js';
import type { ChatMessage } from '../message.js';
import type { FixedParts } from '../reduction/fixed-parts.js';
import { sessionSlot } from '../session-slot.js';
import type { AfterRunFailure } from './after-run-failures.js';
import { raceAbort } from './race-abort.js';

/** What is the same for every provider of a run. */
export type SharedContext = Omit<RunContext, 'state' | 'warn' | 'history'>;

/** What the providers gave, in their order. */
export interface Gathered {
  readonly history: readonly ChatMessage[];
  /** What of the input is new. */
  readonly newInput: readonly ChatMessage[];
  readonly contributions: readonly {
    readonly sourceId: string;
    readonly contribution: ContextContribution;
  }[];
}

/** Calls the hooks of a run's providers. */
export class ProviderHooks {
  readonly #shared: SharedContext;
  readonly #providers: readonly ContextProvider[];
  readonly #reached: { readonly provider: ContextProvider; readonly context: RunContext }[] = [];
  readonly #onDiagnostic: ((warning: Warning) => void) | undefined;
  readonly #warnings: Warning[] = [];
  readonly #reductions: ReductionReport[] = [];
  #history: readonly ChatMessage[] = [];

  constructor(
    shared: SharedContext,
    providers: readonly ContextProvider[],
    onDiagnostic: ((warning: Warning) => void) | undefined,
  ) {
    this.#shared = shared;
    this.#providers = providers;
    this.#onDiagnostic = onDiagnostic;
  }

  get warnings(): readonly Warning[] {
    return this.#warnings;
  }

  get reductions(): readonly ReductionReport[] {
    return this.#reductions;
  }

  /** Asks every provider in turn. */
  async before(signal: AbortSignal): Promise<Gathered> {
    const contributions: Gathered['contributions'][number][] = [];
    let newInput = this.#shared.input;
    for (const provider of this.#providers) {
      const context = this.#contextOf(provider);
      this.#reached.push({ provider, context });
      const given = provider.beforeRun?.(context, { signal });
      const contribution = given === undefined ? undefined : await raceAbort(given, signal);
      // A program without types may give null.
      if (contribution === undefined || contribution === null) continue;
      if (isHistory(provider, contribution)) {
        this.#history = Object.freeze(contribution.history);
        for (const message of this.#history) deepFreeze(message);
        newInput = Object.freeze(contribution.newInput);
      } else {
        contributions.push({ sourceId: provider.sourceId, contribution });
      }
    }
    return { history: this.#history, newInput, contributions };
  }

  /** What of the history is sent: the same array as before while nothing has changed. */
  async reduceHistory(fixed: FixedParts, signal: AbortSignal): Promise<readonly ChatMessage[]> {
    for (const { provider, context } of this.#reached) {
      if (!HistoryProvider.isInstance(provider)) continue;
      const reduced = await provider.reduceHistory(context, fixed, { signal });
      if (reduced === undefined) continue;
      this.#reductions.push(...reduced.reports);
      return reduced.messages;
    }
    return this.#history;
  }

  /** Has the history providers make smaller what they store. Never throws. */
  async compact(fixed: FixedParts, signal: AbortSignal): Promise<void> {
    for (const { provider, context } of this.#reached) {
      if (!HistoryProvider.isInstance(provider)) continue;
      this.#reductions.push(...(await provider.compact(context, fixed, { signal })));
    }
  }

  /** Has the history providers store what there is so far. */
  async store(messages: RunMessages, signal: AbortSignal): Promise<void> {
    for (const { provider, context } of this.#reached) {
      if (HistoryProvider.isInstance(provider)) await provider.store(context, messages, { signal });
    }
  }

  /** Tells every provider that was reached how the run ended. @returns What those that failed threw. */
  async after(outcome: RunOutcome): Promise<AfterRunFailure[]> {
    // The run's own signal may have aborted; what is left to do is to be done all the same.
    const { signal } = new AbortController();
    const failures: AfterRunFailure[] = [];
    for (const { provider, context } of this.#reached) {
      try {
        await provider.afterRun?.(context, outcome, { signal });
      } catch (error) {
        failures.push({ sourceId: provider.sourceId, error });
      }
    }
    return failures;
  }

  /** Reports something that does not stop the run; nor does the application's callback when it throws. */
  warn(warning: Warning): void {
    this.#warnings.push(warning);
    try {
      this.#onDiagnostic?.(warning);
    } catch (error) {
      this.#warnings.push({ code: 'diagnostic_failed', message: errorText(error) });
    }
  }

  #contextOf(provider: ContextProvider): RunContext {
    const { sourceId } = provider;
    const history = (): readonly ChatMessage[] => this.#history;
    return {
      ...this.#shared,
      state: sessionSlot(this.#shared.session, sourceId),
      warn: (warning) => this.warn({ ...warning, sourceId }),
      get history() {
        return history();
      },
    };
  }
}

function isHistory(
  provider: ContextProvider,
  contribution: ContextContribution,
): contribution is HistoryContribution {
  return HistoryProvider.isInstance(provider) && 'history' in contribution;
}

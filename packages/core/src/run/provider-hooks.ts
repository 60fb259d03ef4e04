import type { ReductionReport } from '../chat-reducer.js';
import type {
  ContextContribution,
  ContextProvider,
  Diagnostic,
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
import { timeLimit, withinTime } from './within-time.js';

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

/** What hooks are called with. */
export interface HookOptions {
  readonly onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined;
  /** Milliseconds; `Infinity` for no limit. */
  readonly afterRunTimeout: number;
}

/** Calls the hooks of a run's providers. */
export class ProviderHooks {
  readonly #shared: SharedContext;
  readonly #providers: readonly ContextProvider[];
  readonly #afterRunTimeout: number;
  readonly #reached = new Map<ContextProvider, RunContext>();
  readonly #onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined;
  readonly #warnings: Warning[] = [];
  readonly #reductions: ReductionReport[] = [];
  #history: readonly ChatMessage[] = [];

  constructor(
    shared: SharedContext,
    providers: readonly ContextProvider[],
    { onDiagnostic, afterRunTimeout }: HookOptions,
  ) {
    this.#shared = shared;
    this.#providers = providers;
    this.#afterRunTimeout = afterRunTimeout;
    this.#onDiagnostic = onDiagnostic;
  }

  get warnings(): readonly Warning[] {
    return this.#warnings;
  }

  get reductions(): readonly ReductionReport[] {
    return this.#reductions;
  }

  /**
   * Asks every provider in turn: first those that keep the history, wherever they stand, since what is said
   * must be stored too when another provider is aborted; and others may look at the history then.
   */
  async before(signal: AbortSignal): Promise<Gathered> {
    const contributions: Gathered['contributions'][number][] = [];
    let newInput = this.#shared.input;
    for (const provider of historyFirst(this.#providers)) {
      const context = this.#contextOf(provider);
      this.#reached.set(provider, context);
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
    for (const [provider, context] of this.#reached) {
      if (!HistoryProvider.isInstance(provider)) continue;
      const reduced = await provider.reduceHistory(context, fixed, { signal });
      if (reduced === undefined) continue;
      this.#tellReductions(reduced.reports, provider.sourceId);
      return reduced.messages;
    }
    return this.#history;
  }

  /** Has the history providers make smaller what they store, each in the time it has. Never throws. */
  async compact(fixed: FixedParts, signal: AbortSignal): Promise<void> {
    for (const [provider, context] of this.#reached) {
      if (!HistoryProvider.isInstance(provider)) continue;
      const limit = timeLimit(this.#afterRunTimeout, provider.sourceId);
      const either = AbortSignal.any([signal, limit.signal]);
      const reports = await provider.compact(context, fixed, { signal: either });
      limit.clear();
      this.#tellReductions(reports, provider.sourceId);
    }
  }

  /** Has the history providers store what there is so far. */
  async store(messages: RunMessages, signal: AbortSignal): Promise<void> {
    for (const [provider, context] of this.#reached) {
      if (!HistoryProvider.isInstance(provider)) continue;
      await raceAbort(provider.store(context, messages, { signal }), signal);
    }
  }

  /**
   * Tells every provider that was reached how the run ended, in the order of the agent's list. One that takes
   * longer than it may is left to itself. @returns What those that failed threw.
   */
  async after(outcome: RunOutcome): Promise<AfterRunFailure[]> {
    const failures: AfterRunFailure[] = [];
    for (const provider of this.#providers) {
      const context = this.#reached.get(provider);
      if (context === undefined || provider.afterRun === undefined) continue;
      try {
        // The run's own signal may have aborted; what is left to do is to be done all the same.
        await withinTime(this.#afterRunTimeout, provider.sourceId, async (signal) =>
          provider.afterRun?.(context, outcome, { signal }),
        );
      } catch (error) {
        failures.push({ sourceId: provider.sourceId, error });
      }
    }
    return failures;
  }

  /** Reports something that does not stop the run; nor does the application's callback when it throws. */
  warn(warning: Warning): void {
    this.#warnings.push(warning);
    this.#diagnose(warning);
  }

  #tellReductions(reports: readonly ReductionReport[], sourceId: string): void {
    this.#reductions.push(...reports);
    for (const reduction of reports) {
      const { reducer, reason, dropped, summarised, rewritten = 0 } = reduction;
      if (dropped + summarised + rewritten === 0) continue;
      const message = `${reducer}: ${reason}`;
      this.#diagnose({ code: 'history_reduced', message, sourceId, reduction });
    }
  }

  #diagnose(diagnostic: Diagnostic): void {
    try {
      this.#onDiagnostic?.(diagnostic);
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

function historyFirst(providers: readonly ContextProvider[]): readonly ContextProvider[] {
  const keeps = (provider: ContextProvider): boolean => HistoryProvider.isInstance(provider);
  return [...providers.filter(keeps), ...providers.filter((provider) => !keeps(provider))];
}

function isHistory(
  provider: ContextProvider,
  contribution: ContextContribution,
): contribution is HistoryContribution {
  return HistoryProvider.isInstance(provider) && 'history' in contribution;
}

import type { ReductionReport } from './chat-reducer.js';
import type { ChatMessage, ChatMessageInit } from './message.js';
import type { AgentSession, SessionState } from './session.js';
import type { Tool } from './tool.js';

/** Who keeps the conversation in a run: the model's service, a history provider or the session itself, or the caller alone. */
export type HistoryOwner = 'service' | 'provider' | 'caller';

/** Something that did not go as it should and did not stop the run. */
export interface Warning {
  /** Stable kind, such as `damaged_record`. */
  readonly code: string;
  readonly message: string;
  /** The provider that raised it. */
  readonly sourceId?: string;
}

/** What the application is told while a run goes on: every warning, and every reduction of a history. */
export interface Diagnostic extends Warning {
  /** What was reduced, with the code `history_reduced`, which is no warning. */
  readonly reduction?: ReductionReport;
}

/** What a provider is told about a run. */
export interface RunContext {
  readonly runId: string;
  /** The application's own name for the run, when it gave one so that the run can be repeated. */
  readonly operationId: string | undefined;
  readonly agentName: string | undefined;
  readonly session: AgentSession;
  /** The provider's own slot of the session; changes to it are kept with the session. */
  readonly state: SessionState;
  readonly historyOwner: HistoryOwner;
  /** The caller's input. */
  readonly input: readonly ChatMessage[];
  /** Ids of input that came with one, and so may have come before. */
  readonly callerIds: readonly string[];
  /** What the loading provider has loaded, before other providers are asked: all of it, also when a reducer makes smaller what is sent. */
  readonly history: readonly ChatMessage[];
  /** Reports something to `response.warnings` and the agent's `onDiagnostic`. */
  warn(warning: Omit<Warning, 'sourceId'>): void;
}

/** What a provider adds to a run. Returned, never written into the run. */
export interface ContextContribution {
  /** Sent in front of everything. Keep it the same from run to run: what changes here empties the prompt cache. */
  readonly instructions?: string;
  /**
   * Instructions that change from run to run, such as the time of day. Sent as a developer message behind
   * the history, where they cost no prompt cache; behind the other instructions when the service keeps
   * the history. Never stored.
   */
  readonly turnInstructions?: string;
  /** Sent behind the history, before the input. */
  readonly messages?: readonly ChatMessageInit[];
  readonly tools?: readonly Tool[];
}

/** How a run ended. */
export type RunOutcome =
  | RunCompleted
  | { readonly status: 'failed'; readonly error: unknown; readonly partial: RunMessages }
  | { readonly status: 'aborted'; readonly partial: RunMessages };

/** A run that came to its end. */
export interface RunCompleted extends RunMessages {
  readonly status: 'completed';
}

/** The messages of a run, by where they came from. */
export interface RunMessages {
  readonly input: readonly ChatMessage[];
  /** Injected by providers; each names its provider in `metadata['minne.source_id']`. */
  readonly context: readonly ChatMessage[];
  /** What the model and the tools answered. Never holds a call without its result, unless it waits for approval. */
  readonly output: readonly ChatMessage[];
}

/** Options of the hooks of a provider. */
export interface ContextHookOptions {
  readonly signal: AbortSignal;
}

/**
 * Adds to what a model sees, and learns from what came of it.
 *
 * An instance serves many sessions at once and keeps nothing about any of them; what belongs to a
 * session goes into `context.state`.
 */
export interface ContextProvider {
  readonly specificationVersion: 'v1';
  /** Unique within an agent; names the slot of session state and the origin of what is injected. */
  readonly sourceId: string;
  /**
   * Called in the order of the agent's list, but after the history providers, wherever those stand. An error
   * here ends the run.
   */
  beforeRun?(
    context: RunContext,
    options: ContextHookOptions,
  ): Promise<ContextContribution | undefined>;
  /**
   * Called in the order of the agent's list for every provider whose `beforeRun` was reached, however the run
   * ended. `options.signal` does not abort with the run, but when the agent's `afterRunTimeout` is over; a
   * provider that is not done then is left to itself.
   */
  afterRun?(context: RunContext, outcome: RunOutcome, options: ContextHookOptions): Promise<void>;
}

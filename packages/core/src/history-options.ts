import type { ChatReducer, ReductionReport } from './chat-reducer.js';
import type { ContextContribution } from './context-provider.js';
import type { DamagedRecord, HistoryBackend } from './history-backend.js';
import type { ChatMessage } from './message.js';

/** What a run that did not come to its end leaves in the store. */
export type UnfinishedRunPolicy =
  /** Nothing. */
  | 'nothing'
  /** The input. */
  | 'input'
  /** The input and what was done: completed tool calls with their results and, of an aborted run, the text so far. */
  | 'partial';

/** When a history provider reduces. */
export type ReducerTrigger =
  /**
   * Before the model is sent the history. What is stored stays; the boundary and summaries are kept in
   * the provider's slot of `session.state`.
   */
  | 'beforeMessagesRetrieval'
  /** After a completed run was stored. What the reducer leaves is put in place of what is stored. */
  | 'afterMessageAdded';

/** What every history provider can be told, whatever its backend. */
export interface HistoryFlags {
  /** Names this history within the session. Default: the provider's own. */
  readonly sourceId?: string;
  /** Whether the model is sent what is stored. At most one provider of an agent may. Default true. */
  readonly loadMessages?: boolean;
  /** Whether the caller's input is stored. Default true. */
  readonly storeInputs?: boolean;
  /** Whether the answers of the model and the tools are stored. Default true. */
  readonly storeOutputs?: boolean;
  /** Whether messages that context providers injected are stored. Default false. */
  readonly storeContextMessages?: boolean;
  /** Narrows `storeContextMessages` to these providers, by `sourceId`. Default: all. */
  readonly storeContextFrom?: readonly string[];
  /**
   * The model is sent at most this many of the newest messages, and more only where they begin within
   * a tool call and its results. Default: all.
   */
  readonly limit?: number;
  /** Makes smaller what is sent, or what is stored. Default: none. */
  readonly reducer?: ChatReducer;
  /** Default `beforeMessagesRetrieval`. Reducers of several kinds on one session each have a cut of their own there. */
  readonly reducerTrigger?: ReducerTrigger;
  /**
   * What happens when input comes with an id that is stored with other content. `replace` puts it in the place
   * of what is stored, in one step with what the run brings, and needs a backend with `replace`. Default `error`.
   */
  readonly onConflict?: 'error' | 'replace';
  /**
   * What a failed run leaves. Default `partial`, which is nothing when nothing was done.
   */
  readonly onFailure?: UnfinishedRunPolicy;
  /** What an aborted run leaves. Default `partial`. */
  readonly onAbort?: UnfinishedRunPolicy;
}

/** Options of {@link HistoryProvider}. */
export interface HistoryProviderOptions extends HistoryFlags {
  readonly backend: HistoryBackend;
}

/** What of a history a model call is sent. */
export interface ReducedHistory {
  /** The same array as before while nothing has changed. */
  readonly messages: readonly ChatMessage[];
  readonly reports: readonly ReductionReport[];
}

/** Messages of a session, as a provider keeps them. */
export interface HistoryPage {
  readonly messages: readonly ChatMessage[];
  /** Give it to {@link HistoryProvider.setMessages}. */
  readonly version: string;
  /** The sequence of the first message: `before` for the page that precedes this one. */
  readonly firstSequence: number | undefined;
  /** Records that could not be read; they are not among the messages. */
  readonly damaged: readonly DamagedRecord[];
}

/** Which messages to read. */
export interface ReadHistoryOptions {
  /** At most this many of the newest. Default: all. */
  readonly limit?: number;
  /** Only messages before this sequence. */
  readonly before?: number;
  readonly signal?: AbortSignal;
}

/** What a loading history provider gives to a run. */
export interface HistoryContribution extends ContextContribution {
  readonly history: readonly ChatMessage[];
  /** The part of the input that is not stored yet. */
  readonly newInput: readonly ChatMessage[];
}

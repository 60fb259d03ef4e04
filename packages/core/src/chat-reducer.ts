import type { Warning } from './context-provider.js';
import type { ChatMessage } from './message.js';
import type { TokenCounter } from './token-counter.js';

/** Options of a reduction. */
export interface ReduceOptions {
  readonly signal?: AbortSignal;
  /**
   * Tokens of what is sent beside the messages: instructions, tool definitions, injected context. Part of
   * any token budget. Default 0.
   */
  readonly fixedTokens?: number;
}

/** What a reduction did and why, for people and programs. */
export interface ReductionReport {
  /** The reducer, such as `sliding_window`. */
  readonly reducer: string;
  /** Why it reduced, or why it did not, in a sentence. */
  readonly reason: string;
  /** Messages that are still there, rewritten ones included. `kept + dropped + summarised` is what there was. */
  readonly kept: number;
  /** How many of those kept are there in another form, such as with cleared results. Absent when none is. */
  readonly rewritten?: number;
  /** Messages that nothing stands for any more. */
  readonly dropped: number;
  /** Messages that a summary stands for. */
  readonly summarised: number;
  /** Absent when the reducer counts no tokens. */
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
}

/** What is left of a history. */
export interface ReduceResult {
  /** What stays, in order; the very array that was given when nothing was reduced. */
  readonly messages: readonly ChatMessage[];
  /** Messages of the input that are not in `messages` as they were, in order: dropped, summarised or rewritten. */
  readonly removed: readonly ChatMessage[];
  /** The new summary, one of `messages`, that stands for removed ones. */
  readonly summary?: ChatMessage;
  readonly reports: readonly ReductionReport[];
  /** Such as a budget that cannot be met, or a summariser that failed. */
  readonly warnings: readonly Omit<Warning, 'sourceId'>[];
}

/**
 * Makes a history smaller. A value in, a value out: the input is not touched, and nothing is kept between
 * calls but caches of what can be worked out again.
 *
 * Always true: a tool call, its reasoning and its results stay or go together, matched by `callId` and
 * occurrence; system messages stay, and so does the newest question of the user; order is kept; the
 * result is not empty while there was a message other than system ones, and begins with a message of the
 * user, or a summary, where the history has one to begin with; reducing the result changes nothing more.
 */
export interface ChatReducer {
  readonly specificationVersion: 'v1';
  /** Names the kind in reports, such as `message_counting`. */
  readonly id: string;
  /**
   * What it counts tokens with, when it does. A history provider counts with it what is sent beside the
   * history, and passes that as `fixedTokens`.
   */
  readonly tokenCounter?: TokenCounter;
  /** @throws the reason of `options.signal`; anything else that goes wrong is a warning and no change. */
  reduce(messages: readonly ChatMessage[], options?: ReduceOptions): Promise<ReduceResult>;
}

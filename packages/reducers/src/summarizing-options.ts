import type { ChatClient, Clock, IdGenerator, TokenCounter } from '@minne/core';

/** Options of {@link SummarizingReducer}. */
export interface SummarizingReducerOptions {
  /** Writes the summaries. It may be another model than the agent's, with a window of its own. */
  readonly chatClient: ChatClient;
  /** The model to ask for. Default: the client's. */
  readonly modelId?: string;
  /**
   * How many messages are left by a reduction, at most, the summary among them; system messages are not
   * counted. At least 2.
   */
  readonly targetCount: number;
  /**
   * By how many messages the history may outgrow `targetCount`: it is reduced when it has more than
   * `targetCount + threshold`. Default 0.
   */
  readonly threshold?: number;
  /** What the summariser is told. Default: {@link defaultSummaryInstructions}. */
  readonly instructions?: string;
  /**
   * Tokens that the summariser is sent in one call, instructions and earlier summary included. More is
   * summarised in several calls, whole groups at a time. At least 500. Default 16,000.
   */
  readonly maxInputTokens?: number;
  /** Tokens that a summary may have. A quarter of `maxInputTokens` at most. Default 1,000, or that quarter. */
  readonly maxSummaryTokens?: number;
  /** Milliseconds that one call may take, 2,147,483,647 at most. Default 60,000. */
  readonly timeout?: number;
  /** Keeps calls within `maxInputTokens`, and counts for the report. Default: `estimatedTokenCounter`. */
  readonly tokenCounter?: TokenCounter;
  /** Makes the ids of summaries. Default: UUIDv7. */
  readonly ids?: IdGenerator;
  /** Tells the time that is written into summaries. Default: this machine's. */
  readonly clock?: Clock;
}

import type { ChatClient, ChatReducer, TokenCounter } from '@minne/core';
import type { SuiteOptions } from '../shared/register-cases.js';

/** What the kit hands to a reducer. */
export interface ReducerParts {
  /** A model that does as the kit says: for reducers that have summaries written. */
  readonly chatClient: ChatClient;
  /** A counter that takes note of what it is asked: for reducers that count tokens. */
  readonly tokenCounter: TokenCounter;
}

/** What a reducer can do. Each is false when not declared. */
export interface ChatReducerAbilities {
  /** Has summaries written by `chatClient` of its parts. */
  readonly summarises?: boolean;
  /** Gives up on a summariser that has not answered for 5 seconds, or less, as `create` makes it. */
  readonly summaryTimeout?: boolean;
  /** Goes by tokens, and takes `fixedTokens` for part of them. */
  readonly fixedTokens?: boolean;
  /** Counts tokens with `tokenCounter` of its parts. */
  readonly tokenCounter?: boolean;
}

/** Options of {@link testChatReducer}. */
export interface ChatReducerSuiteOptions extends SuiteOptions<ChatReducerAbilities> {
  /**
   * Makes a reducer that has something to do in a history of 40 turns with a few tool calls each: the
   * smaller its window, the more the kit sees. Called for each case, several times in some.
   */
  create(parts: ReducerParts): ChatReducer | Promise<ChatReducer>;
}

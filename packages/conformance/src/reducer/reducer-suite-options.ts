import type { ChatClient, ChatReducer } from '@minne/core';
import type { SuiteOptions } from '../shared/register-cases.js';

/** What the kit hands to a reducer. */
export interface ReducerParts {
  /** A model that does as the kit says: for reducers that have summaries written. */
  readonly chatClient: ChatClient;
}

/** What a reducer can do. Each is false when not declared. */
export interface ChatReducerAbilities {
  /** Has summaries written by `chatClient` of its parts. */
  readonly summarises?: boolean;
  /** Goes by tokens, and takes `fixedTokens` for part of them. */
  readonly fixedTokens?: boolean;
}

/** Options of {@link testChatReducer}. */
export interface ChatReducerSuiteOptions extends SuiteOptions<ChatReducerAbilities> {
  /**
   * Makes a reducer that has something to do in a history of 40 turns with a few tool calls each: the
   * smaller its window, the more the kit sees. Called for each case, several times in some.
   */
  create(parts: ReducerParts): ChatReducer | Promise<ChatReducer>;
}

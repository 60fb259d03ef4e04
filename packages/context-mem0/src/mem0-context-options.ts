import type { RunContext } from '@minne/core';
import type { Mem0ClientSource } from './mem0-client.js';
import type { Mem0ScopeSource } from './mem0-scope.js';

/** Options of {@link Mem0ContextProvider}. */
export interface Mem0ContextProviderOptions {
  /**
   * A `MemoryClient` of `mem0ai`, a `Memory` of `mem0ai/oss`, or what makes one when it is first needed, such as
   * `() => createMem0PlatformClient()`. It stays yours.
   */
  readonly client: Mem0ClientSource;
  /** Names the provider within an agent. Default `mem0`. */
  readonly sourceId?: string;
  /** Whose memories a run's messages become. Default: `userId` is the session's `actorId`. */
  readonly storageScope?: Mem0ScopeSource;
  /** Whose memories are searched: those of the user and those of the agent side by side. Default: the storage scope. */
  readonly searchScope?: Mem0ScopeSource;
  /** The most memories that a run is given, 1 to 100. Default 10. */
  readonly limit?: number;
  /** How well a memory has to fit, 0 to 1. Default: Mem0's own, 0.1. */
  readonly threshold?: number;
  /**
   * The text that is searched with; nothing is searched when it is blank, and of a long one the last 2,000
   * characters count. Default: the texts of the user in the new input.
   */
  readonly searchInput?: (context: Pick<RunContext, 'input' | 'history' | 'session'>) => string;
  /** Whether what the user says is stored. Default true. */
  readonly storeInputs?: boolean;
  /** Whether what the assistant says is stored. Default true. */
  readonly storeOutputs?: boolean;
  /** Whether Mem0 draws facts from the messages with a model, or keeps them word for word. Default: Mem0's own, true. */
  readonly infer?: boolean;
  /** What happens when Mem0 fails: `warn` reports it and the run goes on, `throw` fails the run. Default `warn`. */
  readonly onError?: 'warn' | 'throw';
  /** The longest that a run waits for a search, and for an addition, in milliseconds; `Infinity` for no limit. Default 10,000. */
  readonly timeout?: number;
  /** What stands before the memories. Default: says that they are quoted data. */
  readonly contextPrompt?: string;
}

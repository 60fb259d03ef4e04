import {
  ConfigurationError,
  type ContextContribution,
  type ContextHookOptions,
  type ContextProvider,
  type MinneError,
  type RunContext,
  type RunOutcome,
} from '@minne/core';
import type { Mem0ContextProviderOptions } from './mem0-context-options.js';
import { Mem0Memories, type MemorySearchResult } from './mem0-memories.js';
import { type Mem0Scope, resolveScope } from './mem0-scope.js';
import { type Mem0Settings, readSettings } from './mem0-settings.js';
import { quoteMemories } from './quote-memories.js';
import { searchQuery, spokenMessages } from './spoken-text.js';
import { rememberStored, storedIds } from './stored-ids.js';
import { unaskedTelemetry } from './telemetry.js';

const nothingFound: MemorySearchResult = { memories: [], failures: [] };

/**
 * Remembers people and agents in Mem0. Before a run it searches with what the user says and injects what
 * it finds as one message of the user, quoted as data; after a completed run it stores what the user and
 * the assistant said.
 *
 * A run whose session says not whose memories are meant is refused. A failure of Mem0 is a warning
 * (`mem0_search_failed`, `mem0_store_failed`) unless `onError` says otherwise. A client that reports its use
 * without having been asked to is one too (`mem0_telemetry_on`), once.
 */
export class Mem0ContextProvider implements ContextProvider {
  readonly specificationVersion = 'v1' as const;
  readonly sourceId: string;
  readonly #settings: Mem0Settings;
  readonly #memories: Mem0Memories;

  /** @throws ConfigurationError or InvalidInputError naming the option that is wrong. */
  constructor(options: Mem0ContextProviderOptions) {
    this.#settings = readSettings(options);
    this.sourceId = this.#settings.sourceId;
    this.#memories = new Mem0Memories(options.client);
  }

  /** @throws ConfigurationError or InvalidInputError about a scope or a client that cannot be made; StoreError when `onError` is `throw`. */
  async beforeRun(
    context: RunContext,
    { signal }: ContextHookOptions,
  ): Promise<ContextContribution | undefined> {
    signal.throwIfAborted();
    // Both are looked at before the model is asked: afterwards it would be too late to refuse the run.
    if (this.#stores) this.#storageScope(context);
    const scope = this.#searchScope(context);
    const { searchInput, limit, threshold, timeout, contextPrompt } = this.#settings;
    const query = searchQuery(searchInput(context));
    const { memories, failures } =
      query === ''
        ? nothingFound
        : await this.#memories.search({ query, scope, limit, threshold }, { signal, timeout });
    if (this.#memories.takeTelemetryNotice()) context.warn(unaskedTelemetry);
    for (const failure of failures) this.#report(context, 'mem0_search_failed', failure);
    if (memories.length === 0) return undefined;
    return { messages: [{ role: 'user', contents: quoteMemories(contextPrompt, memories) }] };
  }

  /** @throws StoreError when `onError` is `throw`. */
  async afterRun(
    context: RunContext,
    outcome: RunOutcome,
    { signal }: ContextHookOptions,
  ): Promise<void> {
    signal.throwIfAborted();
    if (outcome.status !== 'completed' || !this.#stores) return;
    const { storeInputs, storeOutputs, timeout, infer } = this.#settings;
    const wanted = { inputs: storeInputs, outputs: storeOutputs };
    const stored = new Set(storedIds(context.state));
    const messages = spokenMessages(outcome, context.history, wanted).filter(
      ({ id }) => !stored.has(id),
    );
    if (messages.length === 0) return;
    const metadata = { minne_run: context.operationId ?? context.runId };
    const failure = await this.#memories.add(
      { messages, scope: this.#storageScope(context), metadata, infer },
      { signal, timeout },
    );
    if (failure !== undefined) return this.#report(context, 'mem0_store_failed', failure);
    rememberStored(
      context.state,
      messages.map(({ id }) => id),
    );
  }

  get #stores(): boolean {
    return this.#settings.storeInputs || this.#settings.storeOutputs;
  }

  #storageScope(context: RunContext): Mem0Scope {
    return resolveScope(this.#settings.storageScope, context, 'storageScope');
  }

  #searchScope(context: RunContext): Mem0Scope {
    const { searchScope } = this.#settings;
    if (searchScope === undefined) return this.#storageScope(context);
    return resolveScope(searchScope, context, 'searchScope');
  }

  /** A client that cannot be made at all is no passing trouble. */
  #report(context: RunContext, code: string, failure: MinneError): void {
    const fatal = this.#settings.onError === 'throw' || ConfigurationError.isInstance(failure);
    if (fatal) throw failure;
    context.warn({ code, message: failure.message });
  }
}

import type { ReductionReport } from './chat-reducer.js';
import type {
  ContextHookOptions,
  ContextProvider,
  RunContext,
  RunMessages,
  RunOutcome,
} from './context-provider.js';
import { editedInput, withEdits } from './edited-input.js';
import { ConfigurationError } from './errors.js';
import type { HistoryBackend, HistoryKey } from './history-backend.js';
import type {
  HistoryContribution,
  HistoryFlags,
  HistoryPage,
  HistoryProviderOptions,
  ReadHistoryOptions,
  ReducedHistory,
} from './history-options.js';
import { toRecords } from './history-record.js';
import { damageWarning, decodeLoaded, loadForRun } from './load-history.js';
import type { ChatMessage } from './message.js';
import { compactHistory } from './reduction/compact-history.js';
import type { FixedParts } from './reduction/fixed-parts.js';
import type { HistoryView } from './reduction/history-view.js';
import { openView } from './reduction/open-view.js';
import { checkReducer } from './reduction/reducer-configuration.js';
import { forgetReduction } from './reduction/reduction-state.js';
import type { AgentSession } from './session.js';
import { sessionSlot } from './session-slot.js';
import { storeEdited } from './store-edited.js';

const marker: symbol = Symbol.for('minne.history_provider');

/** What a run has learned about its history, kept while the run lasts. */
interface RunMemory {
  readonly stored: Set<string>;
  readonly replacements: readonly ChatMessage[];
  /** Input that was stored by an earlier run. */
  readonly known: ReadonlySet<string>;
  /** What is sent of the history, when a reducer has a say in it. */
  readonly view: HistoryView | undefined;
}

/**
 * Keeps the messages of sessions in a {@link HistoryBackend} and hands them to the model. Flags,
 * filters, de-duplication and keys live here, so that a backend only has to store.
 *
 * An instance serves many sessions and keeps nothing about any of them.
 */
export class HistoryProvider implements ContextProvider {
  readonly specificationVersion = 'v1' as const;
  readonly sourceId: string;
  readonly loadMessages: boolean;
  readonly #backend: HistoryBackend;
  readonly #flags: HistoryFlags;
  readonly #runs = new WeakMap<RunContext, RunMemory>();

  constructor(options: HistoryProviderOptions) {
    const { backend, ...flags } = options;
    this.#backend = backend;
    this.#flags = flags;
    this.sourceId = flags.sourceId ?? 'history';
    this.loadMessages = flags.loadMessages ?? true;
    const { limit } = flags;
    if (limit !== undefined && (!Number.isInteger(limit) || limit < 1)) {
      throw new ConfigurationError(
        `limit is ${limit}; give the number of messages to load, 1 or more, or leave it out for all.`,
        { packageName: '@minne/core', field: 'limit' },
      );
    }
    if (flags.onConflict === 'replace' && backend.replace === undefined) {
      throw new ConfigurationError(
        `The backend of ${this.sourceId} cannot replace messages, which onConflict: 'replace' needs. Use one whose backend has \`replace\`, or leave onConflict out.`,
        { packageName: '@minne/core', field: 'onConflict' },
      );
    }
    checkReducer(flags, {
      sourceId: this.sourceId,
      loadMessages: this.loadMessages,
      backend,
    });
    Object.defineProperty(this, marker, { value: true });
  }

  /** Whether `value` is a history provider, from this copy of the package or another. */
  static isInstance(value: object): value is HistoryProvider {
    return marker in value;
  }

  /** The backend, for what only it can do. */
  get backend(): HistoryBackend {
    return this.#backend;
  }

  /**
   * Loads the history and finds what of the input is new: with messages that came before, all up to
   * the last known one are left out.
   * @throws ConflictError when input has a stored id and other content, unless `onConflict` is `replace`.
   */
  async beforeRun(
    context: RunContext,
    { signal }: ContextHookOptions,
  ): Promise<HistoryContribution | undefined> {
    if (context.historyOwner === 'service' && this.loadMessages) return undefined;
    if (!this.loadMessages && context.callerIds.length === 0) return undefined;
    const { limit } = this.#flags;
    const loaded = await loadForRun(this.#backend, keyOf(context.session, this.sourceId), {
      signal,
      state: context.state,
      ids: context.callerIds,
      operationId: context.operationId,
      ...(this.loadMessages ? (limit === undefined ? {} : { limit }) : { limit: 0 }),
    });
    const decoded = await decodeLoaded(loaded, signal);
    for (const record of decoded.damaged) context.warn(damageWarning(this.sourceId, record));
    const known = new Set(loaded.knownIds);
    const replacements = editedInput(context, decoded.items, this.#flags.onConflict);
    const items = withEdits(decoded.items, replacements);
    const view = await openView(this.#flags, {
      backend: this.#backend,
      key: keyOf(context.session, this.sourceId),
      state: context.state,
      loaded,
      items,
      edited: replacements.length > 0,
      signal,
      warn: (warning) => context.warn(warning),
    });
    this.#runs.set(context, { stored: new Set(), replacements, known, view });
    if (!this.loadMessages) return undefined;
    const lastKnown = context.input.findLastIndex(({ id }) => known.has(id));
    return {
      history: items.map(({ message }) => message),
      newInput: context.input.slice(lastKnown + 1),
    };
  }

  /**
   * What of the loaded history the model is sent, with a reducer that works `beforeMessagesRetrieval`.
   * An agent asks before every model call, when all that is sent beside the history is known.
   * @returns `undefined` when all of it is sent.
   * @throws The reason of `signal`. A reducer that fails is a warning.
   */
  async reduceHistory(
    context: RunContext,
    fixed: FixedParts,
    { signal }: ContextHookOptions,
  ): Promise<ReducedHistory | undefined> {
    const reduced = await this.#runs.get(context)?.view?.reduce(fixed, signal);
    for (const warning of reduced?.warnings ?? []) context.warn(warning);
    return reduced;
  }

  /**
   * Makes smaller what is stored, with a reducer that works `afterMessageAdded`, if this run has stored
   * anything. An agent calls it when a run is completed and all its providers have stored it.
   * Never throws: what is stored stays as it is then, and a warning says why.
   */
  async compact(
    context: RunContext,
    fixed: FixedParts,
    { signal }: ContextHookOptions,
  ): Promise<readonly ReductionReport[]> {
    const { reducer, reducerTrigger } = this.#flags;
    const stored = this.#runs.get(context)?.stored.size ?? 0;
    if (reducer === undefined || reducerTrigger !== 'afterMessageAdded' || stored === 0) return [];
    const [backend, key] = [this.#backend, keyOf(context.session, this.sourceId)];
    const { state } = context;
    const done = await compactHistory({ backend, key, state, reducer, fixed, signal });
    for (const warning of done.warnings) context.warn(warning);
    return done.reports;
  }

  /** Stores what the run brought, in one append, as the flags say. */
  async afterRun(
    context: RunContext,
    outcome: RunOutcome,
    { signal }: ContextHookOptions,
  ): Promise<void> {
    if (context.historyOwner === 'service' && this.loadMessages) return;
    const messages = this.#messagesOf(outcome);
    if (messages !== undefined) await this.store(context, messages, { signal });
  }

  /**
   * Stores part of a run while it lasts; `afterRun` then leaves it out.
   * Called after every model call when the agent says `persistPerServiceCall`.
   */
  async store(
    context: RunContext,
    messages: RunMessages,
    { signal }: ContextHookOptions,
  ): Promise<void> {
    if (context.historyOwner === 'service' && this.loadMessages) return;
    const memory: RunMemory = this.#runs.get(context) ?? {
      stored: new Set<string>(),
      replacements: [],
      known: new Set<string>(),
      view: undefined,
    };
    this.#runs.set(context, memory);
    const key = keyOf(context.session, this.sourceId);
    const [backend, { state }, edits] = [this.#backend, context, memory.replacements];
    const fresh = this.#selected(messages, memory.known).filter(({ id }) => !memory.stored.has(id));
    if (edits.length > 0) {
      await storeEdited({ backend, key, state, signal, edits, added: fresh });
      forgetReduction(state);
      this.#runs.set(context, { ...memory, replacements: [] });
    } else if (fresh.length > 0) {
      const conversation = [...context.history, ...this.#selected(messages, memory.known)];
      await backend.append(key, toRecords(fresh, conversation), { signal, state });
    }
    for (const { id } of fresh) memory.stored.add(id);
  }

  /** The messages of a session. Damaged records are left out. */
  async getMessages(session: AgentSession, options: ReadHistoryOptions = {}): Promise<HistoryPage> {
    const loaded = await this.#backend.load(keyOf(session, this.sourceId), {
      ...options,
      state: sessionSlot(session, this.sourceId),
    });
    const { items, damaged } = await decodeLoaded(loaded, options.signal);
    return {
      messages: items.map(({ message }) => message),
      damaged,
      version: loaded.version,
      firstSequence: loaded.records[0]?.sequence,
    };
  }

  /**
   * Puts these messages in place of all that are stored.
   * @param version - What {@link getMessages} gave: nothing is replaced that was not seen.
   * @throws ConflictError when the history has changed since; ConfigurationError when the backend cannot replace.
   */
  async setMessages(
    session: AgentSession,
    messages: readonly ChatMessage[],
    options: { readonly version: string; readonly signal?: AbortSignal },
  ): Promise<void> {
    if (this.#backend.replace === undefined) {
      throw new ConfigurationError(
        `The backend of ${this.sourceId} cannot replace messages. Use one whose backend has \`replace\`.`,
        { packageName: '@minne/core', field: 'backend', sessionId: session.sessionId },
      );
    }
    const state = sessionSlot(session, this.sourceId);
    await this.#backend.replace(keyOf(session, this.sourceId), toRecords(messages), {
      ...options,
      state,
    });
    forgetReduction(state);
  }

  /** Forgets the history of a session. */
  async clear(
    session: AgentSession,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const state = sessionSlot(session, this.sourceId);
    await this.#backend.clear(keyOf(session, this.sourceId), { ...options, state });
    forgetReduction(state);
  }

  #messagesOf(outcome: RunOutcome): RunMessages | undefined {
    if (outcome.status === 'completed') return outcome;
    const { partial } = outcome;
    const policy =
      (outcome.status === 'aborted' ? this.#flags.onAbort : this.#flags.onFailure) ?? 'partial';
    if (policy === 'nothing') return undefined;
    if (policy === 'input') return { ...partial, output: [] };
    return outcome.status === 'failed' && partial.output.length === 0 ? undefined : partial;
  }

  #selected(
    { context, input, output }: RunMessages,
    known: ReadonlySet<string>,
  ): readonly ChatMessage[] {
    const { storeInputs, storeOutputs, storeContextMessages, storeContextFrom } = this.#flags;
    const injected =
      storeContextMessages === true
        ? context.filter(
            ({ metadata }) =>
              storeContextFrom === undefined ||
              storeContextFrom.includes(String(metadata?.[sourceMetadataKey])),
          )
        : [];
    return [
      ...injected,
      ...(storeInputs === false ? [] : input.filter(({ id }) => !known.has(id))),
      ...(storeOutputs === false ? [] : output),
    ];
  }
}

/** The key of `metadata` that names the provider an injected message came from. */
export const sourceMetadataKey = 'minne.source_id';

function keyOf(session: AgentSession, sourceId: string): HistoryKey {
  return {
    sessionId: session.sessionId,
    sourceId,
    ...(session.actorId === undefined ? {} : { actorId: session.actorId }),
  };
}

import {
  type ContextProvider,
  HistoryProvider,
  type JsonObject,
  type RunContext,
  type RunOutcome,
} from '@minne/core';

const probePrefix = 'kit_probe_';

/** What a probe has seen when one of its hooks was called. */
export interface Sight {
  readonly hook: 'beforeRun' | 'afterRun';
  /** The run, without the session's state. */
  readonly run: unknown;
  /** The slots of the session, without those of the provider and of the probes. */
  readonly otherSlots: unknown;
}

/**
 * Stands right before or right after a provider in an agent's list, and copies what there is to see at
 * that moment. What differs between the two is what the provider changed.
 */
export class ProbeProvider implements ContextProvider {
  readonly specificationVersion = 'v1' as const;
  readonly sourceId: string;
  readonly sights: Sight[] = [];
  readonly #watched: ContextProvider;

  constructor(place: 'before' | 'after', watched: ContextProvider) {
    this.sourceId = `${probePrefix}${place}`;
    this.#watched = watched;
  }

  async beforeRun(context: RunContext): Promise<undefined> {
    this.#look('beforeRun', context, undefined);
  }

  async afterRun(context: RunContext, outcome: RunOutcome): Promise<void> {
    this.#look('afterRun', context, outcome);
  }

  #look(hook: Sight['hook'], context: RunContext, outcome: RunOutcome | undefined): void {
    const { input, callerIds, history, session, runId, historyOwner } = context;
    const { state, ...identity } = session;
    // The history comes from the provider itself when it is a history provider.
    const seesHistory = hook === 'afterRun' || !HistoryProvider.isInstance(this.#watched);
    const messages = outcome?.status === 'completed' ? outcome : outcome?.partial;
    this.sights.push({
      hook,
      run: structuredClone({
        input,
        callerIds,
        history: seesHistory ? history : [],
        session: identity,
        runId,
        historyOwner,
        status: outcome?.status,
        messages: messages && [messages.input, messages.context, messages.output],
      }),
      otherSlots: structuredClone(slotsOfOthers(state, this.#watched.sourceId)),
    });
  }
}

function slotsOfOthers(state: object, sourceId: string): JsonObject {
  return Object.fromEntries(
    Object.entries(state).filter(([name]) => name !== sourceId && !name.startsWith(probePrefix)),
  );
}

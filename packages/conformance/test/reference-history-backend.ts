import {
  type AppendResult,
  checkId,
  type HistoryBackend,
  type HistoryCallOptions,
  type HistoryFilter,
  type HistoryKey,
  type HistoryListing,
  type HistoryRecord,
  type LoadOptions,
  type LoadResult,
  type NewHistoryRecord,
  type ReplaceOptions,
  SessionHistoryBackend,
  type SessionState,
} from '@minne/core';

/** A history of the reference backend: where it lies, whose it is and when it was last written. */
export interface ReferenceHistory {
  readonly state: SessionState;
  readonly key: HistoryKey;
  readonly order: number;
}

/** What backends of one test share: the store they are opened on. */
export type ReferenceStore = Map<string, ReferenceHistory>;

/** Options of {@link ReferenceHistoryBackend}. */
export interface ReferenceOptions {
  readonly store: ReferenceStore;
  readonly maxMessages?: number;
}

/** A correct backend over a `Map`, whose parts the broken ones replace. */
export class ReferenceHistoryBackend implements HistoryBackend {
  readonly specificationVersion = 'v1' as const;
  protected readonly store: ReferenceStore;
  protected readonly maxMessages: number | undefined;
  protected readonly inner: SessionHistoryBackend;

  constructor({ store, maxMessages }: ReferenceOptions) {
    this.store = store;
    this.maxMessages = maxMessages;
    this.inner = new SessionHistoryBackend(maxMessages === undefined ? {} : { maxMessages });
  }

  /** The name that a history has in the store. */
  nameOf({ sessionId, sourceId }: HistoryKey): string {
    return JSON.stringify([sourceId, sessionId]);
  }

  /** The key that is checked. */
  checkedKey(key: HistoryKey): HistoryKey {
    return key;
  }

  /** The state in which a history lies, made when there is none. */
  stateOf(key: HistoryKey): SessionState {
    const found = this.store.get(this.nameOf(key));
    if (found !== undefined) return found.state;
    const { sessionId, sourceId } = key;
    const state: SessionState = {};
    this.store.set(this.nameOf(key), { state, key: { sessionId, sourceId }, order: 0 });
    return state;
  }

  async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const state = this.stateOf(key);
    const result = await this.inner.append(this.checkedKey(key), records, { ...options, state });
    this.remember(key, state);
    return result;
  }

  async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    return this.inner.load(this.checkedKey(key), { ...options, state: this.stateOf(key) });
  }

  async clear(key: HistoryKey, options: HistoryCallOptions = {}): Promise<void> {
    const state = this.stateOf(key);
    await this.inner.clear(this.checkedKey(key), { ...options, state });
    const history = this.store.get(this.nameOf(key));
    if (history === undefined) return;
    const { sessionId, sourceId } = history.key;
    this.store.set(this.nameOf(key), { ...history, key: { sessionId, sourceId } });
  }

  async replace(
    key: HistoryKey,
    records: readonly (HistoryRecord | NewHistoryRecord)[],
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    const state = this.stateOf(key);
    const result = await this.inner.replace(this.checkedKey(key), records, { ...options, state });
    this.remember(key, state);
    return result;
  }

  async *list({ actorId }: HistoryFilter): AsyncGenerator<HistoryListing> {
    checkId(actorId, 'actorId', { packageName: '@minne/conformance' });
    const found = [...this.store.values()].filter(({ key }) => key.actorId === actorId);
    for (const { key } of found.sort((one, other) => other.order - one.order)) {
      yield { key, updatedAt: '2026-05-01T10:00:00.000Z' };
    }
  }

  /** Notes that a history was written. */
  protected remember(key: HistoryKey, state: SessionState): void {
    const name = this.nameOf(key);
    const actorId = key.actorId ?? this.store.get(name)?.key.actorId;
    const orders = [...this.store.values()].map(({ order }) => order);
    this.store.set(name, {
      state,
      key: {
        sessionId: key.sessionId,
        sourceId: key.sourceId,
        ...(actorId === undefined ? {} : { actorId }),
      },
      order: Math.max(0, ...orders) + 1,
    });
  }
}

/** Spoils the oldest record of what the store holds under a name. */
export function damageReference(store: ReferenceStore, name: string): void {
  const history = store.get(name);
  if (history === undefined) throw new Error(`There is no history ${name} to damage.`);
  const text = JSON.stringify(history.state['history']);
  history.state['history'] = JSON.parse(text.replace('"kind":"user"', '"kind":"nobody"'));
}

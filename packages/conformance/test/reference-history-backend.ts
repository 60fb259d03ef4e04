import {
  type AppendResult,
  checkExpiry,
  checkId,
  type HistoryBackend,
  type HistoryCallOptions,
  type HistoryExpiryOptions,
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
  /** When it is forgotten. */
  readonly expiresAt?: number;
}

/** What backends of one test share: the store they are opened on, with a clock of its own. */
export class ReferenceStore extends Map<string, ReferenceHistory> {
  /** Tells the time, in milliseconds. */
  readonly now: () => number;
  /** How often it was written to. */
  writes = 0;
  /** Whether anything in it expires. */
  expires = false;

  constructor(now: () => number) {
    super();
    this.now = now;
  }
}

/** Options of {@link ReferenceHistoryBackend}. */
export interface ReferenceOptions extends HistoryExpiryOptions {
  readonly store: ReferenceStore;
  readonly maxMessages?: number;
}

const packageName = '@minne/conformance';

/** A correct backend over a `Map`, whose parts the broken ones replace. */
export class ReferenceHistoryBackend implements HistoryBackend {
  readonly specificationVersion = 'v1' as const;
  protected readonly store: ReferenceStore;
  protected readonly maxMessages: number | undefined;
  protected readonly expiry: HistoryExpiryOptions;
  protected readonly inner: SessionHistoryBackend;

  constructor({ store, maxMessages, ...expiry }: ReferenceOptions) {
    this.checkExpiry(expiry);
    this.store = store;
    this.maxMessages = maxMessages;
    this.expiry = expiry;
    this.inner = new SessionHistoryBackend(maxMessages === undefined ? {} : { maxMessages });
  }

  /** Refuses times that are none. */
  protected checkExpiry(expiry: HistoryExpiryOptions): void {
    checkExpiry(expiry, packageName);
  }

  /** The name that a history has in the store. */
  nameOf({ sessionId, sourceId }: HistoryKey): string {
    return JSON.stringify([sourceId, sessionId]);
  }

  /** The key that is checked. */
  checkedKey(key: HistoryKey): HistoryKey {
    return key;
  }

  /** The state in which a history lies, made when there is none, and emptied when its time is over. */
  stateOf(key: HistoryKey): SessionState {
    this.expire();
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
    const state = this.stateOf(key);
    const loaded = await this.inner.load(this.checkedKey(key), { ...options, state });
    if (this.expiry.refreshOnRead === true) this.refresh(key);
    return loaded;
  }

  async clear(key: HistoryKey, options: HistoryCallOptions = {}): Promise<void> {
    const state = this.stateOf(key);
    // Checks what it was given, as a clear would; what it then does is one step.
    await this.inner.load(this.checkedKey(key), { ...options, limit: 0, state });
    this.forget(this.nameOf(key));
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
    checkId(actorId, 'actorId', { packageName });
    this.expire();
    for (const [, { key }] of this.historiesOf(actorId)) {
      yield { key, updatedAt: '2026-05-01T10:00:00.000Z' };
    }
  }

  async eraseActor(actorId: string, { signal }: HistoryCallOptions = {}): Promise<number> {
    signal?.throwIfAborted();
    checkId(actorId, 'actorId', { packageName });
    this.expire();
    const found = this.historiesOf(actorId);
    for (const [name] of found) this.forget(name);
    return found.length;
  }

  /** The histories of an actor and their names, most recently written first. */
  protected historiesOf(actorId: string): [string, ReferenceHistory][] {
    return [...this.store]
      .filter(([, { key }]) => key.actorId === actorId)
      .sort(([, one], [, other]) => other.order - one.order);
  }

  /** Notes that a history was written. */
  protected remember(key: HistoryKey, state: SessionState): void {
    const name = this.nameOf(key);
    const before = this.store.get(name);
    const actorId = key.actorId ?? before?.key.actorId;
    this.store.set(name, {
      ...before,
      state,
      key: {
        sessionId: key.sessionId,
        sourceId: key.sourceId,
        ...(actorId === undefined ? {} : { actorId }),
      },
      order: ++this.store.writes,
    });
    this.refresh(key);
  }

  /** Lets the time of a history begin, anew unless it is fixed. */
  protected refresh(key: HistoryKey): void {
    const { ttl, expiry } = this.expiry;
    const history = this.store.get(this.nameOf(key));
    if (history === undefined || ttl === undefined) return;
    if (expiry === 'fixed' && history.expiresAt !== undefined) return;
    this.store.expires = true;
    this.store.set(this.nameOf(key), { ...history, expiresAt: this.store.now() + ttl });
  }

  /** Forgets every history whose time is over. */
  protected expire(): void {
    if (!this.store.expires) return;
    for (const [name, { expiresAt = Number.POSITIVE_INFINITY }] of this.store) {
      if (expiresAt <= this.store.now()) this.forget(name);
    }
  }

  /** Forgets what a history holds, whose it is and when it expires. It counts on where it was. */
  protected forget(name: string): void {
    const history = this.store.get(name);
    if (history === undefined) return;
    const { sessionId, sourceId } = history.key;
    const { state, order } = history;
    emptyState(state);
    this.store.set(name, { state, key: { sessionId, sourceId }, order });
  }
}

/** What the inner backend does to clear, in one step. */
function emptyState(state: SessionState): void {
  const { history } = state;
  if (typeof history !== 'object' || history === null || !('version' in history)) return;
  const version = Number(history['version']) + 1;
  state['history'] = { ...history, version, pages: [], removedIds: [] };
}

/** Spoils the oldest record of what the store holds under a name. */
export function damageReference(store: ReferenceStore, name: string): void {
  const history = store.get(name);
  if (history === undefined) throw new Error(`There is no history ${name} to damage.`);
  const text = JSON.stringify(history.state['history']);
  history.state['history'] = JSON.parse(text.replace('"kind":"user"', '"kind":"nobody"'));
}

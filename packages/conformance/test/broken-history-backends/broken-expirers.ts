import type {
  AppendResult,
  HistoryCallOptions,
  HistoryFilter,
  HistoryKey,
  HistoryListing,
  HistoryRecord,
  LoadOptions,
  LoadResult,
  NewHistoryRecord,
  ReplaceOptions,
  SessionState,
} from '@minne/core';
import { ReferenceHistoryBackend, type ReferenceOptions } from '../reference-history-backend.js';

/** Forgets the messages when their time is over, and goes on to know their ids. */
export class KeepsIdsForEver extends ReferenceHistoryBackend {
  readonly #written = new Map<string, Set<string>>();

  override async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const result = await super.append(key, records, options);
    const written = this.#written.get(this.nameOf(key)) ?? new Set();
    for (const { id } of records) this.#written.set(this.nameOf(key), written.add(id));
    return result;
  }

  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const written = this.#written.get(this.nameOf(key)) ?? new Set();
    const knownIds = (options.ids ?? []).filter((id) => written.has(id));
    return { ...(await super.load(key, options)), knownIds };
  }

  override async clear(key: HistoryKey, options: HistoryCallOptions = {}): Promise<void> {
    this.#written.delete(this.nameOf(key));
    await super.clear(key, options);
  }
}

/** Counts the time from the first write, whatever it was told. */
export class NeverSlides extends ReferenceHistoryBackend {
  protected override refresh(key: HistoryKey): void {
    if (this.store.get(this.nameOf(key))?.expiresAt === undefined) super.refresh(key);
  }
}

/** Counts the time from the last append. */
export class RefreshesByAppendOnly extends ReferenceHistoryBackend {
  #replacing = false;

  override async replace(
    key: HistoryKey,
    records: readonly (HistoryRecord | NewHistoryRecord)[],
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    this.#replacing = true;
    try {
      return await super.replace(key, records, options);
    } finally {
      this.#replacing = false;
    }
  }

  protected override refresh(key: HistoryKey): void {
    if (!this.#replacing) super.refresh(key);
  }
}

/** Takes every read for a write. */
export class RefreshesByEveryRead extends ReferenceHistoryBackend {
  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const loaded = await super.load(key, options);
    if (loaded.records.length > 0) this.refresh(key);
    return loaded;
  }
}

/** Takes no read for a write. */
export class NeverRefreshesByRead extends ReferenceHistoryBackend {
  constructor({ refreshOnRead, ...options }: ReferenceOptions) {
    super(
      refreshOnRead === true && options.ttl === undefined ? { ...options, refreshOnRead } : options,
    );
  }
}

/** Counts the time from the last write, whatever it was told. */
export class AlwaysSlides extends ReferenceHistoryBackend {
  protected override refresh(key: HistoryKey): void {
    const history = this.store.get(this.nameOf(key));
    const { ttl } = this.expiry;
    if (history === undefined || ttl === undefined) return;
    this.store.expires = true;
    this.store.set(this.nameOf(key), { ...history, expiresAt: this.store.now() + ttl });
  }
}

/** Keeps the time of what was cleared for what comes after it. */
export class KeepsTheTimeOfTheCleared extends ReferenceHistoryBackend {
  override async clear(key: HistoryKey, options: HistoryCallOptions = {}): Promise<void> {
    const expiresAt = this.store.get(this.nameOf(key))?.expiresAt;
    await super.clear(key, options);
    const history = this.store.get(this.nameOf(key));
    if (history === undefined || expiresAt === undefined) return;
    this.store.set(this.nameOf(key), { ...history, expiresAt });
  }
}

/** Begins to count anew after the time was over. */
export class RestartsAfterExpiry extends ReferenceHistoryBackend {
  protected override expire(): void {
    for (const [name, { expiresAt = Number.POSITIVE_INFINITY }] of this.store) {
      if (expiresAt <= this.store.now()) this.store.delete(name);
    }
  }
}

/** Goes by a list of each actor that knows of no time. */
export class ListsTheExpired extends ReferenceHistoryBackend {
  override async *list({ actorId }: HistoryFilter): AsyncGenerator<HistoryListing> {
    const found = this.historiesOf(actorId);
    for await (const listing of super.list({ actorId })) {
      if (!found.some(([, { key }]) => key === listing.key)) yield listing;
    }
    for (const [, { key }] of found) yield { key, updatedAt: '2026-05-01T10:00:00.000Z' };
  }
}

/** Counts what has expired among what it erases. */
export class CountsTheExpired extends ReferenceHistoryBackend {
  override async eraseActor(actorId: string, options: HistoryCallOptions = {}): Promise<number> {
    const found = this.historiesOf(actorId);
    await super.eraseActor(actorId, options);
    return found.length;
  }
}

/** Gives all sources of a session one time. */
export class ExpiresBySession extends ReferenceHistoryBackend {
  protected override remember(key: HistoryKey, state: SessionState): void {
    super.remember(key, state);
    for (const history of this.store.values()) {
      if (history.key.sessionId === key.sessionId) this.refresh(history.key);
    }
  }
}

/** Does not trim what will be forgotten anyhow. */
export class TrimsNothingThatExpires extends ReferenceHistoryBackend {
  constructor({ maxMessages, ...options }: ReferenceOptions) {
    super(
      maxMessages === undefined || options.ttl !== undefined
        ? options
        : { ...options, maxMessages },
    );
  }
}

/** Takes any number for a time. */
export class AcceptsAnyTime extends ReferenceHistoryBackend {
  protected override checkExpiry(): void {}
}

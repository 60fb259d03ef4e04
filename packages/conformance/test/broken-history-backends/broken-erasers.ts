import type {
  AppendResult,
  HistoryCallOptions,
  HistoryKey,
  HistoryRecord,
  NewHistoryRecord,
  ReplaceOptions,
  SessionState,
} from '@minne/core';
import { ReferenceHistoryBackend } from '../reference-history-backend.js';

/** Erases the first page of histories only. */
export class ErasesOnePage extends ReferenceHistoryBackend {
  override async eraseActor(actorId: string, options: HistoryCallOptions = {}): Promise<number> {
    const found = this.historiesOf(actorId).slice(0, 100);
    if (found.length < 100) return super.eraseActor(actorId, options);
    for (const [name] of found) this.forget(name);
    return found.length;
  }
}

/** Erases the messages and leaves the list of the actor as it is. */
export class ErasesMessagesOnly extends ReferenceHistoryBackend {
  override async eraseActor(actorId: string, options: HistoryCallOptions = {}): Promise<number> {
    const found = this.historiesOf(actorId);
    const count = await super.eraseActor(actorId, options);
    for (const [name, { state, key, order }] of found) this.store.set(name, { state, key, order });
    return count;
  }
}

/** Erases whoever's name begins alike. */
export class ErasesByPrefix extends ReferenceHistoryBackend {
  override async eraseActor(actorId: string, options: HistoryCallOptions = {}): Promise<number> {
    let count = await super.eraseActor(actorId, options);
    const owners = [...this.store.values()].map(({ key }) => key.actorId ?? '');
    for (const owner of new Set(owners)) {
      if (owner.startsWith(actorId)) count += await super.eraseActor(owner, options);
    }
    return count;
  }
}

/** Erases a history with everybody who ever wrote to it. */
export class ErasesWithEveryWriter extends ReferenceHistoryBackend {
  readonly #writers = new Map<string, Set<string>>();

  protected override remember(key: HistoryKey, state: SessionState): void {
    super.remember(key, state);
    if (key.actorId === undefined) return;
    const names = this.#writers.get(key.actorId) ?? new Set();
    this.#writers.set(key.actorId, names.add(this.nameOf(key)));
  }

  override async eraseActor(actorId: string, options: HistoryCallOptions = {}): Promise<number> {
    await super.eraseActor(actorId, options);
    const names = this.#writers.get(actorId) ?? new Set();
    this.#writers.delete(actorId);
    for (const name of names) this.forget(name);
    return names.size;
  }
}

/** Does not note the actor whom a replacement names. */
export class ReplacesWithoutActor extends ReferenceHistoryBackend {
  override async replace(
    { sessionId, sourceId }: HistoryKey,
    records: readonly (HistoryRecord | NewHistoryRecord)[],
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    return super.replace({ sessionId, sourceId }, records, options);
  }
}

/** Begins to count anew after an erasure. */
export class RestartsAfterErasure extends ReferenceHistoryBackend {
  override async eraseActor(actorId: string, options: HistoryCallOptions = {}): Promise<number> {
    const found = this.historiesOf(actorId);
    const count = await super.eraseActor(actorId, options);
    for (const [name] of found) this.store.delete(name);
    return count;
  }
}

/** Counts the messages, waits, and takes away that many: of what came in between, the ids stay mixed up. */
export class ErasesWhatItCounted extends ReferenceHistoryBackend {
  override async eraseActor(actorId: string, options: HistoryCallOptions = {}): Promise<number> {
    const counted = new Map<string, number>();
    for (const [name, { key, state }] of this.historiesOf(actorId)) {
      counted.set(name, (await this.inner.load(key, { state })).records.length);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
    for (const [name, { key, state }] of this.historiesOf(actorId)) {
      const { records, version } = await this.inner.load(key, { state });
      const kept = records.slice(counted.get(name) ?? 0);
      if (kept.length === 0) continue;
      counted.delete(name);
      await this.inner.replace(key, kept, { version, state });
    }
    options.signal?.throwIfAborted();
    for (const name of counted.keys()) this.forget(name);
    return counted.size;
  }
}

/** Erases for any name, and whatever the signal says. */
export class ErasesUnasked extends ReferenceHistoryBackend {
  override async eraseActor(actorId: string): Promise<number> {
    const found = this.historiesOf(actorId);
    for (const [name] of found) this.forget(name);
    return found.length;
  }
}

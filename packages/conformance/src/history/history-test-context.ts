import { setTimeout as delay } from 'node:timers/promises';
import type {
  AppendResult,
  HistoryBackend,
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
import { expect } from 'vitest';
import type { HistoryTestStore, OpenHistoryOptions } from './history-suite-options.js';

/** The sessions of a case, as an application would hold them: each with a slot for each source. */
class TestSessions {
  #slots = new Map<string, SessionState>();

  slot(key: HistoryKey): SessionState {
    const name = JSON.stringify([key.sessionId, key.sourceId]);
    const slot = this.#slots.get(name) ?? {};
    this.#slots.set(name, slot);
    return slot;
  }

  /** Writes every session down and takes it up again, as after a restart. */
  resume(): void {
    const saved = JSON.stringify([...this.#slots]);
    this.#slots = new Map(JSON.parse(saved) as [string, SessionState][]);
  }
}

/** An open backend that is handed the session's state with every call. */
export class OpenedHistory {
  readonly backend: HistoryBackend;
  readonly #sessions: TestSessions;

  constructor(backend: HistoryBackend, sessions: TestSessions) {
    this.backend = backend;
    this.#sessions = sessions;
  }

  append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    return this.backend.append(key, records, { ...options, state: this.#sessions.slot(key) });
  }

  load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    return this.backend.load(key, { ...options, state: this.#sessions.slot(key) });
  }

  clear(key: HistoryKey, options: HistoryCallOptions = {}): Promise<void> {
    return this.backend.clear(key, { ...options, state: this.#sessions.slot(key) });
  }

  async replace(
    key: HistoryKey,
    records: readonly (HistoryRecord | NewHistoryRecord)[],
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    const { replace } = this.backend;
    if (replace === undefined) expect.fail('The backend declares replace and has no such method.');
    const state = this.#sessions.slot(key);
    return replace.call(this.backend, key, records, { ...options, state });
  }

  async list(filter: HistoryFilter): Promise<HistoryListing[]> {
    const { list } = this.backend;
    if (list === undefined) expect.fail('The backend declares list and has no such method.');
    const listings: HistoryListing[] = [];
    for await (const listing of list.call(this.backend, filter)) listings.push(listing);
    return listings;
  }

  async eraseActor(actorId: string, options: HistoryCallOptions = {}): Promise<number> {
    const { eraseActor } = this.backend;
    if (eraseActor === undefined) {
      expect.fail('The backend declares erase and has no method eraseActor.');
    }
    return eraseActor.call(this.backend, actorId, options);
  }
}

/** What a case works with: one store, the backends opened on it, and the sessions. */
export class HistoryTestContext {
  readonly #store: HistoryTestStore;
  readonly #sessions = new TestSessions();
  #opened: HistoryBackend[] = [];
  #waited = 0;

  constructor(store: HistoryTestStore) {
    this.#store = store;
  }

  /** Opens a backend on the store of this case. */
  async open(options: OpenHistoryOptions = {}): Promise<OpenedHistory> {
    const backend = await this.#store.open(options);
    this.#opened.push(backend);
    return new OpenedHistory(backend, this.#sessions);
  }

  /** Closes every backend, writes the sessions down and up again, and opens another backend. */
  async reopen(options: OpenHistoryOptions = {}): Promise<OpenedHistory> {
    await this.#close();
    this.#sessions.resume();
    return this.open(options);
  }

  /** Spoils the oldest record of a history. */
  async damage(key: HistoryKey): Promise<void> {
    const store = this.#store;
    if (store.damage === undefined) {
      expect.fail('The suite declares damage and its store has no such method.');
    }
    await store.damage(key, this.#sessions.slot(key));
  }

  /** Lets so many milliseconds pass on the clock of the store. */
  async wait(milliseconds: number): Promise<void> {
    if (this.#store.advance === undefined) await delay(milliseconds);
    else await this.#store.advance(milliseconds);
    this.#waited += milliseconds;
  }

  /**
   * Milliseconds, from any point: on the clock of this machine or, of a store that is told how time goes
   * on, on that clock.
   */
  now(): number {
    return this.#store.advance === undefined ? performance.now() : this.#waited;
  }

  /** Ends the case. */
  async dispose(): Promise<void> {
    try {
      await this.#close();
    } finally {
      await this.#store.remove?.();
    }
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = [];
    for (const backend of opened) await backend.close?.();
  }
}

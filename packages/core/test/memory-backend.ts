import type {
  AppendResult,
  HistoryBackend,
  HistoryCallOptions,
  HistoryKey,
  LoadOptions,
  LoadResult,
  NewHistoryRecord,
  ReplaceOptions,
  SessionState,
} from '@minne/core';
import { SessionHistoryBackend } from '@minne/core';

/** A store of its own outside the session, whose calls can be counted and made to fail. */
export class MemoryBackend implements HistoryBackend {
  readonly specificationVersion = 'v1' as const;
  readonly calls: string[] = [];
  /** Called before every call; throws to make it fail. */
  before: (verb: string) => void | Promise<void> = () => {};
  readonly #backend = new SessionHistoryBackend();
  readonly #states = new Map<string, SessionState>();

  async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    await this.#enter('append');
    return this.#backend.append(key, records, { ...options, state: this.state(key) });
  }

  async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    await this.#enter('load');
    return this.#backend.load(key, { ...options, state: this.state(key) });
  }

  async clear(key: HistoryKey, options: HistoryCallOptions = {}): Promise<void> {
    await this.#enter('clear');
    return this.#backend.clear(key, { ...options, state: this.state(key) });
  }

  async replace(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    await this.#enter('replace');
    return this.#backend.replace(key, records, { ...options, state: this.state(key) });
  }

  /** What is stored under a key. */
  state({ sessionId, sourceId }: HistoryKey): SessionState {
    const name = JSON.stringify([sessionId, sourceId]);
    const found = this.#states.get(name);
    if (found !== undefined) return found;
    const state: SessionState = {};
    this.#states.set(name, state);
    return state;
  }

  async #enter(verb: string): Promise<void> {
    this.calls.push(verb);
    await this.before(verb);
  }
}

import {
  type HistoryBackend,
  type HistoryKey,
  type HistoryRecord,
  type NewHistoryRecord,
  recordVersion,
  SessionHistoryBackend,
  type SessionState,
} from '@minne/core';

/** A backend without `list` and `eraseActor` that keeps everything in one session and counts what it is asked. */
export class RecordingBackend implements HistoryBackend {
  readonly specificationVersion = 'v1' as const;
  readonly #inner = new SessionHistoryBackend();
  readonly #states = new Map<string, SessionState>();
  /** The names of the calls, in order. */
  readonly calls: string[] = [];

  append: HistoryBackend['append'] = (key, records, options) => {
    this.calls.push('append');
    return this.#inner.append(key, records, { ...options, state: this.#state(key) });
  };

  load: HistoryBackend['load'] = (key, options) => {
    this.calls.push('load');
    return this.#inner.load(key, { ...options, state: this.#state(key) });
  };

  clear: HistoryBackend['clear'] = (key, options) => {
    this.calls.push('clear');
    return this.#inner.clear(key, { ...options, state: this.#state(key) });
  };

  replace(...[key, records, options]: Parameters<NonNullable<HistoryBackend['replace']>>) {
    this.calls.push('replace');
    return this.#inner.replace(key, records, { ...options, state: this.#state(key) });
  }

  /** What lies in the store, as it lies there. */
  async stored(key: HistoryKey): Promise<readonly HistoryRecord[]> {
    return (await this.#inner.load(key, { state: this.#state(key) })).records;
  }

  /** Puts records into the store, past whoever encrypts them. */
  async plant(key: HistoryKey, records: readonly (HistoryRecord | NewHistoryRecord)[]) {
    const state = this.#state(key);
    const { version } = await this.#inner.load(key, { state });
    await this.#inner.replace(key, records, { version, state });
  }

  #state({ sessionId, sourceId }: HistoryKey): SessionState {
    const name = JSON.stringify([sessionId, sourceId]);
    const state = this.#states.get(name) ?? {};
    this.#states.set(name, state);
    return state;
  }
}

/** A history of the tests. */
export const key: HistoryKey = { sessionId: 'chat-7', sourceId: 'history' };

/** A user's message with this id. */
export function recordOf(id: string, text = `the secret of ${id}`): NewHistoryRecord {
  const payload = JSON.stringify({ id, role: 'user', contents: [{ type: 'text', text }] });
  return { v: recordVersion, id, group: `group of ${id}`, kind: 'user', payload };
}

import {
  type AppendResult,
  ConflictError,
  type DamagedRecord,
  type HistoryBackend,
  type HistoryKey,
  type HistoryRecord,
  type LoadOptions,
  type NewHistoryRecord,
  type SessionState,
  StoreError,
  type Warning,
} from '@minne/core';
import type { AgentInputItem } from '@openai/agents';
import { decodeRecord } from './item-record.js';
import { packageName } from './package-name.js';
import { lost, untilFirst, withRetries } from './retries.js';

/** A backend that can replace. */
export type ReplacingBackend = HistoryBackend & Required<Pick<HistoryBackend, 'replace'>>;

/** A stored record, and its item if it is one that can be read. */
export interface StoredItem {
  readonly record: HistoryRecord;
  readonly item: AgentInputItem | undefined;
}

/** What was loaded of a session. */
export interface LoadedItems {
  /** In their order. */
  readonly stored: readonly StoredItem[];
  readonly version: string;
  readonly knownIds: readonly string[];
  /** Records that the backend could not read, or whose text is no item. */
  readonly damaged: readonly DamagedRecord[];
  /** Whether the backend held all of them back, so that a replacement would lose them. */
  readonly withheld: number;
}

/** A change to the whole of a session. */
export interface Rewrite<T> {
  /** What the session shall hold; missing when it shall stay as it is. */
  readonly records?: readonly (HistoryRecord | NewHistoryRecord)[];
  readonly result: T;
}

/** Options of {@link ItemHistory}. */
export interface ItemHistoryOptions {
  readonly backend: ReplacingBackend;
  readonly key: HistoryKey;
  readonly onDiagnostic: (warning: Warning) => void;
}

/** The items of one session in a backend. */
export class ItemHistory {
  readonly #backend: ReplacingBackend;
  readonly #key: HistoryKey;
  readonly #onDiagnostic: (warning: Warning) => void;
  /** For a backend that keeps history in the session: it lives as long as this object. */
  readonly #state: SessionState = {};

  constructor({ backend, key, onDiagnostic }: ItemHistoryOptions) {
    this.#backend = backend;
    this.#key = key;
    this.#onDiagnostic = onDiagnostic;
  }

  get sessionId(): string {
    return this.#key.sessionId;
  }

  /** @throws InvalidInputError when what is stored was written by an agent of Minne. */
  async load(options: Pick<LoadOptions, 'limit' | 'before' | 'ids'> = {}): Promise<LoadedItems> {
    const loaded = await withRetries(() =>
      this.#backend.load(this.#key, { ...options, state: this.#state }),
    );
    const damaged = [...loaded.damaged];
    const stored = loaded.records.map((record): StoredItem => {
      const decoded = decodeRecord(record, this.sessionId);
      if ('damage' in decoded) damaged.push({ sequence: record.sequence, reason: decoded.damage });
      return { record, item: 'item' in decoded ? decoded.item : undefined };
    });
    const { version, knownIds } = loaded;
    return { stored, version, knownIds, damaged, withheld: loaded.damaged.length };
  }

  append(records: readonly NewHistoryRecord[]): Promise<AppendResult> {
    return withRetries(() => this.#backend.append(this.#key, records, { state: this.#state }));
  }

  clear(): Promise<void> {
    return withRetries(() => this.#backend.clear(this.#key, { state: this.#state }));
  }

  /**
   * Changes the whole of the session in one step, worked out anew when others write meanwhile.
   *
   * @param ids - Ids to look up.
   * @throws StoreError when there are records that the backend cannot hand over, which would be lost.
   */
  rewrite<T>(change: (loaded: LoadedItems) => Rewrite<T>, ids: readonly string[] = []): Promise<T> {
    return untilFirst(async () => {
      const loaded = await this.load({ ids });
      const { records, result } = change(loaded);
      if (records === undefined) return result;
      this.#refuseLoss(loaded);
      const { version } = loaded;
      try {
        await this.#backend.replace(this.#key, records, { version, state: this.#state });
      } catch (error) {
        if (ConflictError.isInstance(error)) return lost;
        throw error;
      }
      this.report(loaded.damaged);
      return result;
    }, this.sessionId);
  }

  report(damaged: readonly DamagedRecord[]): void {
    for (const { sequence, reason } of damaged) {
      const where = sequence === undefined ? 'A record' : `The record at sequence ${sequence}`;
      this.warn('damaged_record', `${where} was left out: ${reason}.`);
    }
  }

  warn(code: string, text: string): void {
    const { sourceId, sessionId } = this.#key;
    this.#onDiagnostic({ code, message: `Session ${sessionId}: ${text}`, sourceId });
  }

  #refuseLoss({ withheld }: LoadedItems): void {
    if (withheld === 0) return;
    throw new StoreError(
      `Session ${this.sessionId} holds ${withheld} damaged records, which this change would lose. Mend or clear the session first.`,
      { packageName, sessionId: this.sessionId },
    );
  }
}

import type { HistoryBackend, HistoryKey, SessionState } from '@minne/core';
import type { SuiteOptions } from '../shared/register-cases.js';

/** How the kit wants a backend opened. */
export interface OpenHistoryOptions {
  /** The most messages of a session; absent: no limit. Given only when `trimming` is declared. */
  readonly maxMessages?: number;
}

/** A store of its own for one case, empty when it is handed over. */
export interface HistoryTestStore {
  /**
   * A backend on this store. Called several times when `durable` is declared: all backends of a store
   * see the same histories, one after the other and at the same time.
   */
  open(options: OpenHistoryOptions): HistoryBackend | Promise<HistoryBackend>;
  /**
   * Spoils the oldest record of a history in the way that is most likely to happen in this store.
   * Needed when `damage` is declared.
   *
   * @param state - The slot in the session, for backends that keep history there.
   */
  damage?(key: HistoryKey, state: SessionState): void | Promise<void>;
  /** Called at the end of the case, when the kit has closed every backend it opened. */
  remove?(): void | Promise<void>;
}

/** What a backend can do beside append, load and clear. Each is false when not declared. */
export interface HistoryAbilities {
  /** It has `replace`. */
  readonly replace?: boolean;
  /** It has `list`. */
  readonly list?: boolean;
  /** What it acknowledged is found by a backend opened later on the same store. */
  readonly durable?: boolean;
  /** It takes `maxMessages`. */
  readonly trimming?: boolean;
  /** The test store has `damage`. */
  readonly damage?: boolean;
}

/** Options of {@link testHistoryBackend}. */
export interface HistorySuiteOptions extends SuiteOptions<HistoryAbilities> {
  /** Makes an empty store. Called once for each case. */
  create(): HistoryTestStore | Promise<HistoryTestStore>;
}

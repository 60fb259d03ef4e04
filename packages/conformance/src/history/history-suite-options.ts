import type { HistoryBackend, HistoryExpiryOptions, HistoryKey, SessionState } from '@minne/core';
import type { SuiteOptions } from '../shared/register-cases.js';

/** How the kit wants a backend opened. `ttl` and what goes with it are given only when `expiry` is declared. */
export interface OpenHistoryOptions extends HistoryExpiryOptions {
  /** The most messages of a session; absent: no limit. Given only when `trimming` is declared. */
  readonly maxMessages?: number;
}

/** A store of its own for one case, empty when it is handed over. */
export interface HistoryTestStore {
  /**
   * A backend on this store. Called several times when `durable` is declared: all backends of a store
   * see the same histories, one after the other and at the same time. Called several times for `expiry`,
   * too: each backend is used for sessions of its own.
   */
  open(options: OpenHistoryOptions): HistoryBackend | Promise<HistoryBackend>;
  /**
   * Spoils the oldest record of a history in the way that is most likely to happen in this store.
   * Needed when `damage` is declared.
   *
   * @param state - The slot in the session, for backends that keep history there.
   */
  damage?(key: HistoryKey, state: SessionState): void | Promise<void>;
  /**
   * Makes the clock of this store, and of every backend on it, go on by so many milliseconds. Left out,
   * the kit waits that long, which a store has to do whose server tells the time.
   */
  advance?(milliseconds: number): void | Promise<void>;
  /** Called at the end of the case, when the kit has closed every backend it opened. */
  remove?(): void | Promise<void>;
}

/** What a backend can do beside append, load and clear. Each is false when not declared. */
export interface HistoryAbilities {
  /** It has `replace`. */
  readonly replace?: boolean;
  /** It has `list`. */
  readonly list?: boolean;
  /** It has `eraseActor`. */
  readonly erase?: boolean;
  /** What it acknowledged is found by a backend opened later on the same store. */
  readonly durable?: boolean;
  /** It takes `maxMessages`. */
  readonly trimming?: boolean;
  /** It takes `ttl`, `expiry` and `refreshOnRead`. */
  readonly expiry?: boolean;
  /** The test store has `damage`. */
  readonly damage?: boolean;
}

/** Options of {@link testHistoryBackend}. */
export interface HistorySuiteOptions extends SuiteOptions<HistoryAbilities> {
  /** Makes an empty store. Called once for each case. */
  create(): HistoryTestStore | Promise<HistoryTestStore>;
}

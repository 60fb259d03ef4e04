import type {
  AppendResult,
  HistoryKey,
  HistoryListing,
  HistoryRecord,
  LoadResult,
  NewHistoryRecord,
} from '@minne/core';
import type { PurgeStep } from './purge-expired.js';

/**
 * What is asked of a store and what it answers: checked values only, which a thread can send to another.
 * `now` is the time of the call by the clock of the backend, in milliseconds since 1970.
 */
export interface HistoryCalls {
  readonly append: {
    readonly input: {
      readonly key: HistoryKey;
      readonly records: readonly NewHistoryRecord[];
      readonly now: number;
    };
    readonly result: AppendResult;
  };
  readonly load: {
    readonly input: {
      readonly key: HistoryKey;
      readonly limit: number | undefined;
      readonly before: number | undefined;
      readonly ids: readonly string[];
      readonly now: number;
    };
    readonly result: LoadResult;
  };
  readonly clear: {
    readonly input: { readonly key: HistoryKey; readonly now: number };
    readonly result: undefined;
  };
  readonly replace: {
    readonly input: {
      readonly key: HistoryKey;
      readonly records: readonly (HistoryRecord | NewHistoryRecord)[];
      readonly version: string;
      readonly now: number;
    };
    readonly result: AppendResult;
  };
  readonly listPage: {
    readonly input: {
      readonly actorId: string;
      /** Where the page before ended; absent for the first. */
      readonly before: number | undefined;
      readonly now: number;
    };
    readonly result: ListPage;
  };
  readonly eraseActor: {
    readonly input: { readonly actorId: string; readonly now: number };
    readonly result: number;
  };
  readonly purgeStep: {
    readonly input: { readonly now: number };
    readonly result: PurgeStep;
  };
}

/** A page of the list of an actor. */
export interface ListPage {
  readonly listings: readonly HistoryListing[];
  /** Give it as `before` for the next page; absent on the last. */
  readonly next: number | undefined;
}

export type HistoryMethod = keyof HistoryCalls;

/** The methods of a store. */
export type HistoryMethods = {
  readonly [Method in HistoryMethod]: (
    input: HistoryCalls[Method]['input'],
    signal: AbortSignal | undefined,
  ) => Promise<HistoryCalls[Method]['result']>;
};

/** Where histories are kept: a database in this thread, or in another. */
export interface HistoryStore extends HistoryMethods {
  /** Waits for what was begun, and takes no more calls. */
  close(): Promise<void>;
}

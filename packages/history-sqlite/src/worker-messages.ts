import type { HistoryRecord } from '@minne/core';
import type { HistoryCalls, HistoryMethod } from './history-store.js';
import type { SentError } from './sent-error.js';

/** A call of one method, under a number that names it in every message about it. */
export interface CallOf<Method extends HistoryMethod> {
  readonly kind: 'call';
  readonly id: number;
  readonly method: Method;
  readonly input: HistoryCalls[Method]['input'];
}

/** A call of any method. */
export type CallMessage = { readonly [Method in HistoryMethod]: CallOf<Method> }[HistoryMethod];

/** What the thread is told. */
export type MessageToWorker =
  | CallMessage
  /** Nobody waits for the call any more. */
  | { readonly kind: 'cancel'; readonly id: number }
  /** The records of the last part have been taken in; send the next. */
  | { readonly kind: 'more'; readonly id: number }
  /** Close the database and end. */
  | { readonly kind: 'close' };

/** What the thread tells. Every call ends in one `done` or `failed`. */
export type MessageFromWorker =
  /** The next records of a load; the last ones come with `done`. */
  | {
      readonly kind: 'part';
      readonly id: number;
      readonly records: readonly HistoryRecord[];
    }
  | { readonly kind: 'done'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SentError }
  | { readonly kind: 'closed'; readonly error?: SentError };

import type { HistoryRecord } from '@minne/core';
import type { CallMessage } from './worker-messages.js';

/** A call that a thread has not answered yet. */
export class PendingCall {
  readonly message: CallMessage;
  /** What was answered. Rejects with the reason of the signal as soon as it aborts. */
  readonly result: Promise<unknown>;
  /** The parts of a load so far. */
  readonly records: HistoryRecord[] = [];
  readonly #settlers = Promise.withResolvers<unknown>();
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort: () => void;

  /** @param abandon - Called when the signal aborts before the call is settled. */
  constructor(message: CallMessage, signal: AbortSignal | undefined, abandon: () => void) {
    this.message = message;
    this.result = this.#settlers.promise;
    this.#signal = signal;
    this.#onAbort = () => {
      this.#settlers.reject(signal?.reason);
      abandon();
    };
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** @param result - Of a load: with the last records. */
  resolve(result: unknown): void {
    this.#forgetSignal();
    const isLoaded = this.records.length > 0 && typeof result === 'object' && result !== null;
    if (isLoaded && 'records' in result && Array.isArray(result.records)) {
      this.#settlers.resolve({ ...result, records: [...this.records, ...result.records] });
    } else {
      this.#settlers.resolve(result);
    }
  }

  reject(error: unknown): void {
    this.#forgetSignal();
    this.#settlers.reject(error);
  }

  #forgetSignal(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}

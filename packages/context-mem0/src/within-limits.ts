import { StoreError } from '@minne/core';
import { packageName } from './package-name.js';

/** How long a call may take. */
export interface CallLimits {
  readonly signal: AbortSignal;
  /** Milliseconds; `Infinity` for no limit. */
  readonly timeout: number;
}

/**
 * Calls `work` and waits, but no longer than until the signal aborts or the time is up. The clients of
 * Mem0 take no signal, so the call itself goes on unwatched, and how it ends then is of no concern.
 *
 * @param what - Names the call in the error, such as `search`.
 * @throws The signal's reason, or a StoreError that is `retryable` when the time is up.
 */
export async function withinLimits<T>(
  what: string,
  work: () => Promise<T>,
  { signal, timeout }: CallLimits,
): Promise<T> {
  signal.throwIfAborted();
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const timer = Number.isFinite(timeout)
    ? setTimeout(() => over.abort(timeUp(what, timeout)), timeout)
    : undefined;
  let stop = (): void => {};
  const ended = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(either.reason);
    either.addEventListener('abort', onAbort);
    stop = () => either.removeEventListener('abort', onAbort);
  });
  try {
    // The race listens to both, so that what loses and fails later is not "unhandled".
    return await Promise.race([work(), ended]);
  } finally {
    clearTimeout(timer);
    stop();
  }
}

function timeUp(what: string, timeout: number): StoreError {
  return new StoreError(
    `Mem0 did not answer ${what} within ${timeout} ms. It may still carry it out. Raise the option timeout, or look whether the service is up.`,
    { packageName, field: 'timeout', retryable: true },
  );
}

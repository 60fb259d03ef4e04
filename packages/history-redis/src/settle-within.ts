import { StoreError } from '@minne/core';
import { packageName } from './package-name.js';

/** How long something may take, and who may stop waiting. */
export interface WaitOptions {
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  readonly sessionId: string | undefined;
}

/**
 * Waits for `work`, which goes on when this stops waiting.
 *
 * @throws The reason of the signal; StoreError, retryable, when the time is over.
 */
export async function settleWithin<Result>(
  work: Promise<Result>,
  options: WaitOptions,
): Promise<Result> {
  const { timeout, signal } = options;
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal?.reason);
  const timer = setTimeout(() => reject(timeIsOver(options)), timeout);
  signal?.addEventListener('abort', stop);
  try {
    return await Promise.race([work, stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** The error for a server that takes too long. */
export function timeIsOver({ timeout, sessionId }: WaitOptions): StoreError {
  return new StoreError(
    `Redis did not answer within ${timeout} ms. What was sent may still be done; make the same call again, or raise commandTimeout.`,
    {
      packageName,
      field: 'commandTimeout',
      retryable: true,
      ...(sessionId === undefined ? {} : { sessionId }),
    },
  );
}

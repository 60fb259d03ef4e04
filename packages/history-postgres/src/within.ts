/** How long something is waited for, and by whom. */
export interface WaitOptions {
  readonly signal: AbortSignal | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  /** The error when the time is over. */
  late(): Error;
}

/**
 * Waits for `work`, which goes on when the waiting ends before it does.
 * @throws What `work` does, the reason of `signal`, or `late()`.
 */
export async function within<Result>(
  work: Promise<Result>,
  { timeout, signal, late }: WaitOptions,
): Promise<Result> {
  const ended = Promise.withResolvers<never>();
  const timer = setTimeout(() => ended.reject(late()), timeout);
  try {
    return await untilAborted(Promise.race([work, ended.promise]), signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for `work`, which goes on when the waiting ends before it does.
 * @throws What `work` does, or the reason of `signal`.
 */
export async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    if (signal.aborted) abort();
    // The race also takes up what `work` rejects with when nobody waits for it any more.
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

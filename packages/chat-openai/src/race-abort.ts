/**
 * Waits for `work`, but no longer than until `signal` aborts: the `openai` package, before 7, sleeps
 * through an abort between two attempts.
 * @throws The signal's reason, when it aborts first.
 */
export async function raceAbort<T>(
  work: PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return await work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

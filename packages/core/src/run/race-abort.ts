/**
 * Waits for `promise`, but no longer than until `signal` aborts. The work behind the promise goes on
 * unwatched; whoever starts it hands it the same signal.
 * @throws The signal's reason, when it aborts first.
 */
export async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // The outcome no longer matters, and its failure is not to be "unhandled".
    promise.catch(() => undefined);
    throw signal.reason;
  }
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    stop = () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stop();
  }
}

/** Iterates, but no longer than until `signal` aborts; leaving ends the source. */
export async function* iterateUntilAbort<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const step = await raceAbort(iterator.next(), signal);
      if (step.done === true) {
        ended = true;
        return;
      }
      yield step.value;
    }
  } finally {
    if (!ended) {
      // A source that is stuck in `next()` answers `return()` only when it is done with it.
      const closing = Promise.resolve(iterator.return?.());
      if (signal.aborted) closing.catch(() => undefined);
      else await closing;
    }
  }
}

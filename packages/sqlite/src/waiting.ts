import { setTimeout as delay } from 'node:timers/promises';

/** The longest pause before a locked database is tried again, in milliseconds. */
const longestPause = 10;

/** Of another length each time, so that processes do not keep meeting. */
function pauseLength(): number {
  return 1 + Math.random() * longestPause;
}

/** Waits a short while, with the event loop free. @throws The reason of `signal` when it is aborted. */
export async function pause(signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(pauseLength(), undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    // Node wraps the reason; callers get their own.
    signal?.throwIfAborted();
    throw error;
  }
}

/** Waits a short while and holds up the process. */
export function pauseBlocking(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseLength());
}

/** Waits until `turn` has come. @throws The reason of `signal` when it is aborted before. */
export async function untilTurn(
  turn: Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal === undefined) return turn;
  signal.throwIfAborted();
  const waiting = Promise.withResolvers<void>();
  const abort = () => waiting.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([turn, waiting.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

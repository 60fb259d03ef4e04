import { AfterRunTimeoutError } from '../run-errors.js';
import { raceAbort } from './race-abort.js';

/** A limit of time that has begun. */
export interface TimeLimit {
  /** Aborts with an AfterRunTimeoutError when the time is up. */
  readonly signal: AbortSignal;
  /** Ends it; a timer would keep the process. */
  clear(): void;
}

/** Begins the time that a provider has after a run. @param timeout - Milliseconds; `Infinity` for no limit. */
export function timeLimit(timeout: number, sourceId: string): TimeLimit {
  const time = new AbortController();
  const end = (): void => time.abort(new AfterRunTimeoutError(sourceId, timeout));
  const timer = Number.isFinite(timeout) ? setTimeout(end, timeout) : undefined;
  return { signal: time.signal, clear: () => clearTimeout(timer) };
}

/**
 * Waits for the work of a provider after a run, but no longer than it may take. Work that does not listen to
 * its signal goes on unwatched.
 * @param timeout - Milliseconds; `Infinity` for no limit.
 * @throws AfterRunTimeoutError when the time is up; whatever the work throws.
 */
export async function withinTime<T>(
  timeout: number,
  sourceId: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, clear } = timeLimit(timeout, sourceId);
  try {
    return await raceAbort(work(signal), signal);
  } finally {
    clear();
  }
}

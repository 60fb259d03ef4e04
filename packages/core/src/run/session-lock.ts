import { ConflictError } from '../errors.js';
import { raceAbort } from './race-abort.js';

/** Which sessions the code that is running belongs to, where the platform can tell. */
interface AsyncContext {
  run<T>(sessions: readonly string[], work: () => T): T;
  getStore(): readonly string[] | undefined;
}

interface AsyncHooks {
  readonly AsyncLocalStorage: new () => AsyncContext;
}

interface ProcessWithBuiltins {
  getBuiltinModule?(name: string): unknown;
}

// Taken from the running platform rather than imported, so that this package loads in browsers too.
// Where it is missing, a run inside a tool of the same session waits instead of failing.
const processLike: ProcessWithBuiltins | undefined = Reflect.get(globalThis, 'process');
const hooks = processLike?.getBuiltinModule?.('node:async_hooks') as AsyncHooks | undefined;
const asyncContext = hooks === undefined ? undefined : new hooks.AsyncLocalStorage();

/** The last run in the queue of each session that has one. */
const queues = new Map<string, Promise<void>>();

/** Runs a tool so that a run it starts on the same session can be recognised. */
export function insideSession<T>(sessionId: string, work: () => T): T {
  if (asyncContext === undefined) return work();
  return asyncContext.run([...(asyncContext.getStore() ?? []), sessionId], work);
}

/**
 * Waits until the runs that came before on this session in this process are over.
 * @returns What frees the session for the next run.
 * @throws ConflictError inside a tool of the same session, where waiting would never end; the
 * signal's reason when it aborts first.
 */
export async function lockSession(sessionId: string, signal: AbortSignal): Promise<() => void> {
  if (asyncContext?.getStore()?.includes(sessionId)) {
    throw new ConflictError(
      `A tool started a run on session ${JSON.stringify(sessionId)}, to which the tool's own run belongs. Give the inner run a session of its own.`,
      { packageName: '@minne/core', sessionId },
    );
  }
  const before = queues.get(sessionId);
  let release = (): void => {};
  const over = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The chain holds even when this run gives up waiting: the next one still waits for those before.
  const tail = (before ?? Promise.resolve()).then(() => over);
  queues.set(sessionId, tail);
  const free = (): void => {
    release();
    if (queues.get(sessionId) === tail) queues.delete(sessionId);
  };
  try {
    signal.throwIfAborted();
    if (before !== undefined) await raceAbort(before, signal);
  } catch (error) {
    void tail.then(() => queues.get(sessionId) === tail && queues.delete(sessionId));
    release();
    throw error;
  }
  return free;
}

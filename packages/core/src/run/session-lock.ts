import { ConflictError } from '../errors.js';
import { raceAbort } from './race-abort.js';

/** A run that holds its session. */
interface Holder {
  readonly sessionId: string;
  over: boolean;
}

/** Which runs the code that is running is inside of, where the platform can tell. */
interface AsyncContext {
  run<T>(holders: readonly Holder[], work: () => T): T;
  getStore(): readonly Holder[] | undefined;
}

interface AsyncHooks {
  readonly AsyncLocalStorage: new () => AsyncContext;
}

interface ProcessWithBuiltins {
  getBuiltinModule?(name: string): unknown;
}

// Taken from the running platform rather than imported, so that this package loads in browsers too.
// Where it is missing, a run inside another of the same session waits instead of failing.
const processLike: ProcessWithBuiltins | undefined = Reflect.get(globalThis, 'process');
const hooks = processLike?.getBuiltinModule?.('node:async_hooks') as AsyncHooks | undefined;
const asyncContext = hooks === undefined ? undefined : new hooks.AsyncLocalStorage();

/** The last run in the queue of each session that has one. */
const queues = new Map<string, Promise<void>>();

/** For each session, those that runs inside its own run wait for at this moment. */
const waits = new Map<string, readonly string[]>();

/**
 * Does the work when the runs that came before on this session in this process are over; those that
 * come later wait for it.
 * @throws ConflictError inside a run on the same session, which would wait for itself, directly or by
 * way of others; the signal's reason when it aborts before the work has begun.
 */
export async function holdSession<T>(
  sessionId: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  // What a run has left behind, such as a timer, may well start another when it is over.
  const outer = (asyncContext?.getStore() ?? []).filter(({ over }) => !over);
  if (outer.some((holder) => holder.sessionId === sessionId)) {
    throw new ConflictError(
      `A run on session ${JSON.stringify(sessionId)} was started inside a run on the same session, by one of its tools, providers or middleware, and would wait for itself. Give the inner run a session of its own, or start it when the outer one is over.`,
      { packageName: '@minne/core', sessionId },
    );
  }
  const held = outer.map((holder) => holder.sessionId);
  if (leadsTo(sessionId, held)) {
    throw new ConflictError(
      `A run on session ${JSON.stringify(sessionId)} was started inside a run on session ${JSON.stringify(held.at(-1))}, while the other way round a run waits for that one: neither would end. Give the inner runs sessions of their own.`,
      { packageName: '@minne/core', sessionId },
    );
  }
  const free = await waiting(held, sessionId, () => lock(sessionId, signal));
  const holder: Holder = { sessionId, over: false };
  try {
    return await (asyncContext === undefined ? work() : asyncContext.run([...outer, holder], work));
  } finally {
    holder.over = true;
    free();
  }
}

/** Whether whoever holds `sessionId` waits, directly or by way of others, for one of these sessions. */
function leadsTo(sessionId: string, held: readonly string[]): boolean {
  const seen = new Set([sessionId]);
  for (const session of seen) {
    if (held.includes(session)) return true;
    for (const next of waits.get(session) ?? []) seen.add(next);
  }
  return false;
}

/** Notes, while it takes to get the session, that the sessions held wait for it. */
async function waiting<T>(
  held: readonly string[],
  sessionId: string,
  get: () => Promise<T>,
): Promise<T> {
  for (const session of held) waits.set(session, [...(waits.get(session) ?? []), sessionId]);
  try {
    return await get();
  } finally {
    for (const session of held) {
      const others = [...(waits.get(session) ?? [])];
      others.splice(others.indexOf(sessionId), 1);
      if (others.length > 0) waits.set(session, others);
      else waits.delete(session);
    }
  }
}

/** @returns What frees the session for the next run. */
async function lock(sessionId: string, signal: AbortSignal): Promise<() => void> {
  const before = queues.get(sessionId);
  let release = (): void => {};
  const over = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The chain holds even when this run gives up waiting: the next one still waits for those before.
  const tail = (before ?? Promise.resolve()).then(() => over);
  queues.set(sessionId, tail);
  const forget = (): void => {
    if (queues.get(sessionId) === tail) queues.delete(sessionId);
  };
  try {
    signal.throwIfAborted();
    if (before !== undefined) await raceAbort(before, signal);
  } catch (error) {
    void tail.then(forget);
    release();
    throw error;
  }
  return () => {
    release();
    forget();
  };
}

import type { AgentResponse } from '../agent-response.js';
import type { RunEvent } from '../run-events.js';
import { EventChannel } from './event-channel.js';
import type { Tell } from './model-call.js';

/** Starts a run that tells what happens and ends early when the signal aborts. */
type StartRun = (tell: Tell, signal: AbortSignal) => Promise<AgentResponse>;

/**
 * The events of a run that is started at the first step. `return` and `throw` end the run even while a
 * step is being waited for, which those of a generator would not, and settle when the run is over.
 */
export function streamRun(
  start: StartRun,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunEvent, void> {
  const leaving = new AbortController();
  const events = eventsOf(start, signal, leaving.signal);
  const leave = (): void => leaving.abort(new DOMException('The stream was left.', 'AbortError'));
  return {
    next: () => events.next(),
    return: (value) => {
      leave();
      return events.return(value);
    },
    throw: (error) => {
      leave();
      return events.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    [Symbol.asyncDispose]: async () => {
      leave();
      await events.return();
    },
  };
}

async function* eventsOf(
  start: StartRun,
  signal: AbortSignal | undefined,
  leaving: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  const channel = new EventChannel<RunEvent>();
  const either = signal === undefined ? leaving : AbortSignal.any([signal, leaving]);
  // An aborted run must not wait for a reader that takes its time, or never comes back.
  const onAbort = (): void => channel.leave(either.reason);
  either.addEventListener('abort', onAbort, { once: true });
  const running = start((event) => channel.push(event), either).finally(() => channel.end());
  // A failure is thrown below; until then it must not count as unhandled.
  running.catch(() => undefined);
  try {
    for (let next = await channel.take(); next !== undefined; next = await channel.take()) {
      yield next.value;
    }
  } finally {
    if (leaving.aborted) {
      await running.catch((error: unknown) => {
        if (error !== either.reason) throw error;
      });
    }
    either.removeEventListener('abort', onAbort);
  }
  if (leaving.aborted) return;
  let response: AgentResponse;
  try {
    response = await running;
  } catch (error) {
    yield { type: 'error', error };
    throw error;
  }
  yield { type: 'finish', response };
}

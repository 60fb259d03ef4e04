import { StoreError } from '@minne/core';
import type { DatabaseHistoryStoreOptions } from './database-history-store.js';
import type { HistoryCalls, HistoryMethod, HistoryStore } from './history-store.js';
import { HistoryThread } from './history-thread.js';
import { packageName } from './package-name.js';
import { PendingCall } from './pending-call.js';
import { receiveError } from './sent-error.js';
import type { CallMessage, MessageFromWorker } from './worker-messages.js';

/** How many calls the thread is given at a time; the others wait here, where they can be taken back. */
const mostInThread = 64;

/** How many calls may wait. */
const mostWaiting = 10_000;

/** Keeps histories in a database that a thread of its own has open. */
export class WorkerHistoryStore implements HistoryStore {
  readonly append = this.#caller('append');
  readonly load = this.#caller('load');
  readonly clear = this.#caller('clear');
  readonly replace = this.#caller('replace');
  readonly listPage = this.#caller('listPage');
  readonly eraseActor = this.#caller('eraseActor');
  readonly purgeStep = this.#caller('purgeStep');

  readonly #options: DatabaseHistoryStoreOptions;
  readonly #waiting = new Map<number, PendingCall>();
  readonly #inThread = new Map<number, PendingCall>();
  #thread: HistoryThread | undefined;
  #lastId = 0;
  #closed: Promise<void> | undefined;
  /** Called when no call is left, once the store is being closed. */
  #drained: (() => void) | undefined;

  /** Starts nothing: the first call does. @param options - Checked, with an absolute path. */
  constructor(options: DatabaseHistoryStoreOptions) {
    this.#options = options;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    if (this.#waiting.size + this.#inThread.size > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
    await this.#thread?.close();
  }

  #caller<Method extends HistoryMethod>(method: Method) {
    return async (
      input: HistoryCalls[Method]['input'],
      signal: AbortSignal | undefined,
    ): Promise<HistoryCalls[Method]['result']> => {
      if (this.#closed !== undefined) throw failure('is closed. Open another one', false);
      signal?.throwIfAborted();
      if (this.#waiting.size >= mostWaiting) {
        throw failure(`has ${mostWaiting} calls waiting already. Make fewer at a time`, true);
      }
      const id = ++this.#lastId;
      // The method and its input belong together, which a union of all calls cannot say.
      const message = { kind: 'call', id, method, input } as CallMessage;
      const call = new PendingCall(message, signal, () => this.#abandon(id));
      this.#waiting.set(id, call);
      this.#sendNext();
      return call.result as Promise<HistoryCalls[Method]['result']>;
    };
  }

  #sendNext(): void {
    for (const [id, call] of this.#waiting) {
      if (this.#inThread.size >= mostInThread) return;
      this.#waiting.delete(id);
      try {
        this.#thread ??= this.#startThread();
        this.#thread.post(call.message);
        this.#inThread.set(id, call);
        this.#thread.keepAlive(true);
      } catch (error) {
        call.reject(failure('could not reach its worker thread. Repeat the call', true, error));
      }
    }
    if (this.#inThread.size > 0) return;
    this.#thread?.keepAlive(false);
    this.#drained?.();
  }

  #startThread(): HistoryThread {
    const thread: HistoryThread = new HistoryThread(this.#options, {
      onMessage: (message) => this.#take(message),
      onDeath: (cause) => {
        if (this.#thread === thread) this.#bury(cause);
      },
    });
    return thread;
  }

  #take(message: MessageFromWorker): void {
    if (message.kind === 'closed') return;
    const call = this.#inThread.get(message.id);
    if (call === undefined) return;
    if (message.kind === 'part') {
      call.records.push(...message.records);
      this.#thread?.post({ kind: 'more', id: message.id });
      return;
    }
    this.#inThread.delete(message.id);
    if (message.kind === 'done') call.resolve(message.result);
    else call.reject(receiveError(message.error));
    this.#sendNext();
  }

  /** A call that the thread has stays counted until the thread is through with it. */
  #abandon(id: number): void {
    if (this.#waiting.delete(id)) this.#sendNext();
    else this.#thread?.post({ kind: 'cancel', id });
  }

  /** The thread has ended by itself: nobody will answer any more. The next call starts another. */
  #bury(cause: unknown): void {
    this.#thread = undefined;
    const calls = [...this.#inThread.values(), ...this.#waiting.values()];
    this.#inThread.clear();
    this.#waiting.clear();
    const why = cause instanceof Error ? ` (${cause.message})` : '';
    const text = `lost its worker thread${why} before the call was through. Repeat the call: what was written of an append is not written twice`;
    for (const call of calls) {
      const { input } = call.message;
      const sessionId = 'key' in input ? input.key.sessionId : undefined;
      call.reject(failure(text, true, cause, sessionId));
    }
    this.#drained?.();
  }
}

function failure(
  text: string,
  retryable: boolean,
  cause?: unknown,
  sessionId?: string,
): StoreError {
  return new StoreError(`The history store ${text}.`, {
    packageName,
    retryable,
    ...(cause === undefined ? {} : { cause }),
    ...(sessionId === undefined ? {} : { sessionId }),
  });
}

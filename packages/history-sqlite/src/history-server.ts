import type { MessagePort } from 'node:worker_threads';
import type { HistoryRecord, LoadResult } from '@minne/core';
import {
  DatabaseHistoryStore,
  type DatabaseHistoryStoreOptions,
} from './database-history-store.js';
import type { HistoryMethod, HistoryMethods, HistoryStore } from './history-store.js';
import { sendError } from './sent-error.js';
import type { CallMessage, CallOf, MessageFromWorker, MessageToWorker } from './worker-messages.js';

/** How much of a load goes into one message: what takes the other thread about a millisecond to take in. */
const partRecords = 500;
const partCharacters = 500_000;

/** A call that is being worked on. */
interface Running {
  readonly controller: AbortController;
  /** Called when the part that was sent has been taken in. */
  more: (() => void) | undefined;
}

/** Does what another thread asks of a database. */
export class HistoryServer {
  readonly #port: MessagePort;
  readonly #options: DatabaseHistoryStoreOptions;
  readonly #running = new Map<number, Running>();
  #store: HistoryStore | undefined;

  constructor(port: MessagePort, options: DatabaseHistoryStoreOptions) {
    this.#port = port;
    this.#options = options;
  }

  /** Begins to listen. */
  start(): void {
    this.#port.on('message', (message: MessageToWorker) => this.#take(message));
  }

  #take(message: MessageToWorker): void {
    if (message.kind === 'call') {
      void this.#answer(message);
    } else if (message.kind === 'close') {
      void this.#close();
    } else {
      const running = this.#running.get(message.id);
      if (message.kind === 'cancel') running?.controller.abort();
      running?.more?.();
    }
  }

  async #answer(call: CallMessage): Promise<void> {
    const { id } = call;
    const running: Running = { controller: new AbortController(), more: undefined };
    this.#running.set(id, running);
    try {
      // Opened by the call, so that it is told when that fails, and the next one tries again.
      this.#store ??= new DatabaseHistoryStore(this.#options);
      let result = await invoke(this.#store, call, running.controller.signal);
      if (isLoaded(result)) result = await this.#sendParts(id, result, running);
      this.#post({ kind: 'done', id, result });
    } catch (error) {
      this.#post({ kind: 'failed', id, error: sendError(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  /**
   * Sends the records part by part, each when the one before has been taken in: all at once they would
   * block the other thread while it takes them in. Returns the result with the last ones.
   */
  async #sendParts(id: number, result: LoadResult, running: Running): Promise<LoadResult> {
    const parts = partsOf(result.records);
    const last = parts.pop() ?? [];
    for (const records of parts) {
      const taken = Promise.withResolvers<void>();
      running.more = taken.resolve;
      this.#post({ kind: 'part', id, records });
      await taken.promise;
      running.controller.signal.throwIfAborted();
    }
    return { ...result, records: last };
  }

  async #close(): Promise<void> {
    try {
      await this.#store?.close();
      this.#post({ kind: 'closed' });
    } catch (error) {
      this.#post({ kind: 'closed', error: sendError(error) });
    }
    // Nothing else keeps this thread alive.
    this.#port.close();
  }

  #post(message: MessageFromWorker): void {
    this.#port.postMessage(message);
  }
}

function invoke<Method extends HistoryMethod>(
  store: HistoryMethods,
  { method, input }: CallOf<Method>,
  signal: AbortSignal,
): Promise<unknown> {
  return store[method](input, signal);
}

function isLoaded(result: unknown): result is LoadResult {
  return typeof result === 'object' && result !== null && 'records' in result;
}

function partsOf(records: readonly HistoryRecord[]): HistoryRecord[][] {
  const parts: HistoryRecord[][] = [];
  let part: HistoryRecord[] = [];
  let characters = 0;
  for (const record of records) {
    if (part.length === partRecords || (part.length > 0 && characters > partCharacters)) {
      parts.push(part);
      [part, characters] = [[], 0];
    }
    part.push(record);
    characters += record.payload.length;
  }
  parts.push(part);
  return parts;
}

import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { DatabaseHistoryStoreOptions } from './database-history-store.js';
import { receiveError } from './sent-error.js';
import type { MessageFromWorker, MessageToWorker } from './worker-messages.js';

/** What is done with what a thread tells. */
export interface HistoryThreadListener {
  onMessage(message: MessageFromWorker): void;
  /** It has ended without being told to. @param cause - The error that ended it, if one did. */
  onDeath(cause: unknown): void;
}

/** A running thread that has a database open. */
export class HistoryThread {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  #isKeptAlive = true;
  #isClosing = false;
  #closingError: Error | undefined;

  constructor(options: DatabaseHistoryStoreOptions, listener: HistoryThreadListener) {
    const worker = startWorker({ name: 'minne history', workerData: options });
    this.#worker = worker;
    const ended = Promise.withResolvers<void>();
    this.#ended = ended.promise;
    let cause: unknown;
    worker.on('message', (message: MessageFromWorker) => {
      if (message.kind === 'closed' && message.error !== undefined) {
        this.#closingError = receiveError(message.error);
      }
      listener.onMessage(message);
    });
    worker.on('error', (error) => {
      cause = error;
    });
    // An answer that cannot be read will not come again.
    worker.on('messageerror', (error) => {
      cause = error;
      void worker.terminate();
    });
    worker.on('exit', (code) => {
      ended.resolve();
      if (!this.#isClosing) listener.onDeath(cause ?? new Error(`It ended with code ${code}.`));
    });
  }

  /** @throws An error of Node when the message cannot be sent. */
  post(message: MessageToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Whether the process must go on for as long as the thread does. */
  keepAlive(isKeptAlive: boolean): void {
    if (this.#isKeptAlive === isKeptAlive) return;
    this.#isKeptAlive = isKeptAlive;
    if (isKeptAlive) this.#worker.ref();
    else this.#worker.unref();
  }

  /** Closes the database and ends the thread. @throws What closing the database threw. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.keepAlive(true);
    this.post({ kind: 'close' });
    await this.#ended;
    if (this.#closingError !== undefined) throw this.#closingError;
  }
}

function startWorker(options: WorkerOptions): Worker {
  const file = workerFile();
  // A thread takes over the options of the process, and Node runs no file under this one, only text.
  const isTextOnly = process.execArgv.some((option) => option.startsWith('--input-type'));
  return isTextOnly
    ? new Worker(`import(${JSON.stringify(file.href)})`, { ...options, eval: true })
    : new Worker(file, options);
}

function workerFile(): URL {
  const built = new URL('./history-worker.js', import.meta.url);
  // On sources, which the tests of this repository run, nothing is built.
  return import.meta.url.endsWith('.ts') ? new URL(built.href.replace(/\.js$/, '.ts')) : built;
}

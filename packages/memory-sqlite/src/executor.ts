import type { MemoryCallOptions } from '@minne/core/memory';
import type { Connection } from './connection.js';
import { fileLost, isBusy, storageClosed, toMemoryError } from './sqlite-error.js';

/** The longest pause before a locked database is tried again, in milliseconds. */
const longestPause = 20;

/** Runs work on a connection that is opened when it is first needed, waiting for locks without holding up the process. */
export class Executor {
  readonly #open: () => Connection;
  readonly #busyTimeout: number;
  #connection: Connection | undefined;
  #closed = false;

  /** @param busyTimeout - How long a locked database is waited for, in milliseconds. */
  constructor(open: () => Connection, busyTimeout: number) {
    this.#open = open;
    this.#busyTimeout = busyTimeout;
  }

  /** @throws MemoryError */
  async run<T>(
    task: (connection: Connection) => T,
    { signal }: MemoryCallOptions = {},
  ): Promise<T> {
    const deadline = performance.now() + this.#busyTimeout;
    for (;;) {
      signal?.throwIfAborted();
      if (this.#closed) throw storageClosed();
      try {
        this.#connection ??= this.#open();
        if (this.#connection.isLost) throw fileLost();
        return task(this.#connection);
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw toMemoryError(error);
      }
      await new Promise((resolve) => {
        setTimeout(resolve, Math.random() * longestPause);
      });
    }
  }

  close(): void {
    this.#closed = true;
    this.#connection?.close();
    this.#connection = undefined;
  }
}

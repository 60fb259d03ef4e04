/** Runs tasks of the same key one after the other, and of different keys side by side. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `task` when the tasks given before under `key` have ended, well or not. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const result = before === undefined ? task() : before.then(task, task);
    this.#last.set(key, result);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === result) this.#last.delete(key);
    }
  }

  /** Resolves when all tasks given so far have ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#last.values());
  }
}

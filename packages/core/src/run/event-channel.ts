/**
 * Hands values from a producer to a consumer, one at a time: the producer goes on when the consumer
 * comes back for the next. So a consumer that leaves has seen everything that was done.
 */
export class EventChannel<T> {
  readonly #waiting: { readonly value: T; readonly taken: PromiseWithResolvers<void> }[] = [];
  /** Whoever handed over what the consumer was given last. */
  #shown: PromiseWithResolvers<void> | undefined;
  #wake: (() => void) | undefined;
  #ended = false;
  #left: { readonly reason: unknown } | undefined;

  /** Resolves when the consumer has dealt with the value; rejects with the reason when it has left. */
  push(value: T): Promise<void> {
    if (this.#left !== undefined) return Promise.reject(this.#left.reason);
    const taken = Promise.withResolvers<void>();
    this.#waiting.push({ value, taken });
    this.#wake?.();
    return taken.promise;
  }

  /** The producer has nothing more to hand over. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Waits for the next value; `undefined` when there will be none. */
  async take(): Promise<{ readonly value: T } | undefined> {
    this.#shown?.resolve();
    this.#shown = undefined;
    while (this.#waiting.length === 0) {
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const next = this.#waiting.shift();
    this.#shown = next?.taken;
    return next;
  }

  /**
   * What is handed over no longer counts, and whether the consumer comes back neither: the producer
   * learns of it, now or with its next value.
   */
  leave(reason: unknown): void {
    this.#left = { reason };
    this.#shown?.reject(reason);
    for (const { taken } of this.#waiting.splice(0)) taken.reject(reason);
  }
}

/** Aborts its signal when nothing happens for a time. */
export class IdleLimit {
  readonly #controller = new AbortController();
  readonly #milliseconds: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Begins to wait, anew. */
  start(): void {
    this.stop();
    this.#timer = setTimeout(() => this.#controller.abort(), this.#milliseconds);
  }

  /** Waits no longer. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}

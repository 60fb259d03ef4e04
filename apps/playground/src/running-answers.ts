/** An answer under way. */
export interface RunningAnswer {
  /** Aborts when the answer is to end. */
  readonly signal: AbortSignal;
  stop(): void;
  /** Says that it is over. */
  end(): void;
}

/** The answers under way, so that one can be stopped by a request of its own. */
export class RunningAnswers {
  readonly #signal: AbortSignal;
  readonly #bySession = new Map<string, Set<AbortController>>();

  /** @param signal - Ends all of them when it aborts. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** @param leaving - Aborts when the reader of the answer is gone. */
  begin(sessionId: string, leaving: AbortSignal): RunningAnswer {
    const controller = new AbortController();
    const answers = this.#bySession.get(sessionId) ?? new Set();
    this.#bySession.set(sessionId, answers.add(controller));
    return {
      signal: AbortSignal.any([controller.signal, leaving, this.#signal]),
      stop: () => controller.abort(),
      end: () => {
        answers.delete(controller);
        if (answers.size === 0) this.#bySession.delete(sessionId);
      },
    };
  }

  /** Ends what is under way or waits in a session. */
  stop(sessionId: string): void {
    for (const controller of this.#bySession.get(sessionId) ?? []) controller.abort();
  }
}

/**
 * Pairs results with calls in the order in which they come: a result answers the earliest call with its
 * id that has none yet, since services use ids again. Everything that pairs does it with this, so that
 * what is sent, stored, trimmed and run agree.
 */
export class CallPairing<Call> {
  readonly #open = new Map<string, Call[]>();

  /** A call has come. @param call - Whatever is to be found again by its result. */
  call(callId: string, call: Call): void {
    const waiting = this.#open.get(callId);
    if (waiting === undefined) this.#open.set(callId, [call]);
    else waiting.push(call);
  }

  /** A result has come. @returns The call that it answers, or `undefined` when there is none. */
  result(callId: string): Call | undefined {
    const waiting = this.#open.get(callId);
    const call = waiting?.shift();
    if (waiting?.length === 0) this.#open.delete(callId);
    return call;
  }

  /** The calls that have no result so far. */
  open(): Call[] {
    return [...this.#open.values()].flat();
  }
}

import type { JsonObject, SerializedSession, StoredSession } from '@minne/core';

/** A session with a number in it, and a long text that only fits this number. */
export function countedSession(sessionId: string, count: number): SerializedSession {
  const text = `${count} `.repeat(5_000);
  return { type: 'minne.session', v: 1, sessionId, state: { counter: { count, text } } };
}

/** The number in what was read; 0 where there is nothing. @throws Error when the text is not all there. */
export function countIn(stored: StoredSession | undefined): number {
  if (stored === undefined) return 0;
  const { counter } = stored.session['state'] as { counter: JsonObject };
  const { count, text } = counter;
  if (text !== `${count} `.repeat(5_000)) throw new Error(`The text of ${count} is not whole.`);
  return Number(count);
}

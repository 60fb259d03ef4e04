/** The row of a history, changed in place while a transaction works on it and then saved. */
export interface StoredHistory {
  readonly history: number;
  version: number;
  lastSequence: number;
  recordCount: number;
  removedCount: number;
  actorId: string | null;
  activity: number;
  /** The first write since the history was empty, in milliseconds since 1970. */
  beganAt: number;
  /** From when on the history counts as never written, in milliseconds since 1970; `null` is never. */
  readonly expiresAt: number | null;
}

/** Whether a history with this end counts as never written. */
export function hasExpired(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

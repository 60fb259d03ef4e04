import type { HistoryExpiryOptions } from '@minne/core';

/**
 * When a history expires that is written now, in milliseconds since 1970; `null` is never.
 *
 * @param beganAt - The first write since the history was empty.
 */
export function historyDeadline(
  { ttl, expiry = 'sliding' }: HistoryExpiryOptions,
  beganAt: number,
  now: number,
): number | null {
  if (ttl === undefined) return null;
  // The last days that a Date can name lie within a ttl of what SQLite's integers give back exactly.
  return Math.min((expiry === 'fixed' ? beganAt : now) + ttl, Number.MAX_SAFE_INTEGER);
}

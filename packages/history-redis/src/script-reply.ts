import { ConflictError, StoreError } from '@minne/core';
import { packageName } from './package-name.js';

/**
 * What a script answered after its `ok`.
 *
 * @throws StoreError for a history of a newer layout, or one whose sequences are used up.
 */
export function readReply(reply: unknown, sessionId: string): readonly unknown[] {
  const [status, ...values] = Array.isArray(reply) ? reply : [];
  if (status === 'ok') return values;
  if (status === 'layout') throw newerLayout(values[0], sessionId);
  const text =
    status === 'full'
      ? `The history of session ${sessionId} has used up its sequences. Clear it to begin anew.`
      : `Redis answered a script with ${JSON.stringify(status)}. Use Redis 6.2 or newer, or Valkey.`;
  throw new StoreError(text, { packageName, sessionId });
}

/** The error for a history that a newer version wrote. */
export function newerLayout(found: unknown, sessionId: string): StoreError {
  return new StoreError(
    `The history of session ${sessionId} was written in layout ${String(found)}, which this version does not know. Update ${packageName}.`,
    { packageName, sessionId },
  );
}

/** The error for a replacement under a version that is not the stored one. */
export function versionConflict(given: string, stored: unknown, sessionId: string): ConflictError {
  return new ConflictError(
    `The history of session ${sessionId} is at version ${String(stored)}, not ${given}. Load it again and repeat the change.`,
    { packageName, field: 'version', sessionId },
  );
}

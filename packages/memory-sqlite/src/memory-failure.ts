import { MemoryError } from '@minne/core/memory';
import type { SqliteFailure } from '@minne/sqlite';
import { packageName } from './package-name.js';

/** The error of the memory API for a failure of the database. */
export function toMemoryError({ message, retryable, ...options }: SqliteFailure): MemoryError {
  return new MemoryError(retryable ? 'TEMPORARILY_UNAVAILABLE' : 'INTERNAL_ERROR', message, {
    ...options,
    packageName,
  });
}

import { MemoryError, type MemoryErrorCode, type MemoryErrorOptions } from '@minne/core/memory';

const packageName = '@minne/memory-engine';

/** An error of this package. */
export function engineError(
  code: MemoryErrorCode,
  message: string,
  options: MemoryErrorOptions = {},
): MemoryError {
  return new MemoryError(code, message, { packageName, ...options });
}

/** There is no such store, or it is deleted. */
export function storeNotFound(id: string): MemoryError {
  return engineError('NOT_FOUND', `There is no memory store "${id}".`);
}

/** There is no such entry, or it belongs to someone else: which of them is not said. */
export function entryNotFound(storeId: string, entryId: string): MemoryError {
  return engineError('NOT_FOUND', `There is no entry "${entryId}" in memory store "${storeId}".`);
}

/** The entry is not what a precondition says it is. */
export function preconditionFailed(): MemoryError {
  return engineError(
    'ABORTED',
    'The stored entry is not what the precondition says. Read it again, and write under its content_sha256.',
  );
}

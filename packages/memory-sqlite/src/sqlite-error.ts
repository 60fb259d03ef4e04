import { MemoryError, type MemoryErrorOptions } from '@minne/core/memory';

const packageName = '@minne/memory-sqlite';

/** Primary result codes of SQLite, from https://www.sqlite.org/rescode.html. */
const resultCodes = { busy: 5, locked: 6, corrupt: 11, full: 13, notADatabase: 26 };

const remedies: ReadonlyMap<number | undefined, string> = new Map([
  [resultCodes.corrupt, 'The file is damaged: restore it from a copy.'],
  [resultCodes.full, 'Make room on the disk and try again.'],
  [resultCodes.notADatabase, 'Give the path of another file.'],
]);

/** Whether another connection holds the lock that was needed. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === resultCodes.busy || code === resultCodes.locked;
}

/**
 * The error of this package for one that SQLite or the file system raised. Whatever was raised by
 * neither of them stays as it is.
 */
export function toMemoryError(error: unknown): unknown {
  if (MemoryError.isInstance(error) || !(error instanceof Error) || !('code' in error)) {
    return error;
  }
  if (isBusy(error)) {
    return new MemoryError(
      'TEMPORARILY_UNAVAILABLE',
      'Another connection kept the memory database locked for longer than busyTimeout. Try again, or raise it.',
      { packageName, cause: error },
    );
  }
  const remedy = remedies.get(resultCode(error)) ?? 'Nothing of the call was written.';
  return internalError(`The memory database could not be used: ${error.message}. ${remedy}`, {
    cause: error,
  });
}

/** The storage was used after it was closed. */
export function storageClosed(): MemoryError {
  return internalError('The memory storage is closed. Make a new one.');
}

/** The file is not where it was opened. */
export function fileLost(): MemoryError {
  return internalError(
    'The file of the memory database was removed, or another was put in its place, while it was in use. Put it back, or make a new storage for what is there now.',
  );
}

/** The application is in a transaction on the database that it shares. */
export function insideTransaction(): MemoryError {
  return internalError(
    'The database is in a transaction that was begun elsewhere. End it before the memory storage is called.',
  );
}

/** An error of this package that trying again will not mend. */
export function internalError(message: string, options: MemoryErrorOptions = {}): MemoryError {
  return new MemoryError('INTERNAL_ERROR', message, { packageName, ...options });
}

/** The primary result code of an error of SQLite. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  // The low byte of an extended code is the primary one.
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

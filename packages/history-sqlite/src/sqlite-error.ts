import { MinneError, StoreError } from '@minne/core';
import { packageName } from './package-name.js';

/** Primary result codes of SQLite, from https://www.sqlite.org/rescode.html. */
const resultCodes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
};

/** The primary result code of an error of SQLite; `undefined` for other errors. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  // The low byte of an extended code is the primary one.
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** Whether another connection stood in the way. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === resultCodes.busy || code === resultCodes.locked;
}

/** Whether a part of the file is damaged. */
export function isCorrupt(error: unknown): boolean {
  return resultCode(error) === resultCodes.corrupt;
}

/** Whether the file cannot be opened or written at all. */
export function isUnusable(error: unknown): boolean {
  const code = resultCode(error);
  return code === resultCodes.cantOpen || code === resultCodes.readOnly;
}

/** The error to raise for one that came up while working on a session. Errors of Minne stay as they are. */
export function toStoreError(error: unknown, sessionId?: string): MinneError {
  if (MinneError.isInstance(error)) return error;
  const place =
    sessionId === undefined ? 'The history store' : `The history of session ${sessionId}`;
  const text = error instanceof Error ? error.message : String(error);
  return new StoreError(`${place} could not be used: ${text}. ${remedyFor(error)}`, {
    packageName,
    cause: error,
    retryable: isBusy(error),
    ...(sessionId === undefined ? {} : { sessionId }),
  });
}

function remedyFor(error: unknown): string {
  switch (resultCode(error)) {
    case resultCodes.busy:
    case resultCodes.locked:
      return 'Another connection was writing for longer than busyTimeout; repeat the call or raise busyTimeout.';
    case resultCodes.full:
      return 'Make room on the disk and repeat the call; nothing of it was written.';
    case resultCodes.corrupt:
      return 'The file is damaged; restore it from a copy.';
    case resultCodes.notADatabase:
      return 'The file is no SQLite database; give the path of another.';
    default:
      return 'Nothing of the call was written.';
  }
}

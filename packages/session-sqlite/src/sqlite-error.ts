import { MinneError, StoreError } from '@minne/core';
import { packageName } from './package-name.js';

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html), with what helps. */
const remedies: ReadonlyMap<number, string> = new Map([
  [
    5,
    'Another connection was writing for longer than busyTimeout; repeat the call or raise busyTimeout.',
  ],
  [
    6,
    'Another connection was writing for longer than busyTimeout; repeat the call or raise busyTimeout.',
  ],
  [8, 'Give this process the right to write the file and its folder.'],
  [11, 'The file is damaged; restore it from a copy.'],
  [13, 'Make room on the disk and repeat the call; nothing of it was written.'],
  [14, 'Set path to a file in a folder that this process may write to.'],
  [26, 'The file is no SQLite database; set path to another.'],
]);
const [busy, locked] = [5, 6];

/** Whether another connection stood in the way. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === busy || code === locked;
}

/** The error to raise for one of SQLite or of the file system. Others stay as they are. */
export function toStoreError(error: unknown, sessionId?: string): unknown {
  if (MinneError.isInstance(error) || !(error instanceof Error) || !('code' in error)) return error;
  const place = sessionId === undefined ? 'The sessions' : `The session ${sessionId}`;
  const remedy =
    remedies.get(primaryCode(error) ?? 0) ??
    'Check path and the disk; nothing of the call was written.';
  return new StoreError(`${place} could not be read or written: ${error.message}. ${remedy}`, {
    packageName,
    cause: error,
    retryable: isBusy(error),
    ...(sessionId === undefined ? {} : { sessionId }),
  });
}

function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  // The low byte of an extended code is the primary one.
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

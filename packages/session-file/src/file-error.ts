import { StoreError } from '@minne/core';
import { packageName } from './package-name.js';

/** Whether `error` comes from the file system with one of these codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(String(codeOf(error)));
}

/** The error to raise for one that came up while working on a session. Only those of the file system change. */
export function toStoreError(error: unknown, sessionId?: string): unknown {
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) return error;
  const place = sessionId === undefined ? 'The sessions' : `The session ${sessionId}`;
  return new StoreError(
    `${place} could not be read or written: ${error.message}. ${remedyFor(code)}`,
    {
      packageName,
      cause: error,
      retryable: ['EMFILE', 'ENFILE', 'EAGAIN', 'EBUSY'].includes(code),
      ...(sessionId === undefined ? {} : { sessionId }),
    },
  );
}

function codeOf(error: unknown): string | undefined {
  const fromFileSystem = error instanceof Error && 'syscall' in error && 'code' in error;
  return fromFileSystem && typeof error.code === 'string' ? error.code : undefined;
}

function remedyFor(code: string): string {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'Give this process the right to read and write in the folder.';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Make room on the disk and repeat the call; nothing of it was written.';
    case 'ENOTDIR':
      return 'Something on the path of the folder is a file; set the option folder to another.';
    case 'EMFILE':
    case 'ENFILE':
      return 'Too many files are open; repeat the call.';
    default:
      return 'Check the disk and repeat the call.';
  }
}

import { resolve, sep } from 'node:path';
import { ConfigurationError, ConflictError, StoreError } from '@minne/core';
import { packageName } from './package-name.js';

/** The absolute path of the option. @throws ConfigurationError when nothing can be kept there. */
export function checkFolder(folder: unknown): string {
  if (typeof folder !== 'string' || folder === '' || folder.includes('\0')) {
    throw wrongFolder('The option folder must be the path of a folder, such as data/sessions.');
  }
  const path = resolve(folder);
  if (path.split(sep).includes('node_modules')) {
    throw wrongFolder(
      `The folder ${folder} lies inside node_modules, which the next install may empty. Give another.`,
    );
  }
  return path;
}

/** Somebody else wrote first. */
export function conflict(sessionId: string, given: string | null): ConflictError {
  return new ConflictError(
    given === null
      ? `The session ${sessionId} is there already. Read it, and write under its version.`
      : `The session ${sessionId} is not stored under version ${given} any more. Read it again, and write what is to change under the version that it has now.`,
    { packageName, field: 'version', sessionId },
  );
}

/** A session's folder that was not left as this package leaves it. */
export function unknownFolder(path: string): StoreError {
  return new StoreError(
    `${path} has no file that says which session file counts (current-…). Restore it from a copy, or remove the folder.`,
    { packageName },
  );
}

function wrongFolder(message: string): ConfigurationError {
  return new ConfigurationError(message, { packageName, field: 'folder' });
}

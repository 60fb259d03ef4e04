import { ConfigurationError, MinneError, StoreError } from '@minne/core';
import { packageName } from './package-name.js';
import { isPassing, remedyFor } from './sql-state.js';

/** The error for one of `pg` or of the server. Errors of Minne stay as they are. */
export function toStoreError(error: unknown, sessionId: string | undefined): unknown {
  if (MinneError.isInstance(error) || !(error instanceof Error)) return error;
  const session = sessionId === undefined ? '' : ` for session ${sessionId}`;
  return new StoreError(
    `The PostgreSQL history store could not be used${session}: ${textOf(error)}. ${remedyFor(error)}`,
    {
      packageName,
      retryable: isPassing(error),
      cause: error,
      ...(sessionId === undefined ? {} : { sessionId }),
    },
  );
}

/** A connection was not to be had, or an answer did not come, in time. */
export function tooLate(what: string, option: string, milliseconds: number): StoreError {
  return new StoreError(
    `The PostgreSQL history store ${what} within ${milliseconds} ms. Try again; when it lasts, check the server, or set ${option} higher.`,
    { packageName, field: option, retryable: true },
  );
}

export function closedStore(): StoreError {
  return new StoreError('The PostgreSQL history store is closed. Open another one.', {
    packageName,
  });
}

export function missingPackage(cause: unknown): ConfigurationError {
  return new ConfigurationError(
    'connectionString needs the package pg, which could not be loaded. Install it: npm install pg.',
    { packageName, field: 'connectionString', cause },
  );
}

export function newerLayout(schema: string, found: number, known: number): StoreError {
  return new StoreError(
    `The history tables in schema ${schema} have layout ${found}, and this version of ${packageName} reads up to ${known}. Update ${packageName}.`,
    { packageName, field: 'schema' },
  );
}

export function wrongEncoding(encoding: string): ConfigurationError {
  return new ConfigurationError(
    `The database has the encoding ${encoding}, which cannot hold every message. Use one that was created with ENCODING 'UTF8'.`,
    { packageName, field: 'connectionString' },
  );
}

/** Node gathers what was tried at each address of a host, and says nothing of it itself. */
function textOf(error: Error): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors
      .map((each) => (each instanceof Error ? each.message : String(each)))
      .join('; ');
  }
  return error.message;
}

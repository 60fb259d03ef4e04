import { hasErrorCode } from '@minne/core';
import { MemoryError, type MemoryErrorCode } from '@minne/core/memory';
import { json } from './json-response.js';

/** Told instead of the message of an error that may hold something of the server's inside. */
const internalMessage = 'The server failed to answer. The failure was reported to its operator.';
const unavailableMessage = 'The storage of the server is not available at the moment. Try again.';

/** Seconds after which a caller may try again, where the error invites it. */
const retryAfter = '1';

/** An error as the memory API knows it. Errors that it does not know become ones without details. */
export function toMemoryError(error: unknown): MemoryError {
  if (MemoryError.isInstance(error) && error.errorCode !== 'INTERNAL_ERROR') return error;
  if (hasErrorCode(error, 'store_failed') && error.retryable) {
    return new MemoryError('TEMPORARILY_UNAVAILABLE', unavailableMessage, { cause: error });
  }
  return new MemoryError('INTERNAL_ERROR', internalMessage, { cause: error });
}

/** Whether the operator should hear of it: the server failed, and not the request. */
export function isServerFault(error: MemoryError): boolean {
  return error.status >= 500 && error.errorCode !== 'NOT_IMPLEMENTED';
}

/** The answer that tells of an error. */
export function errorResponse(error: MemoryError, headers: Readonly<Record<string, string>> = {}) {
  const details = [...error.details];
  if (error.field !== undefined) details.push({ field: error.field });
  return json(
    { error_code: error.errorCode, message: error.message, details },
    { status: error.status, headers: { ...headersOf(error.errorCode), ...headers } },
  );
}

function headersOf(code: MemoryErrorCode): Readonly<Record<string, string>> {
  switch (code) {
    case 'UNAUTHENTICATED':
      return { 'WWW-Authenticate': 'Bearer realm="minne"' };
    case 'RESOURCE_EXHAUSTED':
    case 'TEMPORARILY_UNAVAILABLE':
      return { 'Retry-After': retryAfter };
    default:
      return {};
  }
}

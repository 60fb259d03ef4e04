import { MinneError, StoreError } from '@minne/core';
import { packageName } from './package-name.js';

/** The longest text of a service that an error repeats, in characters. */
const maximumReason = 500;

/** Statuses after which the same call may succeed, beside those of the server's own (5xx). */
const passingStatuses: readonly number[] = [408, 429];

/** What looks like a credential, in the text of any service behind Mem0. */
const credentials: readonly RegExp[] = [
  /\b(?:token|bearer|basic)\s+(?=\S*\d)[^\s"',;]{8,}/giu,
  /\b(?:sk|m0)-[\w*-]{4,}/gu,
  /(?<=:\/\/)[^\s/@]+@/gu,
];

/**
 * What a failed call of a Mem0 client becomes. The error underneath is not kept as `cause`: clients of
 * Mem0 put request headers, and with them keys, into what they throw.
 */
export function mem0Failure(what: string, error: unknown, secret: string | undefined): MinneError {
  if (MinneError.isInstance(error)) return error;
  const status = statusOf(error);
  const retryable =
    status === undefined
      ? isNetworkFailure(error)
      : status >= 500 || passingStatuses.includes(status);
  const origin = status === undefined ? '' : ` (status ${status})`;
  const reason = withoutSecrets(reasonOf(error), secret);
  return new StoreError(`Mem0 failed to ${what}${origin}: ${reason}`, { packageName, retryable });
}

/** `text` without the key and without anything else that looks like one. */
function withoutSecrets(text: string, secret: string | undefined): string {
  let clean = secret === undefined || secret === '' ? text : text.replaceAll(secret, '[secret]');
  for (const credential of credentials) clean = clean.replace(credential, '[secret]');
  // Cut last: half a key would no longer be recognised.
  return clean.length > maximumReason ? `${clean.slice(0, maximumReason).toWellFormed()} …` : clean;
}

function reasonOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return String(error);
    const { cause } = error;
    // fetch says only "fetch failed"; why is underneath.
    const below = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : '';
    return `${error.message || error.name}${below}`;
  } catch {
    // A value that throws even when it is looked at.
    return 'it threw something that has no text';
  }
}

/** `HTTP_429` of the errors of `mem0ai`, or `status` of those of `openai`. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('errorCode' in error && typeof error.errorCode === 'string') {
    const [, digits] = /^HTTP_(\d{3})$/.exec(error.errorCode) ?? [];
    if (digits !== undefined) return Number(digits);
  }
  return 'status' in error && typeof error.status === 'number' ? error.status : undefined;
}

function isNetworkFailure(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed';
}

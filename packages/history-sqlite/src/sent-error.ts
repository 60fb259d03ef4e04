import {
  ConfigurationError,
  ConflictError,
  InvalidInputError,
  MinneError,
  type MinneErrorOptions,
  StoreError,
} from '@minne/core';

/** An error as one thread can send it to another. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** What is an error's own beside that: `code`, `errcode` and the like. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly isOfMinne: boolean;
  readonly cause: SentError | undefined;
}

/** How deep causes are followed; they may form a ring. */
const deepestCause = 4;

/** Writes down an error. Whatever is thrown can be sent. */
export function sendError(thrown: unknown, depth = 0): SentError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack, cause } = error;
  const details = Object.entries(error).filter(([, value]) => isPlain(value));
  return {
    name,
    message,
    stack,
    details: Object.fromEntries(details),
    isOfMinne: MinneError.isInstance(error),
    cause: cause === undefined || depth === deepestCause ? undefined : sendError(cause, depth + 1),
  };
}

/** Makes the error again: of Minne's classes the same, of all others an `Error` with its name. */
export function receiveError(sent: SentError): Error {
  const cause = sent.cause === undefined ? {} : { cause: receiveError(sent.cause) };
  const error = sent.isOfMinne
    ? minneError(sent, cause)
    : Object.assign(new Error(sent.message, cause), sent.details);
  if (error.name !== sent.name) setHidden(error, 'name', sent.name);
  if (sent.stack !== undefined) setHidden(error, 'stack', sent.stack);
  return error;
}

function minneError({ message, details }: SentError, cause: { readonly cause?: Error }): Error {
  const options: MinneErrorOptions = { ...textsIn(details), ...cause };
  switch (details['code']) {
    case 'invalid_input':
      return new InvalidInputError(message, options);
    case 'configuration':
      return new ConfigurationError(message, options);
    case 'conflict':
      return new ConflictError(message, options);
    default:
      return new StoreError(message, { ...options, retryable: details['retryable'] === true });
  }
}

function textsIn(details: SentError['details']): MinneErrorOptions {
  const names = ['packageName', 'field', 'sessionId'] as const;
  return Object.fromEntries(
    names.flatMap((name) => (typeof details[name] === 'string' ? [[name, details[name]]] : [])),
  );
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function setHidden(error: Error, name: 'name' | 'stack', value: string): void {
  Object.defineProperty(error, name, { value, configurable: true, writable: true });
}

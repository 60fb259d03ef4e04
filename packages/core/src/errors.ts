const marker: symbol = Symbol.for('minne.error');

/** What every error of Minne can tell beside its message. */
export interface MinneErrorOptions {
  /** The package that raised it, such as `@minne/history-sqlite`. */
  readonly packageName?: string;
  /** The option, argument or path that was wrong. */
  readonly field?: string;
  /** The session that was being worked on. */
  readonly sessionId?: string;
  /** The error underneath. */
  readonly cause?: unknown;
}

/**
 * Base class of every error that Minne raises.
 *
 * Recognise errors by `MinneError.isInstance` and {@link MinneError.code}: both hold when two copies
 * of a package are loaded, where `instanceof` does not.
 */
export abstract class MinneError extends Error {
  override readonly name: string = 'MinneError';
  /** A stable, machine-readable kind, such as `invalid_input`. */
  abstract readonly code: string;
  /** Whether the same call may succeed when made again unchanged. */
  readonly retryable: boolean = false;
  readonly packageName: string | undefined;
  readonly field: string | undefined;
  readonly sessionId: string | undefined;

  constructor(message: string, options: MinneErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.packageName = options.packageName;
    this.field = options.field;
    this.sessionId = options.sessionId;
    Object.defineProperty(this, marker, { value: true });
  }

  /** Whether `value` is an error of Minne, from this copy of the package or another. */
  static isInstance(value: unknown): value is MinneError {
    return value instanceof Error && marker in value;
  }
}

/** Whether `value` is an error of Minne with this code. */
export function hasErrorCode(value: unknown, code: string): value is MinneError {
  return MinneError.isInstance(value) && value.code === code;
}

/** A value that a caller, a model, a store or the wire handed over is not what it must be. */
export class InvalidInputError extends MinneError {
  override readonly name: string = 'InvalidInputError';
  override readonly code = 'invalid_input';

  /** Whether `value` is such an error, from this copy of the package or another. */
  static override isInstance(value: unknown): value is InvalidInputError {
    return hasErrorCode(value, 'invalid_input');
  }
}

/** An agent, provider or client is put together in a way that cannot work. Raised when it is built. */
export class ConfigurationError extends MinneError {
  override readonly name: string = 'ConfigurationError';
  override readonly code = 'configuration';

  /** Whether `value` is such an error, from this copy of the package or another. */
  static override isInstance(value: unknown): value is ConfigurationError {
    return hasErrorCode(value, 'configuration');
  }
}

/** A write was made under a version that is no longer the stored one, or an id came with other content. */
export class ConflictError extends MinneError {
  override readonly name: string = 'ConflictError';
  override readonly code = 'conflict';

  /** Whether `value` is such an error, from this copy of the package or another. */
  static override isInstance(value: unknown): value is ConflictError {
    return hasErrorCode(value, 'conflict');
  }
}

/** A store could not be reached or failed; what was acknowledged before is not affected. */
export class StoreError extends MinneError {
  override readonly name: string = 'StoreError';
  override readonly code = 'store_failed';
  override readonly retryable: boolean;

  constructor(message: string, options: MinneErrorOptions & { readonly retryable?: boolean } = {}) {
    super(message, options);
    this.retryable = options.retryable ?? false;
  }

  /** Whether `value` is such an error, from this copy of the package or another. */
  static override isInstance(value: unknown): value is StoreError {
    return hasErrorCode(value, 'store_failed');
  }
}

/** The model's service could not be reached, refused the request, or answered with something unusable. */
export class ChatClientError extends MinneError {
  override readonly name: string = 'ChatClientError';
  override readonly code = 'chat_client_failed';
  override readonly retryable: boolean;
  /** The HTTP status of the service, where there was one. */
  readonly status: number | undefined;

  constructor(
    message: string,
    options: MinneErrorOptions & { readonly retryable?: boolean; readonly status?: number } = {},
  ) {
    super(message, options);
    this.retryable = options.retryable ?? false;
    this.status = options.status;
  }

  /** Whether `value` is such an error, from this copy of the package or another. */
  static override isInstance(value: unknown): value is ChatClientError {
    return hasErrorCode(value, 'chat_client_failed');
  }
}

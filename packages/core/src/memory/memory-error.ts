import { MinneError, type MinneErrorOptions } from '../errors.js';

/** The error codes of the memory API with the HTTP status of each. */
export const memoryErrorStatus = {
  INVALID_PARAMETER_VALUE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  TEMPORARILY_UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
} as const;

/** A code of the memory API, as it stands in `error_code` on the wire. */
export type MemoryErrorCode = keyof typeof memoryErrorStatus;

const retryableCodes: ReadonlySet<MemoryErrorCode> = new Set([
  'RESOURCE_EXHAUSTED',
  'TEMPORARILY_UNAVAILABLE',
  'DEADLINE_EXCEEDED',
]);

/** What a {@link MemoryError} can tell beside its message. */
export interface MemoryErrorOptions extends MinneErrorOptions {
  /** The HTTP status where it is not the usual one of the code: 413 for something too large. */
  readonly status?: number;
  /** Machine-readable details, as they stand in `details` on the wire. */
  readonly details?: readonly Readonly<Record<string, string>>[];
}

/** A memory store refused or failed; the same in process and over HTTP. */
export class MemoryError extends MinneError {
  override readonly name: string = 'MemoryError';
  override readonly code = 'memory';
  override readonly retryable: boolean;
  /** Which kind of failure it is. */
  readonly errorCode: MemoryErrorCode;
  /** The HTTP status that stands for it. */
  readonly status: number;
  readonly details: readonly Readonly<Record<string, string>>[];

  constructor(errorCode: MemoryErrorCode, message: string, options: MemoryErrorOptions = {}) {
    super(message, options);
    this.errorCode = errorCode;
    this.status = options.status ?? memoryErrorStatus[errorCode];
    this.retryable = retryableCodes.has(errorCode);
    this.details = options.details ?? [];
  }

  static override isInstance(value: unknown): value is MemoryError {
    return MinneError.isInstance(value) && value.code === 'memory';
  }
}

/** An {@link MemoryError} for a value that is not what it must be. */
export function invalidParameter(
  field: string,
  problem: string,
  options: { readonly tooLarge?: boolean } = {},
): MemoryError {
  return new MemoryError('INVALID_PARAMETER_VALUE', `${field} ${problem}`, {
    field,
    ...(options.tooLarge === true ? { status: 413 } : {}),
  });
}

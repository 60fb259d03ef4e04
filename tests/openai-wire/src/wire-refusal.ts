/** What the service answers to a request that it does not take. */
export interface WireErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    /** Path of the field that was wrong, such as `messages[2].role`. */
    readonly param: string | null;
    readonly code: string | null;
  };
}

/** What a {@link WireRefusal} may say beside its message. */
export interface WireRefusalOptions {
  /** Default null. */
  readonly param?: string | null;
  /** Default null. */
  readonly code?: string | null;
  /** HTTP status. Default 400. */
  readonly status?: number;
  /** Default `invalid_request_error`. */
  readonly type?: string;
}

/**
 * A request that the real service refuses. The shape is that of `ErrorResponse` in OpenAI's OpenAPI
 * description: `{ error: { message, type, param, code } }`, all four present, the last two nullable.
 */
export class WireRefusal extends Error {
  override readonly name = 'WireRefusal';
  readonly status: number;
  readonly body: WireErrorBody;

  constructor(message: string, options: WireRefusalOptions = {}) {
    super(message);
    this.status = options.status ?? 400;
    this.body = {
      error: {
        message,
        type: options.type ?? 'invalid_request_error',
        param: options.param ?? null,
        code: options.code ?? null,
      },
    };
  }
}

/** Wording and code as seen in https://github.com/SilasMarvin/lsp-ai/issues/108. */
export function missingParameter(param: string): WireRefusal {
  return new WireRefusal(`Missing required parameter: '${param}'.`, {
    param,
    code: 'missing_required_parameter',
  });
}

/** Wording and code as seen in https://github.com/64bit/async-openai/issues/386. */
export function unknownParameter(param: string): WireRefusal {
  return new WireRefusal(`Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' });
}

/** Wording and code as seen in https://github.com/openai/openai-python/issues/1635. */
export function invalidType(param: string, expected: string, got: unknown): WireRefusal {
  return new WireRefusal(
    `Invalid type for '${param}': expected ${expected}, but got ${describe(got)} instead.`,
    { param, code: 'invalid_type' },
  );
}

/** A value outside a closed list of strings. */
export function unsupportedValue(
  param: string,
  value: string,
  supported: readonly string[],
): WireRefusal {
  const list = supported.map((item) => `'${item}'`).join(', ');
  return new WireRefusal(`Invalid value: '${value}'. Supported values are: ${list}.`, {
    param,
    code: 'invalid_value',
  });
}

/** Wording and code as seen in https://github.com/home-assistant/core/pull/118577. */
export function emptyArray(param: string): WireRefusal {
  return new WireRefusal(
    `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    { param, code: 'empty_array' },
  );
}

/** Wording and code as seen in https://github.com/brekkylab/ailoy/pull/109. */
export function patternMismatch(param: string, pattern: RegExp): WireRefusal {
  return new WireRefusal(
    `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${pattern.source}'.`,
    { param, code: 'invalid_value' },
  );
}

/** Wording and code as seen in https://github.com/agno-agi/agno/issues/5382. */
export function stringTooLong(param: string, maximum: number, length: number): WireRefusal {
  return new WireRefusal(
    `Invalid '${param}': string too long. Expected a string with maximum length ${maximum}, but got a string with length ${length} instead.`,
    { param, code: 'string_above_max_length' },
  );
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

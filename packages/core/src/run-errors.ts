import type { AgentResponse } from './agent-response.js';
import { hasErrorCode, MinneError, type MinneErrorOptions } from './errors.js';

/** Providers failed after the model had answered: the answer is here, it may not be stored. */
export class AfterRunError extends MinneError {
  override readonly name: string = 'AfterRunError';
  override readonly code = 'after_run_failed';
  /** The finished answer. */
  readonly response: AgentResponse;
  /** What each provider that failed threw, in order. */
  readonly errors: readonly unknown[];

  constructor(
    message: string,
    options: MinneErrorOptions & {
      readonly response: AgentResponse;
      readonly errors: readonly unknown[];
    },
  ) {
    super(message, options);
    this.response = options.response;
    this.errors = options.errors;
  }

  /** Whether `value` is such an error, from this copy of the package or another. */
  static override isInstance(value: unknown): value is AfterRunError {
    return hasErrorCode(value, 'after_run_failed');
  }
}

/** The model's answer is not the value that the run asked for. The run itself is over and stored. */
export class OutputError extends MinneError {
  override readonly name: string = 'OutputError';
  override readonly code = 'invalid_output';
  /** The finished answer. */
  readonly response: AgentResponse;

  constructor(message: string, options: MinneErrorOptions & { readonly response: AgentResponse }) {
    super(message, options);
    this.response = options.response;
  }

  /** Whether `value` is such an error, from this copy of the package or another. */
  static override isInstance(value: unknown): value is OutputError {
    return hasErrorCode(value, 'invalid_output');
  }
}

/** A run failed or was aborted, and what it had done could not be stored either. */
export class UnfinishedRunError extends MinneError {
  override readonly name: string = 'UnfinishedRunError';
  override readonly code = 'unfinished_run_not_stored';
  /** What each provider that failed threw, in order. What ended the run is the `cause`. */
  readonly errors: readonly unknown[];

  constructor(
    message: string,
    options: MinneErrorOptions & { readonly errors: readonly unknown[] },
  ) {
    super(message, options);
    this.errors = options.errors;
  }

  /** Whether `value` is such an error, from this copy of the package or another. */
  static override isInstance(value: unknown): value is UnfinishedRunError {
    return hasErrorCode(value, 'unfinished_run_not_stored');
  }
}

/** A provider took longer after a run than `afterRunTimeout` allows, and was left to itself. */
export class AfterRunTimeoutError extends MinneError {
  override readonly name: string = 'AfterRunTimeoutError';
  override readonly code = 'after_run_timeout';
  /** The provider. */
  readonly sourceId: string;

  /** @param timeout - Milliseconds. */
  constructor(sourceId: string, timeout: number) {
    super(
      `${sourceId} was not done ${timeout} ms after the run and was left to itself: whether it still gets done is not known. Give the agent a longer afterRunTimeout, or have the provider do long work elsewhere.`,
      { packageName: '@minne/core', field: 'afterRunTimeout' },
    );
    this.sourceId = sourceId;
  }

  /** Whether `value` is such an error, from this copy of the package or another. */
  static override isInstance(value: unknown): value is AfterRunTimeoutError {
    return hasErrorCode(value, 'after_run_timeout');
  }
}

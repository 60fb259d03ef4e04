import { MinneError } from '@minne/core';

/** A failure, as the person at the page is told of it. */
export interface Failure {
  /** A sentence that says what to do. */
  readonly message: string;
  /** Whether it is a fault of the program, which the terminal should hear of. */
  readonly isUnexpected: boolean;
}

/** Says in a sentence why an answer could not be finished. */
export function explainFailure(error: unknown): Failure {
  if (!MinneError.isInstance(error)) {
    return {
      message: 'The answer could not be finished; the terminal tells why. What you wrote is kept.',
      isUnexpected: true,
    };
  }
  if (error.code !== 'chat_client_failed') return { message: error.message, isUnexpected: false };
  // Without a status the server was not reached, for which its address may be to blame.
  const isUnreached = error.retryable && 'status' in error && error.status === undefined;
  const variable = variables[error.field ?? (isUnreached ? 'baseUrl' : '')];
  const hint = variable === undefined ? '' : ` The playground takes it from ${variable}.`;
  return { message: `${error.message}${hint}`, isUnexpected: false };
}

/** Where the playground takes the options of its chat client from. */
const variables: Readonly<Record<string, string>> = {
  apiKey: 'OPENAI_API_KEY',
  baseUrl: 'OPENAI_BASE_URL',
  modelId: 'OPENAI_MODEL',
};

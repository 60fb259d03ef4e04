import type { AgentResponse } from '../agent-response.js';
import { errorText } from '../error-text.js';
import { AfterRunError, UnfinishedRunError } from '../run-errors.js';
import type { AgentSession } from '../session.js';

/** What a provider threw after a run. */
export interface AfterRunFailure {
  readonly sourceId: string;
  readonly error: unknown;
}

const packageName = '@minne/core';

/** The error for a run that has its answer, and whose providers failed after it. */
export function failedAfterAnswer(
  failures: readonly AfterRunFailure[],
  response: AgentResponse,
): AfterRunError {
  return new AfterRunError(
    `The model has answered, but ${namesOf(failures)} failed after it. The answer is in \`response\`; it may not be stored. ${reasonsOf(failures)}`,
    {
      packageName,
      sessionId: response.sessionId,
      cause: failures[0]?.error,
      response,
      errors: failures.map(({ error }) => error),
    },
  );
}

/** The error for a run that came to no end, and whose providers failed after it. */
export function failedAfterUnfinished(
  failures: readonly AfterRunFailure[],
  cause: unknown,
  { aborted, session }: { readonly aborted: boolean; readonly session: AgentSession },
): UnfinishedRunError {
  return new UnfinishedRunError(
    `The run ${aborted ? 'was aborted' : 'failed'} (${errorText(cause)}), and ${namesOf(failures)} failed after it: ${reasonsOf(failures)}`,
    {
      packageName,
      sessionId: session.sessionId,
      cause,
      errors: failures.map(({ error }) => error),
    },
  );
}

function namesOf(failures: readonly AfterRunFailure[]): string {
  return failures.map(({ sourceId }) => sourceId).join(' and ');
}

function reasonsOf(failures: readonly AfterRunFailure[]): string {
  return failures.map(({ error }) => errorText(error)).join(' ');
}

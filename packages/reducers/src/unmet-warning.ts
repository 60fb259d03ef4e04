import type { Warning } from '@minne/core';

/** The code of the warning. */
export const unmetCode = 'budget_unmet';

/** Says that the least that is valid is more than what is allowed. */
export function unmetWarning(left: string, allowed: string): Omit<Warning, 'sourceId'> {
  return {
    code: unmetCode,
    message: `${left} are the least that can be sent, and at most ${allowed} are allowed. Allow more, or shorten the newest messages, the system messages or the instructions.`,
  };
}

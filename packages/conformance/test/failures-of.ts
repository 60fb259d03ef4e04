import { settleWithin } from '../src/shared/outcomes.js';

/** Milliseconds after which a case has failed. */
const patience = 10_000;

/** The names of the cases that reject, or do not end. */
export async function failuresOf<Case extends { readonly name: string }>(
  cases: readonly Case[],
  run: (testCase: Case) => Promise<void>,
): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const testCase of cases) {
    const outcome = await settleWithin(run(testCase), patience);
    if (outcome === 'pending' || outcome.status === 'rejected') failed.push(testCase.name);
  }
  return failed;
}

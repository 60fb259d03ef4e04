import { groupCases } from './cases/group-cases.js';
import { inputCases } from './cases/input-cases.js';
import { resultCases } from './cases/result-cases.js';
import { runningCases } from './cases/running-cases.js';
import { summariserCases } from './cases/summariser-cases.js';
import { summaryCases } from './cases/summary-cases.js';
import { tokenCases } from './cases/token-cases.js';
import type { ChatReducerCase } from './reducer-case.js';
import type { ChatReducerSuiteOptions } from './reducer-suite-options.js';
import { ReducerTestContext } from './reducer-test-context.js';

/** Every case of the kit. */
export const chatReducerCases: readonly ChatReducerCase[] = [
  ...resultCases,
  ...groupCases,
  ...inputCases,
  ...runningCases,
  ...tokenCases,
  ...summaryCases,
  ...summariserCases,
];

/** Runs one case. */
export async function runChatReducerCase(
  testCase: ChatReducerCase,
  create: ChatReducerSuiteOptions['create'],
): Promise<void> {
  await testCase.run(new ReducerTestContext(create));
}

import { concurrencyCases } from './cases/concurrency-cases.js';
import { contentCases } from './cases/content-cases.js';
import { durabilityCases } from './cases/durability-cases.js';
import { identityCases } from './cases/identity-cases.js';
import { keyCases } from './cases/key-cases.js';
import { listCases } from './cases/list-cases.js';
import { loadingCases } from './cases/loading-cases.js';
import { replaceCases } from './cases/replace-cases.js';
import { trimmingCases } from './cases/trimming-cases.js';
import type { HistoryBackendCase } from './history-backend-case.js';
import type { HistorySuiteOptions } from './history-suite-options.js';
import { HistoryTestContext } from './history-test-context.js';

/** Every case of the kit. */
export const historyBackendCases: readonly HistoryBackendCase[] = [
  ...loadingCases,
  ...identityCases,
  ...keyCases,
  ...contentCases,
  ...concurrencyCases,
  ...trimmingCases,
  ...replaceCases,
  ...listCases,
  ...durabilityCases,
];

/** Runs one case on a store of its own. */
export async function runHistoryCase(
  testCase: HistoryBackendCase,
  create: HistorySuiteOptions['create'],
): Promise<void> {
  const context = new HistoryTestContext(await create());
  try {
    await testCase.run(context);
  } finally {
    await context.dispose();
  }
}

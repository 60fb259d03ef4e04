import { concurrencyCases } from './cases/concurrency-cases.js';
import { contentCases } from './cases/content-cases.js';
import { durabilityCases } from './cases/durability-cases.js';
import { eraseCases } from './cases/erase-cases.js';
import { expiryCases } from './cases/expiry-cases.js';
import { identityCases } from './cases/identity-cases.js';
import { keyCases } from './cases/key-cases.js';
import { listCases } from './cases/list-cases.js';
import { loadingCases } from './cases/loading-cases.js';
import { oddCharacterCases } from './cases/odd-character-cases.js';
import { raceCases } from './cases/race-cases.js';
import { replaceCases } from './cases/replace-cases.js';
import { trimmingCases } from './cases/trimming-cases.js';
import { visibilityCases } from './cases/visibility-cases.js';
import type { HistoryBackendCase } from './history-backend-case.js';
import type { HistorySuiteOptions } from './history-suite-options.js';
import { HistoryTestContext } from './history-test-context.js';

/** Every case of the kit. */
export const historyBackendCases: readonly HistoryBackendCase[] = [
  ...loadingCases,
  ...identityCases,
  ...keyCases,
  ...oddCharacterCases,
  ...contentCases,
  ...concurrencyCases,
  ...raceCases,
  ...visibilityCases,
  ...trimmingCases,
  ...replaceCases,
  ...listCases,
  ...eraseCases,
  ...expiryCases,
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

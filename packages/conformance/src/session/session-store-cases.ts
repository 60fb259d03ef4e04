import { actorCases } from './cases/actor-cases.js';
import { concurrencyCases } from './cases/concurrency-cases.js';
import { durabilityCases } from './cases/durability-cases.js';
import { idCases } from './cases/id-cases.js';
import { orderCases } from './cases/order-cases.js';
import { valueCases } from './cases/value-cases.js';
import { versionCases } from './cases/version-cases.js';
import { writingCases } from './cases/writing-cases.js';
import type { SessionStoreCase } from './session-store-case.js';
import type { SessionSuiteOptions } from './session-suite-options.js';
import { SessionTestContext } from './session-test-context.js';

/** Every case of the kit. */
export const sessionStoreCases: readonly SessionStoreCase[] = [
  ...writingCases,
  ...versionCases,
  ...orderCases,
  ...actorCases,
  ...idCases,
  ...valueCases,
  ...concurrencyCases,
  ...durabilityCases,
];

/** Runs one case on a place of its own. */
export async function runSessionStoreCase(
  testCase: SessionStoreCase,
  create: SessionSuiteOptions['create'],
): Promise<void> {
  const context = new SessionTestContext(await create());
  try {
    await testCase.run(context);
  } finally {
    await context.dispose();
  }
}

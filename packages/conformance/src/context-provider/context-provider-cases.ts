import { identityCases } from './cases/identity-cases.js';
import { inputCases } from './cases/input-cases.js';
import { outcomeCases } from './cases/outcome-cases.js';
import { sessionCases } from './cases/session-cases.js';
import { signalCases } from './cases/signal-cases.js';
import { valueCases } from './cases/value-cases.js';
import type { ContextProviderCase } from './context-provider-case.js';
import type { ContextProviderSuiteOptions } from './provider-suite-options.js';
import { ProviderTestContext } from './provider-test-context.js';

/** Every case of the kit. */
export const contextProviderCases: readonly ContextProviderCase[] = [
  ...identityCases,
  ...sessionCases,
  ...valueCases,
  ...outcomeCases,
  ...signalCases,
  ...inputCases,
];

/** Runs one case on places of its own. */
export async function runContextProviderCase(
  testCase: ContextProviderCase,
  create: ContextProviderSuiteOptions['create'],
): Promise<void> {
  const context = new ProviderTestContext(create);
  try {
    await testCase.run(context);
  } finally {
    await context.dispose();
  }
}

import { registerCases } from '../shared/register-cases.js';
import { contextProviderCases, runContextProviderCase } from './context-provider-cases.js';
import type { ContextProviderSuiteOptions } from './provider-suite-options.js';

/**
 * Registers the tests that prove a provider keeps the contract `ContextProvider`, with vitest. The
 * provider is run in the real `Agent` with a model that does as it is told.
 *
 * The provider has to be predictable: given the same conversation, ids and times, it gives the same.
 *
 * @throws Error when `skip` names a case that is not run, or gives no reason.
 */
export function testContextProvider(options: ContextProviderSuiteOptions): void {
  registerCases({
    contract: 'ContextProvider',
    cases: contextProviderCases,
    suite: options,
    run: (testCase) => runContextProviderCase(testCase, options.create),
  });
}

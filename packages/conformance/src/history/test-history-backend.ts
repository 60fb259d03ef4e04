import { expect } from 'vitest';
import { registerCases } from '../shared/register-cases.js';
import type { HistoryBackendCase } from './history-backend-case.js';
import { historyBackendCases, runHistoryCase } from './history-backend-cases.js';
import type { HistoryAbilities, HistorySuiteOptions } from './history-suite-options.js';

/** The methods that a backend either has or leaves out, and the abilities that declare them. */
const methods = [
  ['replace', 'replace'],
  ['list', 'list'],
  ['eraseActor', 'erase'],
] as const;

/**
 * Registers the tests that prove a backend keeps the contract `HistoryBackend`, with vitest.
 *
 * Every case gets a store of its own from `create`. Cases of abilities that are not declared are not
 * run; one test holds the declaration to the methods that are there. Cases named in `skip` appear as
 * skipped, with their reason.
 *
 * @throws Error when `skip` names a case that is not run, or gives no reason.
 */
export function testHistoryBackend(options: HistorySuiteOptions): void {
  registerCases({
    contract: 'HistoryBackend',
    cases: [declarationCase(options.abilities ?? {}), ...historyBackendCases],
    suite: options,
    run: (testCase) => runHistoryCase(testCase, options.create),
  });
}

/** Holds a declaration to the methods that a backend has. */
export function declarationCase(abilities: HistoryAbilities): HistoryBackendCase {
  return {
    name: 'has the methods it declares, and no others',
    async run(context) {
      const { backend } = await context.open();
      const found = methods.filter(([method]) => backend[method] !== undefined);
      const declared = methods.filter(([, ability]) => abilities[ability] === true);
      expect(found.map(([method]) => method)).toEqual(declared.map(([method]) => method));
    },
  };
}

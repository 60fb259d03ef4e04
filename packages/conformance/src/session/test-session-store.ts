import { registerCases } from '../shared/register-cases.js';
import { runSessionStoreCase, sessionStoreCases } from './session-store-cases.js';
import type { SessionSuiteOptions } from './session-suite-options.js';

/**
 * Registers the tests that prove a store keeps the contract `SessionStore`, with vitest. Every case
 * gets a place of its own from `create`.
 *
 * @throws Error when `skip` names a case that is not run, or gives no reason.
 */
export function testSessionStore(options: SessionSuiteOptions): void {
  registerCases({
    contract: 'SessionStore',
    cases: sessionStoreCases,
    suite: options,
    run: (testCase) => runSessionStoreCase(testCase, options.create),
  });
}

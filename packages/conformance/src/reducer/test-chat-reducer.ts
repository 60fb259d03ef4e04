import { registerCases } from '../shared/register-cases.js';
import { chatReducerCases, runChatReducerCase } from './reducer-cases.js';
import type { ChatReducerSuiteOptions } from './reducer-suite-options.js';

/**
 * Registers the tests that prove a reducer keeps the contract `ChatReducer`, with vitest.
 *
 * @throws Error when `skip` names a case that is not run, or gives no reason.
 */
export function testChatReducer(options: ChatReducerSuiteOptions): void {
  registerCases({
    contract: 'ChatReducer',
    cases: chatReducerCases,
    suite: options,
    run: (testCase) => runChatReducerCase(testCase, options.create),
  });
}

import { registerCases } from '../shared/register-cases.js';
import { chatClientCases, runChatClientCase } from './chat-client-cases.js';
import type { ChatClientSuiteOptions } from './chat-client-suite-options.js';

/**
 * Registers the tests that prove a client keeps the contract `ChatClient`, with vitest. Every case gets
 * a service of its own from `create` and tells it what to reply.
 *
 * @throws Error when `skip` names a case that is not run, or gives no reason.
 */
export function testChatClient(options: ChatClientSuiteOptions): void {
  registerCases({
    contract: 'ChatClient',
    cases: chatClientCases,
    suite: options,
    run: (testCase) => runChatClientCase(testCase, options.create),
  });
}

import { answerCases } from './cases/answer-cases.js';
import { endingCases } from './cases/ending-cases.js';
import { errorCases } from './cases/error-cases.js';
import { requestCases } from './cases/request-cases.js';
import { sendingCases } from './cases/sending-cases.js';
import { storageCases } from './cases/storage-cases.js';
import { toolCallCases } from './cases/tool-call-cases.js';
import type { ChatClientCase } from './chat-client-case.js';
import type { ChatClientSuiteOptions } from './chat-client-suite-options.js';
import { ChatClientTestContext } from './chat-client-test-context.js';

/** Every case of the kit. */
export const chatClientCases: readonly ChatClientCase[] = [
  ...answerCases,
  ...toolCallCases,
  ...endingCases,
  ...errorCases,
  ...requestCases,
  ...sendingCases,
  ...storageCases,
];

/** Runs one case on a service of its own. */
export async function runChatClientCase(
  testCase: ChatClientCase,
  create: ChatClientSuiteOptions['create'],
): Promise<void> {
  const context = new ChatClientTestContext(await create());
  try {
    await testCase.run(context);
  } finally {
    await context.dispose();
  }
}

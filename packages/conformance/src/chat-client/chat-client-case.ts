import type { ConformanceCase } from '../shared/conformance-case.js';
import type { ChatClientAbilities } from './chat-client-suite-options.js';
import type { ChatClientTestContext } from './chat-client-test-context.js';

/** One promise of `ChatClient`. */
export type ChatClientCase = ConformanceCase<ChatClientTestContext, ChatClientAbilities>;

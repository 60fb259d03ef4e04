export type { SkippedCase } from '../shared/conformance-case.js';
export type {
  ChatClientAbilities,
  ChatClientSuiteOptions,
  ChatTestService,
} from './chat-client-suite-options.js';
export type {
  ScriptedAnswer,
  ScriptedError,
  ScriptedHalt,
  ScriptedReply,
  ScriptedToolCall,
} from './scripted-reply.js';
export { testChatClient } from './test-chat-client.js';

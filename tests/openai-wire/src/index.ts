export {
  type OpenAIWireOptions,
  type OpenAIWireServer,
  startOpenAIWire,
} from './openai-wire-server.js';
export {
  type ChatCompletionReply,
  type Fault,
  type FixedReply,
  type HttpReply,
  htmlPage,
  quotaExceeded,
  type Reply,
  type ResponseReply,
  rateLimited,
  type StreamShape,
  serverError,
  type ToolCallReply,
} from './reply.js';
export type { WireErrorBody } from './wire-refusal.js';
export type { Outcome, WireRequest } from './wire-request.js';

export type {
  ChatCompletionRequest,
  WireAssistantMessage,
  WireContentPart,
  WireMessage,
  WireSystemMessage,
  WireTextPart,
  WireTool,
  WireToolCall,
  WireToolMessage,
  WireUserMessage,
} from './chat-completion-wire.js';
export type {
  OpenAIAccount,
  OpenAIChatApi,
  OpenAIRequestOptions,
  OpenAIResponsesApi,
} from './openai-api.js';
export { OpenAIChatCompletionClient } from './openai-chat-completion-client.js';
export type {
  OpenAIChatCompletionCommonOptions,
  OpenAIChatCompletionOptions,
} from './openai-chat-completion-options.js';
export type {
  OpenAICommonOptions,
  OpenAIConnectionOptions,
  OpenAIInstanceOptions,
} from './openai-connection-options.js';
export { OpenAIResponsesClient } from './openai-responses-client.js';
export type {
  OpenAIResponsesCommonOptions,
  OpenAIResponsesOptions,
} from './openai-responses-options.js';
export type {
  ResponseAssistantMessage,
  ResponseFunctionCall,
  ResponseFunctionCallOutput,
  ResponseInputItem,
  ResponseInputMessage,
  ResponseInputPart,
  ResponseOutputMessage,
  ResponsePhase,
  ResponseReasoningItem,
  ResponseRequest,
  ResponseTool,
} from './response-wire.js';

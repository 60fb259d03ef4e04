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
export type { OpenAIChatApi, OpenAIRequestOptions } from './openai-api.js';
export { OpenAIChatCompletionClient } from './openai-chat-completion-client.js';
export type {
  OpenAIChatCompletionClientOptions,
  OpenAIChatCompletionCommonOptions,
  OpenAIChatCompletionConnectionOptions,
  OpenAIChatCompletionOptions,
} from './openai-chat-completion-options.js';

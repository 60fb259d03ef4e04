import {
  type ChatMessage,
  type ChatOptions,
  type InvalidInputError,
  isJsonObject,
  type JsonObject,
  type ToolDefinition,
} from '@minne/core';
import type { ChatCompletionRequest, WireTool } from './chat-completion-wire.js';
import type { OpenAIChatCompletionCommonOptions } from './openai-chat-completion-options.js';
import { wireMessages } from './request-messages.js';
import { invalidInput, noTools, nothingToSend, parametersOf } from './request-parts.js';

/**
 * The body of a request.
 * @throws InvalidInputError for options that this service cannot fulfil, and when nothing is left to send.
 */
export function chatCompletionRequest(
  messages: readonly ChatMessage[],
  options: ChatOptions,
  settings: OpenAIChatCompletionCommonOptions,
  stream: boolean,
): ChatCompletionRequest {
  checkConversation(options);
  const written = wireMessages(options.instructions, messages, settings);
  if (written.length === 0) {
    throw invalid('messages', nothingToSend);
  }
  const { temperature, topP, maxOutputTokens, stop, seed } = options;
  const maxTokens = settings.maxTokensParameter ?? 'max_completion_tokens';
  return Object.assign<JsonObject, ChatCompletionRequest>(
    { ...options.additional },
    {
      model: options.modelId ?? settings.modelId,
      messages: written,
      ...toolMembers(options),
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { top_p: topP }),
      ...(maxOutputTokens === undefined ? {} : { [maxTokens]: maxOutputTokens }),
      ...(stop === undefined || stop.length === 0 ? {} : { stop: [...stop] }),
      ...(seed === undefined ? {} : { seed }),
      ...responseFormat(options.responseFormat),
      ...(stream ? streamMembers(options, settings) : {}),
    },
  );
}

function checkConversation({ serviceSessionId, store }: ChatOptions): void {
  const field = serviceSessionId === undefined ? 'store' : 'serviceSessionId';
  if (serviceSessionId !== undefined || store === true) {
    throw invalid(
      field,
      'asks the service to keep the conversation, which Chat Completions does not do; keep it with a history provider, or use a client whose historyStorage is not "none"',
    );
  }
}

function toolMembers(options: ChatOptions): Partial<ChatCompletionRequest> {
  const { tools = [], toolChoice, parallelToolCalls } = options;
  if (tools.length === 0) {
    if (toolChoice === undefined || toolChoice === 'auto' || toolChoice === 'none') return {};
    throw invalid('toolChoice', noTools);
  }
  const named = typeof toolChoice === 'object';
  return {
    tools: tools.map(wireTool),
    ...(toolChoice === undefined
      ? {}
      : {
          tool_choice: named
            ? { type: 'function', function: { name: toolChoice.name } }
            : toolChoice,
        }),
    ...(parallelToolCalls === undefined ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function wireTool(tool: ToolDefinition): WireTool {
  const { name, description, strict } = tool;
  return {
    type: 'function',
    function: {
      name,
      description,
      parameters: parametersOf(tool),
      ...(strict === undefined ? {} : { strict }),
    },
  };
}

function responseFormat(format: ChatOptions['responseFormat']): Partial<ChatCompletionRequest> {
  if (format === undefined) return {};
  const { name = 'response', schema } = format;
  if (schema === undefined) return { response_format: { type: 'json_object' } };
  return { response_format: { type: 'json_schema', json_schema: { name, schema } } };
}

function streamMembers(
  { additional }: ChatOptions,
  { streamUsage = true }: OpenAIChatCompletionCommonOptions,
): Partial<ChatCompletionRequest> {
  const given = additional?.['stream_options'];
  const streamOptions = {
    ...(isJsonObject(given) ? given : {}),
    ...(streamUsage ? { include_usage: true } : {}),
  };
  return {
    stream: true,
    ...(Object.keys(streamOptions).length === 0 ? {} : { stream_options: streamOptions }),
  };
}

function invalid(field: string, problem: string): InvalidInputError {
  return invalidInput('OpenAIChatCompletionClient', field, problem);
}

import {
  type ChatMessage,
  type ChatOptions,
  type InvalidInputError,
  isJsonObject,
  type JsonObject,
  type ToolDefinition,
} from '@minne/core';
import type { OpenAIResponsesCommonOptions } from './openai-responses-options.js';
import { invalidInput, noTools, nothingToSend, parametersOf } from './request-parts.js';
import { inputItems } from './response-input.js';
import type { ResponseRequest, ResponseTool } from './response-wire.js';

const encryptedReasoning = 'reasoning.encrypted_content';

/** OpenAI's models that reason. `gpt-5-chat` does not. */
const reasoningModel = /^(o\d|gpt-(?:[5-9]|\d\d)(?!-chat)|codex)/;

/**
 * The body of a request.
 * @throws InvalidInputError for options that this service cannot fulfil, and when nothing is left to send.
 */
export function responseRequest(
  messages: readonly ChatMessage[],
  options: ChatOptions,
  settings: OpenAIResponsesCommonOptions,
  stream: boolean,
): ResponseRequest {
  checkAdditional(options.additional);
  const model = options.modelId ?? settings.modelId;
  const store = options.store ?? settings.storesByDefault ?? true;
  const encrypted = !store && (settings.encryptedReasoning ?? reasoningModel.test(model));
  const input = inputItems(messages, encrypted);
  if (input.length === 0) throw invalid('messages', nothingToSend);
  const { instructions, temperature, topP, maxOutputTokens } = options;
  return Object.assign<JsonObject, ResponseRequest>(
    {
      ...options.additional,
      ...includeMember(options.additional?.['include'], encrypted),
      ...textMember(options),
    },
    {
      model,
      input,
      store,
      ...conversationMember(options.serviceSessionId, store),
      ...(instructions === undefined || instructions === '' ? {} : { instructions }),
      ...toolMembers(options),
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { top_p: topP }),
      ...(maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens }),
      ...(stream ? { stream: true } : {}),
    },
  );
}

/** What a conversation goes on from is told in one place, or the service could hold what is sent here too. */
function checkAdditional(additional: ChatOptions['additional']): void {
  for (const name of ['conversation', 'previous_response_id']) {
    if (additional?.[name] === undefined || additional[name] === null) continue;
    throw invalid(
      'additional',
      `names a ${name}; give its id as serviceSessionId, with an agent: agent.getSession({ serviceSessionId })`,
    );
  }
}

/** A conversation is named by its id, anything else that the service keeps by its newest response. */
function conversationMember(
  id: string | undefined,
  store: boolean,
): Pick<ResponseRequest, 'conversation' | 'previous_response_id'> {
  if (id === undefined) return {};
  if (!id.startsWith('conv_')) return { previous_response_id: id };
  if (store) return { conversation: id };
  throw invalid(
    'store',
    'is false, but a conversation keeps all that is said in it; leave store out, or go on without serviceSessionId',
  );
}

function includeMember(given: unknown, encrypted: boolean): { include?: string[] } {
  const others = Array.isArray(given) ? given.filter((item) => typeof item === 'string') : [];
  const include = encrypted ? [...new Set([...others, encryptedReasoning])] : others;
  return include.length === 0 ? {} : { include };
}

function toolMembers(options: ChatOptions): Partial<ResponseRequest> {
  const { tools = [], toolChoice, parallelToolCalls } = options;
  if (tools.length === 0) {
    if (toolChoice === undefined || toolChoice === 'auto' || toolChoice === 'none') return {};
    throw invalid('toolChoice', noTools);
  }
  const named = typeof toolChoice === 'object';
  return {
    tools: tools.map(responseTool),
    ...(toolChoice === undefined
      ? {}
      : { tool_choice: named ? { type: 'function', name: toolChoice.name } : toolChoice }),
    ...(parallelToolCalls === undefined ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function responseTool(tool: ToolDefinition): ResponseTool {
  const { name, description, strict = false } = tool;
  // Left out, `strict` would be true here, and schemas would have to be written for it.
  return { type: 'function', name, description, parameters: parametersOf(tool), strict };
}

/** `text` of the call's `additional`, such as a verbosity, goes with the format. */
function textMember({ responseFormat, additional }: ChatOptions): { text?: JsonObject } {
  if (responseFormat === undefined) return {};
  const given = additional?.['text'];
  const { name = 'response', schema } = responseFormat;
  const format: JsonObject =
    schema === undefined ? { type: 'json_object' } : { type: 'json_schema', name, schema };
  return { text: { ...(isJsonObject(given) ? given : {}), format } };
}

function invalid(field: string, problem: string): InvalidInputError {
  return invalidInput('OpenAIResponsesClient', field, problem);
}

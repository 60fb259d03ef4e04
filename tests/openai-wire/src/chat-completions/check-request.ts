import {
  boolean,
  type Check,
  checkMembers,
  expectObject,
  integer,
  isObject,
  listOf,
  nullable,
  number,
  object,
  oneOf,
  oneOrList,
  string,
  type UncheckedObject,
} from '../checks.js';
import { objectSchemaProblem } from '../json-schema.js';
import { missingParameter, WireRefusal } from '../wire-refusal.js';
import { checkMessages, name } from './check-messages.js';
import { checkToolUse, toolChoice, tools } from './check-tools.js';

/** `ResponseFormatText`, `ResponseFormatJsonObject`, `ResponseFormatJsonSchema`. */
const responseFormat: Check = (value, path) => {
  const format = expectObject(value, path);
  checkMembers(format, path, {
    required: {
      type: oneOf('text', 'json_object', 'json_schema'),
      ...(format['type'] === 'json_schema' ? { json_schema: jsonSchema } : {}),
    },
  });
};

function jsonSchema(value: unknown, path: string): void {
  const body = expectObject(value, path);
  checkMembers(body, path, {
    required: { name },
    optional: { description: string(), schema: object, strict: nullable(boolean) },
  });
  const { schema } = body;
  const problem = isObject(schema)
    ? objectSchemaProblem(schema, body['strict'] === true)
    : undefined;
  if (problem !== undefined) {
    throw new WireRefusal(
      `Invalid schema for response_format '${String(body['name'])}': ${problem}`,
      { param: 'response_format' },
    );
  }
}

/** `ChatCompletionStreamOptions`. */
const streamOptions: Check = (value, path) => {
  checkMembers(expectObject(value, path), path, {
    optional: { include_usage: boolean, include_obfuscation: boolean },
  });
};

/**
 * `CreateChatCompletionRequest` of OpenAI's OpenAPI description: every parameter, its type and its
 * bounds. Parameters whose inside no test needs are checked for their type only.
 */
const parameters: Readonly<Record<string, Check>> = {
  audio: nullable(object),
  frequency_penalty: nullable(number(-2, 2)),
  function_call: (value, path) => {
    if (!isObject(value)) oneOf('none', 'auto')(value, path);
  },
  functions: listOf(object, 128),
  logit_bias: nullable(object),
  logprobs: nullable(boolean),
  max_completion_tokens: nullable(integer(1)),
  max_tokens: nullable(integer(1)),
  metadata: nullable(object),
  modalities: nullable(listOf(oneOf('text', 'audio'))),
  moderation: nullable(object),
  n: nullable(integer(1, 128)),
  parallel_tool_calls: boolean,
  prediction: nullable(object),
  presence_penalty: nullable(number(-2, 2)),
  prompt_cache_key: nullable(string()),
  prompt_cache_options: object,
  prompt_cache_retention: nullable(oneOf('in_memory', '24h')),
  reasoning_effort: nullable(oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')),
  response_format: responseFormat,
  safety_identifier: nullable(string()),
  seed: nullable(integer()),
  service_tier: nullable(oneOf('auto', 'default', 'flex', 'scale', 'priority', 'fast')),
  stop: nullable(oneOrList(string(), 4)),
  store: nullable(boolean),
  stream: nullable(boolean),
  stream_options: nullable(streamOptions),
  temperature: nullable(number(0, 2)),
  tool_choice: toolChoice,
  tools,
  top_logprobs: nullable(integer(0, 20)),
  top_p: nullable(number(0, 1)),
  user: string(),
  verbosity: nullable(oneOf('low', 'medium', 'high')),
  web_search_options: object,
};

/** What {@link checkChatCompletionRequest} is told about the server. */
export interface ChatCompletionRules {
  /** Parameters that this server does not know, as an older or other one would not. */
  readonly without: readonly string[];
}

/**
 * Checks the body of `POST /chat/completions`.
 * @throws WireRefusal as the service would refuse it.
 */
export function checkChatCompletionRequest(
  value: unknown,
  rules: ChatCompletionRules,
): UncheckedObject {
  const request = expectObject(value, 'body');
  for (const param of ['model', 'messages']) {
    if (request[param] === undefined) throw missingParameter(param);
  }
  for (const param of Object.keys(request)) {
    const known = Object.hasOwn(parameters, param) || param === 'model' || param === 'messages';
    if (!known || rules.without.includes(param)) {
      // https://github.com/nashsu/llm_wiki/issues/336
      throw new WireRefusal(`Unrecognized request argument supplied: ${param}`);
    }
  }
  checkMembers(request, '', {
    required: { model: string(), messages: checkMessages },
    optional: parameters,
  });
  checkToolUse(request);
  checkCombinations(request);
  return request;
}

function checkCombinations(request: UncheckedObject): void {
  if (isObject(request['stream_options']) && request['stream'] !== true) {
    // https://github.com/BerriAI/litellm/issues/5803
    throw new WireRefusal(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      { param: 'stream_options' },
    );
  }
  if (typeof request['max_tokens'] === 'number') {
    if (typeof request['max_completion_tokens'] === 'number') {
      // https://github.com/langchain-ai/langgraph/issues/5943
      throw new WireRefusal(
        "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
        { param: 'max_tokens', code: 'invalid_parameter_combination' },
      );
    }
    if (/^(o\d|gpt-5)/.test(String(request['model']))) {
      // https://github.com/devnullvoid/dms-ai-assistant/issues/12
      throw new WireRefusal(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        { param: 'max_tokens', code: 'unsupported_parameter' },
      );
    }
  }
  if (isObject(request['metadata']) && request['store'] !== true) {
    // https://github.com/QwenLM/qwen-code/issues/224
    throw new WireRefusal("The 'metadata' parameter is only allowed when 'store' is enabled.", {
      param: 'metadata',
    });
  }
  checkReasoningModel(request);
  const format = request['response_format'];
  const saysJson = /json/i.test(JSON.stringify(request['messages']));
  if (isObject(format) && format['type'] === 'json_object' && !saysJson) {
    // `response_format` of the API reference: JSON mode wants the instruction in a message too.
    throw new WireRefusal(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      { param: 'messages' },
    );
  }
}

/**
 * What models that reason refuse: another temperature than the default
 * (https://github.com/tmc/langchaingo/issues/1355), and places to stop
 * (https://github.com/huggingface/smolagents/issues/1671). Later ones of the family take both when their
 * effort is none, so with that they are let through.
 */
function checkReasoningModel(request: UncheckedObject): void {
  const { model, temperature, stop, reasoning_effort: effort } = request;
  if (!/^(o\d|gpt-5(?!-chat))/.test(String(model)) || effort === 'none') return;
  if (typeof temperature === 'number' && temperature !== 1) {
    throw new WireRefusal(
      `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`,
      { param: 'temperature', code: 'unsupported_value' },
    );
  }
  if (stop === undefined || stop === null) return;
  throw new WireRefusal("Unsupported parameter: 'stop' is not supported with this model.", {
    param: 'stop',
    code: 'unsupported_parameter',
  });
}

import { name } from '../chat-completions/check-messages.js';
import {
  boolean,
  type Check,
  checkMembers,
  expectArray,
  expectObject,
  integer,
  isObject,
  nullable,
  number,
  object,
  oneOf,
  string,
  type UncheckedObject,
} from '../checks.js';
import { objectSchemaProblem } from '../json-schema.js';
import { invalidType, missingParameter, WireRefusal } from '../wire-refusal.js';
import { checkItems } from './check-items.js';
import { checkToolUse, toolChoice, tools } from './check-tools.js';

/** `input`: a text, or items. */
const input: Check = (value, path) => {
  if (typeof value === 'string') return;
  if (!Array.isArray(value))
    throw invalidType(path, 'one of a string or array of input items', value);
  checkItems(value, path, { outputMembers: true, references: true });
};

/** `ResponseTextParam`: what Chat Completions calls `response_format` lies flat in `format`. */
const text: Check = (value, path) => {
  checkMembers(expectObject(value, path), path, {
    optional: { format: textFormat, verbosity: nullable(oneOf('low', 'medium', 'high')) },
  });
};

function textFormat(value: unknown, path: string): void {
  const format = expectObject(value, path);
  const withSchema = format['type'] === 'json_schema';
  checkMembers(format, path, {
    required: {
      type: oneOf('json_object', 'text', 'json_schema'),
      ...(withSchema ? { name, schema: object } : {}),
    },
    optional: withSchema ? { description: string(), strict: nullable(boolean) } : {},
  });
  const { schema } = format;
  const problem = isObject(schema)
    ? objectSchemaProblem(schema, format['strict'] === true)
    : undefined;
  if (problem !== undefined) {
    throw new WireRefusal(
      `Invalid schema for response_format '${String(format['name'])}': ${problem}`,
      {
        param: 'text.format.schema',
        code: 'invalid_json_schema',
      },
    );
  }
}

/** `Reasoning`. */
const reasoning: Check = (value, path) => {
  checkMembers(expectObject(value, path), path, {
    optional: {
      context: nullable(oneOf('auto', 'current_turn', 'all_turns')),
      effort: nullable(oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')),
      // The older name of `summary`.
      generate_summary: nullable(oneOf('concise', 'detailed', 'auto')),
      mode: string(),
      summary: nullable(oneOf('concise', 'detailed', 'auto')),
    },
  });
};

/** `IncludeEnum`. */
const include: Check = (value, path) => {
  for (const [index, item] of expectArray(value, path).entries()) {
    oneOf(
      'file_search_call.results',
      'web_search_call.results',
      'web_search_call.action.sources',
      'message.input_image.image_url',
      'computer_call_output.output.image_url',
      'code_interpreter_call.outputs',
      'reasoning.encrypted_content',
      'message.output_text.logprobs',
    )(item, `${path}[${index}]`);
  }
};

/** `ResponseStreamOptions`: usage comes in every stream here, so there is no `include_usage`. */
const streamOptions: Check = (value, path) => {
  checkMembers(expectObject(value, path), path, { optional: { include_obfuscation: boolean } });
};

const conversation: Check = (value, path) => {
  if (typeof value === 'string') return;
  checkMembers(expectObject(value, path), path, { required: { id: string() } });
};

/** `previous_response_id`, refused as in https://github.com/ProjectTech4DevAI/kaapi-backend/issues/317. */
const responseId: Check = (value, path) => {
  string()(value, path);
  if (/^[\w-]+$/.test(String(value))) return;
  throw new WireRefusal(
    `Invalid '${path}': '${String(value)}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`,
    { param: path, code: 'invalid_value' },
  );
};

/**
 * `CreateResponse` of OpenAI's OpenAPI description: every parameter, its type and its bounds. Parameters
 * whose inside no test needs are checked for their type only. That `max_output_tokens` begins at 16:
 * https://github.com/vectorize-io/hindsight/issues/58.
 */
const parameters: Readonly<Record<string, Check>> = {
  access_programs: object,
  background: nullable(boolean),
  background_options: object,
  context_management: nullable(expectArray),
  conversation: nullable(conversation),
  image: object,
  include: nullable(include),
  instructions: nullable(string()),
  max_output_tokens: nullable(integer(16)),
  max_tool_calls: nullable(integer(1)),
  metadata: nullable(object),
  moderation: nullable(object),
  parallel_tool_calls: nullable(boolean),
  previous_response_id: nullable(responseId),
  prompt: nullable(object),
  prompt_cache_key: nullable(string()),
  prompt_cache_options: object,
  prompt_cache_retention: nullable(oneOf('in_memory', '24h')),
  reasoning: nullable(reasoning),
  safety_identifier: nullable(string()),
  service_tier: nullable(oneOf('auto', 'default', 'flex', 'priority', 'fast')),
  store: nullable(boolean),
  stream: nullable(boolean),
  stream_options: nullable(streamOptions),
  temperature: nullable(number(0, 2)),
  text,
  tool_choice: toolChoice,
  tools,
  top_logprobs: nullable(integer(0, 20)),
  top_p: nullable(number(0, 1)),
  truncation: nullable(oneOf('auto', 'disabled')),
  user: string(),
};

/** Parameters of Chat Completions that have another name here. */
const moved: Readonly<Record<string, string>> = {
  messages: 'input',
  response_format: 'text.format',
  reasoning_effort: 'reasoning.effort',
  max_completion_tokens: 'max_output_tokens',
};

/**
 * Checks the body of `POST /responses`, but for what depends on what the service holds.
 * @throws WireRefusal as the service would refuse it.
 */
export function checkResponseRequest(
  value: unknown,
  { without }: { readonly without: readonly string[] },
): UncheckedObject {
  const request = expectObject(value, 'body');
  for (const param of ['model', 'input']) {
    if (request[param] === undefined) throw missingParameter(param);
  }
  for (const param of Object.keys(request)) refuseUnknown(param, without);
  checkMembers(request, '', { required: { model: string(), input }, optional: parameters });
  if (isSet(request['conversation']) && isSet(request['previous_response_id'])) {
    // `previous_response_id` of the API reference: not together with `conversation`.
    throw new WireRefusal(
      "Mutually exclusive parameters: ''. Ensure you are only providing one of: 'pre..._id' or 'conversation'.",
      { code: 'mutually_exclusive_parameters' },
    );
  }
  if (isObject(request['stream_options']) && request['stream'] !== true) {
    throw new WireRefusal(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      { param: 'stream_options' },
    );
  }
  checkToolUse(request);
  checkJsonMode(request);
  checkModelAbilities(request);
  return request;
}

/** Whether a parameter that may be null says something. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function refuseUnknown(param: string, without: readonly string[]): void {
  const target = moved[param];
  if (target !== undefined) {
    throw new WireRefusal(
      `Unsupported parameter: '${param}'. In the Responses API, this parameter has moved to '${target}'. Try again with the new parameter. See the API documentation for more information: https://platform.openai.com/docs/api-reference/responses/create.`,
      { code: 'unsupported_parameter' },
    );
  }
  const known = Object.hasOwn(parameters, param) || param === 'model' || param === 'input';
  if (known && !without.includes(param)) return;
  // https://github.com/64bit/async-openai/issues/386
  throw new WireRefusal(`Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' });
}

/** JSON mode wants the word in the input, instructions do not count (https://github.com/miracodeai/mira/pull/267). */
function checkJsonMode(request: UncheckedObject): void {
  const { text: settings } = request;
  const format = isObject(settings) ? settings['format'] : undefined;
  if (!isObject(format) || format['type'] !== 'json_object') return;
  if (/json/i.test(JSON.stringify(request['input']))) return;
  throw new WireRefusal(
    "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
    { param: 'input' },
  );
}

/**
 * What models that reason take and others do not, and the reverse: encrypted reasoning
 * (https://github.com/NousResearch/hermes-agent/pull/24234), effort
 * (https://github.com/BoundaryML/baml/pull/2708) and, of the GPT-5 family on, sampling.
 */
function checkModelAbilities(request: UncheckedObject): void {
  const reasons = /^(o\d|gpt-([5-9]|\d\d)(?!-chat)|codex)/.test(String(request['model']));
  const { reasoning: settings } = request;
  if (!reasons && isObject(settings) && isSet(settings['effort'])) {
    throw new WireRefusal(
      "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
      { param: 'reasoning.effort', code: 'unsupported_parameter' },
    );
  }
  const included: readonly unknown[] = Array.isArray(request['include']) ? request['include'] : [];
  if (included.includes('reasoning.encrypted_content') && !reasons) {
    throw new WireRefusal('Encrypted content is not supported with this model.', {
      param: 'include',
    });
  }
  for (const param of ['temperature', 'top_p']) {
    if (!reasons || !isSet(request[param])) continue;
    throw new WireRefusal(`Unsupported parameter: '${param}' is not supported with this model.`, {
      param,
    });
  }
}

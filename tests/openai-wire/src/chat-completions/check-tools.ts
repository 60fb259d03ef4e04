import {
  boolean,
  type Check,
  checkMembers,
  expectObject,
  expectString,
  isObject,
  listOf,
  nullable,
  object,
  oneOf,
  string,
  type UncheckedObject,
} from '../checks.js';
import { objectSchemaProblem } from '../json-schema.js';
import { unsupportedValue, WireRefusal } from '../wire-refusal.js';
import { name } from './check-messages.js';

/** `ChatCompletionTool`: a function with a JSON Schema, or a custom tool. */
function tool(value: unknown, path: string): void {
  const definition = expectObject(value, path);
  const custom = definition['type'] === 'custom';
  checkMembers(definition, path, {
    required: {
      type: oneOf('function', 'custom'),
      ...(custom ? { custom: object } : { function: functionDefinition }),
    },
  });
}

/** `FunctionObject`. */
function functionDefinition(value: unknown, path: string): void {
  const definition = expectObject(value, path);
  checkMembers(definition, path, {
    required: { name },
    optional: { description: string(), parameters: object, strict: nullable(boolean) },
  });
  const { parameters } = definition;
  if (!isObject(parameters)) return;
  const problem = objectSchemaProblem(parameters, definition['strict'] === true);
  if (problem !== undefined) {
    throw new WireRefusal(
      `Invalid schema for function '${String(definition['name'])}': ${problem}`,
      {
        param: `${path}.parameters`,
        code: 'invalid_function_parameters',
      },
    );
  }
}

/** `tools`: 1 to 128 of them. */
export const tools: Check = listOf(tool, 128);

/** `ChatCompletionToolChoiceOption`. */
export const toolChoice: Check = (value, path) => {
  if (typeof value === 'string') {
    oneOf('none', 'auto', 'required')(value, path);
    return;
  }
  const choice = expectObject(value, path);
  const type = expectString(choice['type'], `${path}.type`);
  const types = ['function', 'custom', 'allowed_tools'];
  if (!types.includes(type)) throw unsupportedValue(`${path}.type`, type, types);
  checkMembers(choice, path, {
    required: {
      type: string(),
      [type]: (body: unknown, at: string) => {
        const named = expectObject(body, at);
        if (type !== 'allowed_tools') checkMembers(named, at, { required: { name } });
      },
    },
  });
};

/**
 * What tools, `tool_choice` and `parallel_tool_calls` may not do together. Wordings as seen in
 * https://github.com/dapr/dapr-agents/issues/248 and https://github.com/openai/swarm/issues/30; a
 * choice of a tool that is not there: https://github.com/vllm-project/vllm/pull/40399.
 */
export function checkToolUse(request: UncheckedObject): void {
  const { tools: list, tool_choice: choice } = request;
  if (!Array.isArray(list)) {
    for (const param of ['tool_choice', 'parallel_tool_calls']) {
      if (request[param] === undefined) continue;
      throw new WireRefusal(
        `Invalid value for '${param}': '${param}' is only allowed when 'tools' are specified.`,
        { param },
      );
    }
    return;
  }
  const names = list.map(toolName);
  const repeated = names.findIndex((item, index) => names.indexOf(item) < index);
  if (repeated >= 0) {
    // The API description is silent about it. Services behind the same wire refuse it in these words
    // (https://github.com/tailcallhq/forgecode/issues/892), and no client should rely on the others.
    throw new WireRefusal(`tools: Tool names must be unique. Repeated: '${names[repeated]}'.`, {
      param: `tools[${repeated}].function.name`,
      code: 'invalid_value',
    });
  }
  if (isObject(choice) && choice['type'] !== 'allowed_tools' && !names.includes(toolName(choice))) {
    throw new WireRefusal(`Tool choice '${choice['type']}' not found in 'tools' parameter.`, {
      param: 'tool_choice',
    });
  }
}

function toolName(value: unknown): string {
  const body = isObject(value) ? (value['function'] ?? value['custom']) : undefined;
  return isObject(body) ? String(body['name']) : '';
}

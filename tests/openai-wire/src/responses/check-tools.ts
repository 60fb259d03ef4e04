import { name } from '../chat-completions/check-messages.js';
import {
  boolean,
  type Check,
  checkMembers,
  expectArray,
  expectObject,
  expectString,
  isObject,
  nullable,
  object,
  oneOf,
  string,
  type UncheckedObject,
} from '../checks.js';
import { objectSchemaProblem } from '../json-schema.js';
import { missingParameter, unsupportedValue, WireRefusal } from '../wire-refusal.js';

/** Tools that the service runs itself. What they hold is not looked into: no test needs them. */
const hosted = [
  'apply_patch',
  'code_interpreter',
  'computer',
  'computer_use_preview',
  'custom',
  'file_search',
  'image_generation',
  'local_shell',
  'mcp',
  'namespace',
  'programmatic_tool_calling',
  'shell',
  'tool_search',
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
];

/** `FunctionTool`: unlike Chat Completions, without a `function` around it. */
function tool(value: unknown, path: string): void {
  const definition = expectObject(value, path);
  if (definition['type'] === undefined) throw missingParameter(`${path}.type`);
  const kind = expectString(definition['type'], `${path}.type`);
  if (hosted.includes(kind)) return;
  if (kind !== 'function') throw unsupportedValue(`${path}.type`, kind, ['function', ...hosted]);
  checkMembers(definition, path, {
    required: { name, type: string() },
    optional: {
      description: nullable(string()),
      parameters: nullable(object),
      strict: nullable(boolean),
    },
  });
  const { parameters } = definition;
  if (!isObject(parameters)) return;
  // `strict` of the API reference: true where it is left out.
  const problem = objectSchemaProblem(parameters, definition['strict'] === true);
  if (problem === undefined) return;
  throw new WireRefusal(`Invalid schema for function '${String(definition['name'])}': ${problem}`, {
    param: `${path}.parameters`,
    code: 'invalid_function_parameters',
  });
}

/** `tools`: as many as there are, also none (https://github.com/vllm-project/vllm/pull/40399). */
export const tools: Check = (value, path) => {
  for (const [index, item] of expectArray(value, path).entries()) tool(item, `${path}[${index}]`);
};

/** `ToolChoiceParam`: unlike Chat Completions, the name stands beside the type. */
export const toolChoice: Check = (value, path) => {
  if (typeof value === 'string') {
    oneOf('none', 'auto', 'required')(value, path);
    return;
  }
  const choice = expectObject(value, path);
  if (choice['type'] !== 'function') return;
  checkMembers(choice, path, { required: { type: string(), name } });
};

/** A choice that no tool can fulfil. Wordings as recorded in https://github.com/vllm-project/vllm/pull/40399. */
export function checkToolUse(request: UncheckedObject): void {
  const { tools: list, tool_choice: choice } = request;
  const given: readonly unknown[] = Array.isArray(list) ? list : [];
  const names = given.flatMap((item) => (isObject(item) ? [item['name']] : []));
  const repeated = names.findIndex((item, index) => names.indexOf(item) < index);
  if (repeated >= 0) {
    // As with Chat Completions, the API description is silent about it.
    throw new WireRefusal(
      `tools: Tool names must be unique. Repeated: '${String(names[repeated])}'.`,
      {
        param: `tools[${repeated}].name`,
        code: 'invalid_value',
      },
    );
  }
  if (choice === 'required' && given.length === 0) {
    throw new WireRefusal("Tool choice 'required' must be specified with 'tools' parameter.", {
      param: 'tool_choice',
    });
  }
  if (isObject(choice) && choice['type'] === 'function' && !names.includes(choice['name'])) {
    throw new WireRefusal("Tool choice 'function' not found in 'tools' parameter.", {
      param: 'tool_choice',
    });
  }
}

import {
  type Check,
  checkMembers,
  expectArray,
  expectObject,
  expectString,
  isObject,
  listOf,
  nullable,
  type ObjectShape,
  object,
  oneOf,
  string,
} from '../checks.js';
import { emptyArray, missingParameter, unsupportedValue, WireRefusal } from '../wire-refusal.js';
import { contentOf } from './check-content.js';

/**
 * `name` of a participant (https://github.com/microsoft/autogen/issues/4157) and of a function
 * (`FunctionObject.name`: at most 64 characters of a-z, A-Z, 0-9, underscore and dash).
 */
const namePattern = /^[a-zA-Z0-9_-]+$/;

/** A name as {@link namePattern} wants it, with its greatest length. */
export const name: Check = string({ pattern: namePattern, maximum: 64 });

/**
 * `ChatCompletionMessageToolCall`. The id takes at most 40 characters
 * (https://github.com/agno-agi/agno/issues/5382; some models are said to take more). `arguments` is
 * any string: the service does not parse it.
 */
function toolCall(value: unknown, path: string): void {
  const call = expectObject(value, path);
  const custom = call['type'] === 'custom';
  checkMembers(call, path, {
    required: {
      id: string({ maximum: 40 }),
      type: oneOf('function', 'custom'),
      [custom ? 'custom' : 'function']: (body: unknown, at: string) => {
        checkMembers(expectObject(body, at), at, {
          required: { name, [custom ? 'input' : 'arguments']: string() },
        });
      },
    },
  });
}

const text = contentOf('text');
const role: Check = string();

/** `ChatCompletionRequest*Message`: what the messages of each role hold. */
const messages: Readonly<Record<string, Check>> = {
  system: membersOf({ required: { role, content: text }, optional: { name } }),
  developer: membersOf({ required: { role, content: text }, optional: { name } }),
  user: membersOf({
    required: { role, content: contentOf('text', 'image_url', 'input_audio', 'file') },
    optional: { name },
  }),
  assistant: (value, path) => {
    const message = expectObject(value, path);
    const calls = isObject(message['function_call']) || Array.isArray(message['tool_calls']);
    const content = contentOf('text', 'refusal');
    const needsContent = !calls && typeof message['refusal'] !== 'string';
    checkMembers(message, path, {
      required: { role, ...(needsContent ? { content } : {}) },
      optional: {
        ...(needsContent ? {} : { content: nullable(content) }),
        name,
        refusal: nullable(string()),
        audio: nullable(object),
        function_call: nullable(object),
        tool_calls: listOf(toolCall),
      },
    });
  },
  tool: membersOf({ required: { role, content: text, tool_call_id: string() } }),
  function: membersOf({ required: { role, content: nullable(text), name } }),
};

function membersOf(shape: ObjectShape): Check {
  return (value, path) => checkMembers(expectObject(value, path), path, shape);
}

/** `messages`: at least one, each of a known role and of that role's shape, tool messages in place. */
export function checkMessages(value: unknown, path: string): void {
  const list = expectArray(value, path);
  // https://github.com/CopilotKit/CopilotKit/issues/529
  if (list.length === 0) throw emptyArray(path);
  for (const [index, item] of list.entries()) {
    const at = `${path}[${index}]`;
    const message = expectObject(item, at);
    if (message['role'] === undefined) throw missingParameter(`${at}.role`);
    const check = Object.entries(messages).find(([known]) => known === message['role'])?.[1];
    if (check === undefined) {
      const unknown = expectString(message['role'], `${at}.role`);
      throw unsupportedValue(`${at}.role`, unknown, Object.keys(messages));
    }
    check(message, at);
  }
  checkToolOrder(list.filter(isObject));
}

/**
 * Each assistant message with tool calls is followed directly by the tool messages that answer them,
 * in any order, and no tool message stands anywhere else. Wordings and paths as seen in
 * https://github.com/sdcb/chats/pull/132.
 */
function checkToolOrder(list: readonly Readonly<Record<string, unknown>>[]): void {
  let open: Set<unknown> | undefined;
  let answered = new Set<unknown>();
  const close = (index: number): void => {
    const missing = [...(open ?? [])].filter((id) => !answered.has(id));
    if (missing.length > 0) {
      throw new WireRefusal(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing.join(', ')}`,
        { param: `messages.[${Math.min(index, list.length - 1)}].role` },
      );
    }
    open = undefined;
    answered = new Set();
  };
  for (const [index, message] of list.entries()) {
    if (message['role'] !== 'tool') {
      close(index);
      const calls = message['tool_calls'];
      if (Array.isArray(calls)) {
        open = new Set(calls.map((call: unknown) => (isObject(call) ? call['id'] : undefined)));
      }
      continue;
    }
    if (open === undefined) {
      throw new WireRefusal(
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        { param: `messages.[${index}].role` },
      );
    }
    const id = message['tool_call_id'];
    if (!open.has(id)) {
      throw new WireRefusal(
        `Invalid parameter: 'tool_call_id' of '${String(id)}' not found in 'tool_calls' of previous message.`,
        { param: `messages.[${index}].tool_call_id` },
      );
    }
    answered.add(id);
  }
  close(list.length);
}

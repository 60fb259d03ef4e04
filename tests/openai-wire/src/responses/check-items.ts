import { name } from '../chat-completions/check-messages.js';
import {
  type Check,
  checkMembers,
  expectArray,
  expectObject,
  expectString,
  nullable,
  type ObjectShape,
  oneOf,
  string,
} from '../checks.js';
import { invalidType, unsupportedValue, WireRefusal } from '../wire-refusal.js';
import { contentOf } from './check-content.js';

/** What a list of items may hold where it stands. */
export interface ItemRules {
  /**
   * Whether members that only answers have (`status`, `logprobs`) may come back. `POST /responses` takes
   * them on messages and calls; on a reasoning item it never does.
   */
  readonly outputMembers: boolean;
  /** Whether an item may be named by its id alone. */
  readonly references: boolean;
}

const type: Check = string();
const status = nullable(oneOf('in_progress', 'completed', 'incomplete'));
/** The greatest length of a `call_id` (`FunctionCallItemParam` of the API description). */
const callId: Check = string({ maximum: 64 });

/** Prefix and code as seen in https://github.com/Wei-Shaw/sub2api/issues/3981. */
function id(prefix: string): Check {
  return (value, path) => {
    string({ maximum: 64 })(value, path);
    if (String(value).startsWith(prefix)) return;
    throw new WireRefusal(
      `Invalid '${path}': '${String(value)}'. Expected an ID that begins with '${prefix}'.`,
      { param: path, code: 'invalid_value' },
    );
  };
}

/** Audio stands in older API descriptions only; models that hear take it all the same. */
const userContent = contentOf('input_text', 'input_image', 'input_file', 'input_audio');
const outputContent = contentOf('input_text', 'input_image', 'input_file');

/** `EasyInputMessage`, `InputMessage`, `OutputMessage`: what the messages of each role hold. */
function messageShape(role: string, answers: ObjectShape['optional']): ObjectShape | undefined {
  switch (role) {
    case 'user':
    case 'system':
    case 'developer':
      return {
        required: { role: type, content: userContent },
        optional: { type, id: id('msg'), ...answers },
      };
    case 'assistant':
      return {
        required: { role: type, content: contentOf('output_text', 'refusal') },
        optional: {
          type,
          id: id('msg'),
          phase: nullable(oneOf('commentary', 'final_answer')),
          ...answers,
        },
      };
    default:
      return undefined;
  }
}

/** `FunctionToolCall`, `FunctionCallOutputItemParam`, `ReasoningItem`, `ItemReferenceParam`. */
function itemShapes(answers: ObjectShape['optional']): Readonly<Record<string, ObjectShape>> {
  return {
    function_call: {
      required: { type, call_id: callId, name, arguments: string() },
      optional: { id: id('fc'), ...answers },
    },
    function_call_output: {
      required: { type, call_id: callId, output: outputContent },
      optional: { id: nullable(id('fc')), ...answers },
    },
    reasoning: {
      // Without a summary: https://github.com/newo-ether/Agora/issues/141. With `status`, which no
      // request may have here: https://github.com/openai/openai-agents-python/issues/1911.
      required: { type, summary: textsOf('summary_text') },
      optional: {
        id: id('rs'),
        content: textsOf('reasoning_text'),
        encrypted_content: nullable(string()),
      },
    },
    item_reference: { required: { type, id: string() } },
  };
}

function textsOf(kind: string): Check {
  return (value, path) => {
    for (const [index, item] of expectArray(value, path).entries()) {
      checkMembers(expectObject(item, `${path}[${index}]`), `${path}[${index}]`, {
        required: { type: oneOf(kind), text: string() },
      });
    }
  };
}

/**
 * Checks the items of an `input` or of a conversation, each for itself.
 * @throws WireRefusal as the service would refuse it.
 */
export function checkItems(value: unknown, path: string, rules: ItemRules): void {
  const answers = rules.outputMembers ? { status } : {};
  const shapes = itemShapes(answers);
  for (const [index, entry] of expectArray(value, path).entries()) {
    const at = `${path}[${index}]`;
    if (typeof entry !== 'object' || entry === null) throw invalidType(at, 'an input item', entry);
    const item = expectObject(entry, at);
    const kind = item['type'] ?? 'message';
    if (kind === 'message') {
      checkMessage(item, at, answers);
      if (!rules.outputMembers) refuseLogprobs(item, at);
      continue;
    }
    const names = ['message', ...Object.keys(shapes)].filter(
      (known) => rules.references || known !== 'item_reference',
    );
    const shape = names.includes(String(kind)) ? shapes[String(kind)] : undefined;
    if (shape === undefined) throw unsupportedValue(at, String(kind), names);
    checkMembers(item, at, shape);
  }
}

function checkMessage(
  item: Readonly<Record<string, unknown>>,
  path: string,
  answers: ObjectShape['optional'],
): void {
  const role = item['role'] === undefined ? '' : expectString(item['role'], `${path}.role`);
  const shape = messageShape(role, answers);
  if (shape === undefined) {
    throw unsupportedValue(path, role, ['assistant', 'system', 'developer', 'user']);
  }
  checkMembers(item, path, shape);
}

/** `logprobs` are of answers only, and a conversation takes them as little as `status`. */
function refuseLogprobs(item: Readonly<Record<string, unknown>>, path: string): void {
  const { content } = item;
  if (!Array.isArray(content)) return;
  for (const [index, part] of content.entries()) {
    if (typeof part !== 'object' || part === null || !('logprobs' in part)) continue;
    const param = `${path}.content[${index}].logprobs`;
    throw new WireRefusal(`Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' });
  }
}

import { base64, fileData, imageUrl } from '../chat-completions/check-content.js';
import {
  type Check,
  checkMembers,
  expectArray,
  expectObject,
  expectString,
  nullable,
  object,
  oneOf,
  string,
} from '../checks.js';
import { invalidType, missingParameter, unsupportedValue } from '../wire-refusal.js';

const type: Check = string();

/** `InputContent`, `OutputTextContent`, `RefusalContent`: what each type of content part holds. */
const parts: Readonly<Record<string, Check>> = {
  input_text: partOf({ text: string() }),
  input_image: (value, path) => {
    const part = expectObject(value, path);
    checkMembers(part, path, {
      required: { type },
      optional: {
        image_url: nullable(imageUrl),
        file_id: nullable(string()),
        detail: oneOf('auto', 'low', 'high', 'original'),
        prompt_cache_breakpoint: object,
      },
    });
    if (part['image_url'] === undefined && part['file_id'] === undefined) {
      throw missingParameter(`${path}.image_url`);
    }
  },
  input_file: (value, path) => {
    const part = expectObject(value, path);
    checkMembers(part, path, {
      required: { type },
      optional: {
        file_data: fileData,
        file_id: nullable(string()),
        file_url: string(),
        filename: string(),
        detail: oneOf('auto', 'low', 'high'),
        prompt_cache_breakpoint: object,
      },
    });
    const sources = ['file_data', 'file_id', 'file_url'];
    if (sources.every((source) => part[source] === undefined)) {
      throw missingParameter(`${path}.file_id`);
    }
  },
  input_audio: partOf({
    input_audio: (value, path) => {
      checkMembers(expectObject(value, path), path, {
        required: { data: base64, format: oneOf('mp3', 'wav') },
      });
    },
  }),
  output_text: partOf({ text: string() }, { annotations: expectArray, logprobs: expectArray }),
  refusal: partOf({ refusal: string() }),
};

/** Every type of content part there is, as the service lists them to those who name another. */
const known = [...Object.keys(parts), 'computer_screenshot', 'summary_text', 'encrypted_content'];

function partOf(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check {
  return (value, path) => {
    checkMembers(expectObject(value, path), path, {
      required: { type, ...required },
      optional: { ...optional, prompt_cache_breakpoint: object },
    });
  };
}

/**
 * `content` of a message or an output: a string, or an array of parts of the given types. A type that is
 * known and belongs elsewhere is refused in the words of https://github.com/jeremychone/rust-genai/pull/119.
 */
export function contentOf(...types: readonly string[]): Check {
  return (value, path) => {
    if (typeof value === 'string') return;
    if (!Array.isArray(value)) {
      throw invalidType(path, 'one of a string or array of objects', value);
    }
    for (const [index, item] of expectArray(value, path).entries()) {
      checkPart(item, `${path}[${index}]`, types);
    }
  };
}

function checkPart(value: unknown, path: string, types: readonly string[]): void {
  const part = expectObject(value, path);
  if (part['type'] === undefined) throw missingParameter(`${path}.type`);
  const name = expectString(part['type'], `${path}.type`);
  if (!known.includes(name)) throw unsupportedValue(`${path}.type`, name, known);
  if (!types.includes(name)) throw unsupportedValue(path, name, types);
  parts[name]?.(part, path);
}

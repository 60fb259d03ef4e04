import {
  type Check,
  checkMembers,
  expectArray,
  expectObject,
  expectString,
  object,
  oneOf,
  string,
} from '../checks.js';
import { isBase64, parseDataUrl } from '../data-url.js';
import { invalidType, missingParameter, unsupportedValue, WireRefusal } from '../wire-refusal.js';

/** `ChatCompletionRequestMessageContentPart*`: what each type of content part holds. */
const parts: Readonly<Record<string, Check>> = {
  text: partOf('text', string()),
  refusal: partOf('refusal', string()),
  image_url: partOf('image_url', (value, path) => {
    checkMembers(expectObject(value, path), path, {
      required: { url: imageUrl },
      optional: { detail: oneOf('auto', 'low', 'high', 'original') },
    });
  }),
  input_audio: partOf('input_audio', (value, path) => {
    checkMembers(expectObject(value, path), path, {
      required: { data: base64, format: oneOf('wav', 'mp3') },
    });
  }),
  file: partOf('file', (value, path) => {
    const file = expectObject(value, path);
    checkMembers(file, path, {
      optional: { file_data: fileData, file_id: string(), filename: string() },
    });
    if (file['file_data'] === undefined && file['file_id'] === undefined) {
      throw missingParameter(`${path}.file_id`);
    }
  }),
};

/**
 * Members of an answered message that OpenAI Agents JS sends back within the parts of its text
 * (`extractAllAssistantContent` of 0.20), so that the service must let them pass.
 */
const answered: Readonly<Record<string, Check>> = {
  role: oneOf('assistant'),
  refusal: () => {},
  annotations: expectArray,
};

/** The parts of what an assistant has said. */
const assistantParts: Readonly<Record<string, Check>> = {
  text: partOf('text', string(), answered),
  refusal: partOf('refusal', string(), answered),
};

function partOf(name: string, check: Check, optional: Readonly<Record<string, Check>> = {}): Check {
  return (value, path) => {
    checkMembers(expectObject(value, path), path, {
      required: { type: string(), [name]: check },
      optional: { ...optional, prompt_cache_breakpoint: object },
    });
  };
}

/**
 * `content` of a message: a string, or an array of parts of the given types. An empty array is taken
 * (https://github.com/openai/openai-python/issues/1812).
 */
export function contentOf(...types: readonly string[]): Check {
  return (value, path) => {
    if (typeof value === 'string') return;
    if (value === null) {
      // https://github.com/langchain-ai/langchainjs/issues/4153
      throw new WireRefusal("Invalid value for 'content': expected a string, got null.", {
        param: path.replace('messages[', 'messages.['),
      });
    }
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
  // https://github.com/neuron-core/neuron-ai/issues/292
  if (part['type'] === undefined) throw missingParameter(`${path}.type`);
  const type = expectString(part['type'], `${path}.type`);
  if (!types.includes(type)) throw unsupportedValue(`${path}.type`, type, types);
  // Only an assistant refuses.
  const table = types.includes('refusal') ? assistantParts : parts;
  table[type]?.(part, path);
}

/** Wording as seen in https://github.com/Alibaba-NLP/OmniSearch/issues/3. */
export function imageUrl(value: unknown, path: string): void {
  const url = expectString(value, path);
  if (/^https?:\/\/./.test(url)) return;
  if (!url.startsWith('data:')) {
    throw dataUrlRefusal('image URL', path, 'image', "a value without the 'data:' prefix");
  }
  checkDataUrl(url, path, 'image URL', 'image', /^image\/(png|jpe?g|gif|webp)$/);
}

/** Wording as seen in https://github.com/vercel/ai/issues/7266. */
export function fileData(value: unknown, path: string): void {
  checkDataUrl(expectString(value, path), path, 'file data', 'application/pdf', /./);
}

function checkDataUrl(
  url: string,
  path: string,
  what: string,
  wanted: string,
  mediaType: RegExp,
): void {
  const parsed = parseDataUrl(url);
  if (parsed === undefined) {
    throw dataUrlRefusal(what, path, wanted, 'an invalid base64-encoded value');
  }
  if (!mediaType.test(parsed.mediaType)) {
    throw dataUrlRefusal(what, path, wanted, `unsupported MIME type '${parsed.mediaType}'`);
  }
  if (parsed.data === '') throw dataUrlRefusal(what, path, wanted, 'empty base64-encoded bytes');
  if (!isBase64(parsed.data)) {
    throw dataUrlRefusal(what, path, wanted, 'an invalid base64-encoded value');
  }
}

function dataUrlRefusal(what: string, path: string, wanted: string, got: string): WireRefusal {
  const example =
    wanted === 'image'
      ? 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='
      : 'data:application/pdf;base64,SGVsbG8sIFdvcmxkIQ==';
  return new WireRefusal(
    `Invalid ${what}: '${path}'. Expected a base64-encoded data URL with an ${wanted} MIME type (e.g. '${example}'), but got ${got}.`,
    { param: path, code: 'invalid_value' },
  );
}

/** Base64 of at least one byte. */
export function base64(value: unknown, path: string): void {
  if (!isBase64(expectString(value, path))) {
    throw new WireRefusal(`Invalid '${path}': expected base64-encoded bytes.`, {
      param: path,
      code: 'invalid_value',
    });
  }
}

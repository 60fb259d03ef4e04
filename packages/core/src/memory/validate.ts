import { byteLength, memoryLimits } from './limits.js';
import { invalidParameter } from './memory-error.js';

/** A store id: 3 to 56 characters, a letter first, a letter or digit last. */
const storeIdPattern = /^[a-z][a-z0-9-]{1,54}[a-z0-9]$/;
const controlCharacter = /\p{Cc}/u;
const controlOrFormatCharacter = /[\p{Cc}\p{Cf}]/u;

/** @throws MemoryError unless `value` is a store id. */
export function checkStoreId(value: unknown, field = 'managed_memory_store_id'): string {
  if (typeof value !== 'string' || !storeIdPattern.test(value)) {
    throw invalidParameter(
      field,
      'must be 3 to 56 characters of a-z, 0-9 and "-", beginning with a letter and ending with a letter or digit.',
    );
  }
  return value;
}

/** @throws MemoryError unless `value` can be an `actor_id` or `session_id`. */
export function checkIdentifier(value: unknown, field: string): string {
  const text = checkText(value, field, memoryLimits.identifier);
  if (text === '') throw invalidParameter(field, 'must not be empty.');
  if (controlCharacter.test(text)) {
    throw invalidParameter(field, 'must not hold control characters.');
  }
  return text;
}

/**
 * @returns The path in Unicode's composed form (NFC), so that both spellings of an accent name one entry.
 * @throws MemoryError unless `value` is an absolute path without empty, `.` or `..` segments.
 */
export function checkPath(value: unknown, field = 'path'): string {
  const path = checkPathCharacters(value, field);
  const segments = path.slice(1).split('/');
  if (segments.includes('')) {
    throw invalidParameter(field, 'must not hold an empty segment, nor end in "/".');
  }
  if (segments.includes('.') || segments.includes('..')) {
    throw invalidParameter(field, 'must not hold "." or ".." as a segment.');
  }
  return path;
}

/** @throws MemoryError unless `value` can begin a path. `%`, `_` and `*` are ordinary characters. */
export function checkPathPrefix(value: unknown, field = 'path_prefix'): string {
  return checkPathCharacters(value, field);
}

function checkPathCharacters(value: unknown, field: string): string {
  const path = checkText(value, field, memoryLimits.path).normalize('NFC');
  if (byteLength(path) > memoryLimits.path) throw tooLong(field, memoryLimits.path);
  if (!path.startsWith('/')) throw invalidParameter(field, 'must begin with "/".');
  if (path.includes('\\')) throw invalidParameter(field, 'must not hold a backslash.');
  if (controlOrFormatCharacter.test(path)) {
    throw invalidParameter(field, 'must not hold control or format characters.');
  }
  return path;
}

/** @throws MemoryError unless `value` can be the content of an entry. */
export function checkContent(value: unknown, field = 'content'): string {
  return checkText(value, field, memoryLimits.content);
}

/** @throws MemoryError unless `value` can be a description. */
export function checkDescription(value: unknown, field = 'description'): string {
  return checkText(value, field, memoryLimits.description);
}

/** @throws MemoryError unless `value` is a query with something in it. */
export function checkQuery(value: unknown, field = 'query'): string {
  const query = checkText(value, field, memoryLimits.query);
  // Format characters (the zero-width space among them) show nothing either.
  if (query.replace(/[\s\p{Cf}\p{Cc}]/gu, '') === '') {
    throw invalidParameter(field, 'must not be blank.');
  }
  return query;
}

/** @throws MemoryError unless `value` is a whole number of results that a page may have. */
export function checkPageSize(value: unknown, fallback: number, field = 'page_size'): number {
  if (value === undefined) return fallback;
  if (
    typeof value !== 'number' ||
    !Number.isInteger(value) ||
    value < 1 ||
    value > memoryLimits.pageSize
  ) {
    throw invalidParameter(field, `must be a whole number from 1 to ${memoryLimits.pageSize}.`);
  }
  return value;
}

/** @throws MemoryError unless `value` is a map of strings within the limits. */
export function checkMetadata(
  value: unknown,
  field = 'metadata',
): Readonly<Record<string, string>> {
  if (!isPlainObject(value)) {
    throw invalidParameter(field, 'must be an object whose values are strings.');
  }
  const pairs = Object.entries(value);
  if (pairs.length > memoryLimits.metadataPairs) {
    throw invalidParameter(field, `must not hold more than ${memoryLimits.metadataPairs} pairs.`, {
      tooLarge: true,
    });
  }
  return Object.fromEntries(
    pairs.map(([key, text]) => [
      checkText(key, `a key of ${field}`, memoryLimits.metadataKey),
      checkText(text, `${field}.${key}`, memoryLimits.metadataValue),
    ]),
  );
}

/** Others, such as a Map, may have no members of their own, and would be taken for empty. */
function isPlainObject(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function checkText(value: unknown, field: string, limit: number): string {
  if (typeof value !== 'string') throw invalidParameter(field, 'must be a string.');
  // A UTF-16 unit is at least one byte, so the cheap test spares encoding what is far too long.
  if (value.length > limit || byteLength(value) > limit) throw tooLong(field, limit);
  if (!value.isWellFormed()) {
    throw invalidParameter(field, 'must not hold lone surrogates (half of a UTF-16 pair).');
  }
  return value;
}

function tooLong(field: string, limit: number): Error {
  return invalidParameter(field, `must not be longer than ${limit} bytes of UTF-8.`, {
    tooLarge: true,
  });
}

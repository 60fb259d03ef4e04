import { InvalidInputError } from './errors.js';
import type { HistoryKey } from './history-backend.js';

/** The longest `sessionId`, `sourceId` or `actorId`, in bytes of UTF-8; the same as in the memory API. */
export const maximumKeyPartBytes = 256;

const encoder = new TextEncoder();

/** Who refuses an id, and on what occasion. */
export interface IdCheckOptions {
  /** The package that the error names. */
  readonly packageName: string;
  /** The session that the error names. */
  readonly sessionId?: string;
  /** The longest id, in bytes of UTF-8. Default {@link maximumKeyPartBytes}. */
  readonly maximumBytes?: number;
}

/**
 * Checks that every store can keep `value` as an id and tell it from every other.
 *
 * @throws InvalidInputError naming `field`, when `value` is no string, is empty, is too long, or holds
 * U+0000 or half of a surrogate pair (stores cut at the one and merge ids at the other).
 */
export function checkId(
  value: unknown,
  field: string,
  options: IdCheckOptions,
): asserts value is string {
  const problem = idProblem(value, options.maximumBytes ?? maximumKeyPartBytes);
  if (problem !== undefined)
    throw new InvalidInputError(`${field} ${problem}.`, { ...options, field });
}

/**
 * Checks the parts of a key. Backends call it first, in every method that takes one.
 *
 * @throws InvalidInputError naming the part, as {@link checkId} does.
 */
export function checkHistoryKey(key: HistoryKey, options: IdCheckOptions): void {
  checkId(key.sessionId, 'sessionId', options);
  checkId(key.sourceId, 'sourceId', options);
  if (key.actorId !== undefined) checkId(key.actorId, 'actorId', options);
}

/**
 * One string for a history, for stores whose keys are strings: no two histories share one.
 *
 * Both parts are written out, joined by `:`. What could be read as that joint, as a pattern or as a
 * Redis hash tag (`: % { } * ? [ ] \`, spaces and control characters) becomes `%` and two hexadecimal
 * digits. The actor is no part of it.
 *
 * @throws InvalidInputError as {@link checkHistoryKey} does.
 */
export function encodeHistoryKey(key: HistoryKey, options: IdCheckOptions): string {
  checkHistoryKey(key, options);
  return `${escapePart(key.sourceId)}:${escapePart(key.sessionId)}`;
}

function escapePart(part: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a key.
  return part.replace(/[\x01-\x20\x7f%:{}*?[\]\\]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}

/** The first reason why `value` cannot be an id of at most `maximumBytes`, or `undefined`. */
export function idProblem(value: unknown, maximumBytes: number): string | undefined {
  if (typeof value !== 'string')
    return `is ${value === null ? 'null' : typeof value}; give it a string`;
  if (value === '') return 'is empty; give it at least one character';
  if (!value.isWellFormed()) {
    return 'holds half of a surrogate pair (text that is not valid Unicode); remove it';
  }
  if (value.includes('\0')) return 'holds the character U+0000; remove it';
  // A UTF-16 unit takes at most 3 bytes of UTF-8.
  if (value.length * 3 <= maximumBytes) return undefined;
  const bytes = encoder.encode(value).byteLength;
  return bytes > maximumBytes
    ? `is ${bytes} bytes long as UTF-8; shorten it to at most ${maximumBytes}`
    : undefined;
}

import { InvalidInputError } from './errors.js';

/** A value that JSON can carry without loss. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;
/** An array of JSON values. */
export type JsonArray = readonly JsonValue[];
/** An object of JSON values. `undefined` members are treated as absent. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** The deepest nesting that {@link toJsonValue} follows; deeper values are refused. */
const maximumJsonDepth = 512;

/**
 * Copies `value` as plain JSON, so that the result shares nothing with the caller's object.
 *
 * Objects with a `toJSON` method (dates, for one) are converted by it. `-0` becomes `0`.
 * Members that are `undefined` are left out. `__proto__` is a key like any other.
 *
 * @param at - The name of the value, with which a path in an error begins.
 * @throws InvalidInputError for `NaN`, infinities, `bigint`, functions, symbols, cycles, and
 * `undefined` inside an array, with the path to the value.
 */
export function toJsonValue(value: unknown, at = 'value'): JsonValue {
  return copy(value, at, new Set(), 0);
}

function copy(value: unknown, at: string, ancestors: Set<object>, depth: number): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw refused(at, String(value));
      return value === 0 ? 0 : value;
    case 'object':
      return value === null ? null : copyObject(value, at, ancestors, depth);
    default:
      throw refused(at, typeof value);
  }
}

function copyObject(value: object, at: string, ancestors: Set<object>, depth: number): JsonValue {
  if (ancestors.has(value)) throw refused(at, 'a cycle');
  if (depth >= maximumJsonDepth) throw refused(at, `nested deeper than ${maximumJsonDepth} levels`);
  ancestors.add(value);
  try {
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      return copy(value.toJSON(), at, ancestors, depth + 1);
    }
    if (Array.isArray(value)) {
      return Array.from(value, (item, index) =>
        copy(item, `${at}[${index}]`, ancestors, depth + 1),
      );
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) {
      throw refused(at, `an instance of ${value.constructor?.name ?? 'a class'}`);
    }
    const entries: [string, JsonValue][] = [];
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      entries.push([key, copy(member, `${at}.${key}`, ancestors, depth + 1)]);
    }
    return Object.fromEntries(entries);
  } finally {
    ancestors.delete(value);
  }
}

function refused(at: string, what: string): InvalidInputError {
  return new InvalidInputError(
    `${at} is ${what}, which JSON cannot carry. Convert it to a string, number, boolean, null, array or plain object first.`,
    { packageName: '@minne/core', field: at },
  );
}

/** Whether `value` is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

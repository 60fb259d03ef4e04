import {
  emptyArray,
  invalidType,
  missingParameter,
  patternMismatch,
  stringTooLong,
  unknownParameter,
  unsupportedValue,
  WireRefusal,
} from './wire-refusal.js';

/** A parsed JSON object whose members are still to be checked. */
export type UncheckedObject = Readonly<Record<string, unknown>>;

/**
 * Looks at one value of a request.
 * @throws WireRefusal, with the path, when the service would not take it.
 */
export type Check = (value: unknown, path: string) => void;

/** Whether `value` is a JSON object. */
export function isObject(value: unknown): value is UncheckedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object. */
export function expectObject(value: unknown, path: string): UncheckedObject {
  if (!isObject(value)) throw invalidType(path, 'an object', value);
  return value;
}

/** The value as an array. */
export function expectArray(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidType(path, 'an array', value);
  return value;
}

/** The value as a string. */
export function expectString(value: unknown, path: string): string {
  if (typeof value !== 'string') throw invalidType(path, 'a string', value);
  return value;
}

/** A string, optionally of a pattern and a greatest length in characters. */
export function string(options: { readonly pattern?: RegExp; readonly maximum?: number } = {}) {
  return (value: unknown, path: string): void => {
    const text = expectString(value, path);
    if (options.maximum !== undefined && text.length > options.maximum) {
      throw stringTooLong(path, options.maximum, text.length);
    }
    if (options.pattern !== undefined && !options.pattern.test(text)) {
      throw patternMismatch(path, options.pattern);
    }
  };
}

/** One of a closed list of strings. */
export function oneOf(...values: readonly string[]): Check {
  return (value, path) => {
    const text = expectString(value, path);
    if (!values.includes(text)) throw unsupportedValue(path, text, values);
  };
}

export const boolean: Check = (value, path) => {
  if (typeof value !== 'boolean') throw invalidType(path, 'a boolean', value);
};

export const object: Check = (value, path) => {
  expectObject(value, path);
};

/** A number within bounds, both included. */
export function number(minimum: number, maximum: number): Check {
  return (value, path) => {
    if (typeof value !== 'number') throw invalidType(path, 'a number', value);
    checkBounds('decimal', value, path, minimum, maximum);
  };
}

/** A whole number within bounds, both included. */
export function integer(minimum = -Infinity, maximum = Infinity): Check {
  return (value, path) => {
    if (!Number.isInteger(value)) throw invalidType(path, 'an integer', value);
    checkBounds('integer', Number(value), path, minimum, maximum);
  };
}

function checkBounds(
  kind: string,
  value: number,
  path: string,
  minimum: number,
  maximum: number,
): void {
  if (value >= minimum && value <= maximum) return;
  const below = value < minimum;
  const side = below ? 'below minimum' : 'above maximum';
  const bound = below ? `>= ${minimum}` : `<= ${maximum}`;
  throw new WireRefusal(
    `Invalid '${path}': ${kind} ${side} value. Expected a value ${bound}, but got ${value} instead.`,
    { param: path, code: `${kind}_${below ? 'below_min' : 'above_max'}_value` },
  );
}

/** An array of at least one and at most `maximum` values. */
export function listOf(check: Check, maximum = Infinity): Check {
  return (value, path) => {
    const items = expectArray(value, path);
    if (items.length === 0) throw emptyArray(path);
    if (items.length > maximum) {
      throw new WireRefusal(
        `Invalid '${path}': array too long. Expected an array with maximum length ${maximum}, but got an array with length ${items.length} instead.`,
        { param: path, code: 'array_above_max_length' },
      );
    }
    for (const [index, item] of items.entries()) check(item, `${path}[${index}]`);
  };
}

/** A string of one kind, or an array of at most `maximum` of them. */
export function oneOrList(check: Check, maximum: number): Check {
  const list = listOf(check, maximum);
  return (value, path) => (Array.isArray(value) ? list : check)(value, path);
}

/** The same check, where null stands for "not given". */
export function nullable(check: Check): Check {
  return (value, path) => {
    if (value !== null) check(value, path);
  };
}

/** What an object may hold. A member named in `required` must be there; others may be missing. */
export interface ObjectShape {
  readonly required?: Readonly<Record<string, Check>>;
  readonly optional?: Readonly<Record<string, Check>>;
}

/** Checks each member of an object and refuses those that the shape does not name. */
export function checkMembers(value: UncheckedObject, path: string, shape: ObjectShape): void {
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  for (const name of Object.keys(shape.required ?? {})) {
    if (!Object.hasOwn(value, name)) throw missingParameter(at(name));
  }
  const checks = new Map([
    ...Object.entries(shape.required ?? {}),
    ...Object.entries(shape.optional ?? {}),
  ]);
  for (const [name, member] of Object.entries(value)) {
    const check = checks.get(name);
    if (check === undefined) throw unknownParameter(at(name));
    check(member, at(name));
  }
}

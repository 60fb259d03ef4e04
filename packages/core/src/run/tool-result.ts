import { InvalidInputError } from '../errors.js';
import { type JsonValue, toJsonValue } from '../json.js';

/** The deepest nesting of a result: what may stand in a message, and comes back from every store. */
const maximumResultDepth = 256;

/**
 * What a tool returned, as JSON. Besides what {@link toJsonValue} takes: `undefined` becomes null,
 * a `bigint` and a number that is not finite their decimal text, a `Map` an array of pairs, a `Set` an
 * array, an `Error` its name and message, bytes an array of numbers.
 * @throws InvalidInputError with the path, for functions, symbols, cycles and other instances, and for
 * what is nested deeper than 256 levels.
 */
export function jsonOfToolResult(value: unknown, name: string): JsonValue {
  const at = `the result of ${name}`;
  const ancestors = new Set<object>();

  const soften = (given: unknown): unknown => {
    if (given === undefined) return null;
    if (typeof given === 'bigint') return given.toString();
    if (typeof given === 'number') return Number.isFinite(given) ? given : String(given);
    if (typeof given !== 'object' || given === null) return given;
    // A cycle is left as it is, for `toJsonValue` to refuse with its path.
    if (ancestors.has(given)) return given;
    if (ancestors.size >= maximumResultDepth) {
      throw new InvalidInputError(
        `${at} is nested deeper than ${maximumResultDepth} levels. Flatten it.`,
        { packageName: '@minne/core', field: name },
      );
    }
    ancestors.add(given);
    const softened = softenObject(given);
    ancestors.delete(given);
    return softened;
  };

  const softenObject = (given: object): unknown => {
    if ('toJSON' in given && typeof given.toJSON === 'function') return soften(given.toJSON());
    if (given instanceof Error) return { name: given.name, message: given.message };
    if (given instanceof Map) return Array.from(given, (pair) => pair.map(soften));
    if (given instanceof Set || Array.isArray(given)) return Array.from(given, soften);
    if (given instanceof Uint8Array) return Array.from(given);
    const prototype: unknown = Object.getPrototypeOf(given);
    if (prototype !== null && prototype !== Object.prototype) return given;
    return Object.fromEntries(
      Object.entries(given)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => [key, soften(member)]),
    );
  };

  return toJsonValue(soften(value), at);
}

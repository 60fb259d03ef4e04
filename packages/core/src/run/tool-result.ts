import { type JsonValue, toJsonValue } from '../json.js';

/**
 * What a tool returned, as JSON. Besides what {@link toJsonValue} takes: `undefined` becomes null,
 * a `bigint` and a number that is not finite their decimal text, a `Map` an array of pairs, a `Set` an
 * array, an `Error` its name and message, bytes an array of numbers.
 * @throws InvalidInputError with the path, for functions, symbols, cycles and other instances.
 */
export function jsonOfToolResult(value: unknown, name: string): JsonValue {
  return toJsonValue(soften(value, new Set()), `the result of ${name}`);
}

function soften(value: unknown, ancestors: ReadonlySet<object>): unknown {
  if (value === undefined) return null;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object' || value === null) return value;
  // A cycle is left as it is, for `toJsonValue` to refuse with its path.
  if (ancestors.has(value)) return value;
  const within = new Set(ancestors).add(value);
  const inner = (member: unknown): unknown => soften(member, within);
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Map) return [...value].map((pair) => pair.map(inner));
  if (value instanceof Set) return [...value].map(inner);
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(inner);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, inner(member)]),
  );
}

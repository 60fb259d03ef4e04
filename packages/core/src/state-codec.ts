import { ConfigurationError, InvalidInputError } from './errors.js';
import { isJsonObject, type JsonValue, toJsonValue } from './json.js';

/** Lets values of an application's own type live in session state. Make one with {@link defineStateCodec}. */
export interface StateCodec {
  /** Names the type in what is written. */
  readonly tag: string;
  is(value: unknown): boolean;
  encode(value: unknown): JsonValue;
  decode(json: JsonValue): unknown;
}

/** What a codec is made of. */
export interface StateCodecOptions<Value> {
  /** Names the type in what is written. Never change it, and never give it to another type. */
  readonly tag: string;
  /** Whether a value is of this type. */
  is(value: unknown): value is Value;
  /** The value as JSON. */
  encode(value: Value): JsonValue;
  /** The value again. Throws when the JSON is not what `encode` gives. */
  decode(json: JsonValue): Value;
}

/** Makes a codec. @throws ConfigurationError when the tag is empty. */
export function defineStateCodec<Value>(options: StateCodecOptions<Value>): StateCodec {
  if (options.tag === '') {
    throw new ConfigurationError('A state codec needs a tag that is not empty.', {
      packageName: '@minne/core',
      field: 'tag',
    });
  }
  return {
    tag: options.tag,
    is: (value) => options.is(value),
    // Only values for which `is` holds come here.
    encode: (value) => options.encode(value as Value),
    decode: (json) => options.decode(json),
  };
}

/**
 * The member that marks an encoded value: `{ "$minne": [tag, json] }`. A plain object that happens to
 * have the member is written with the empty tag, so that it comes back as it was.
 */
const mark = '$minne';

/** The deepest nesting of session state; within what can be read again, whatever codecs add. */
const maximumStateDepth = 256;

/**
 * State as JSON.
 * @throws InvalidInputError with the path to a value that neither JSON nor a codec can carry.
 */
export function encodeState(value: unknown, codecs: readonly StateCodec[], at: string): JsonValue {
  return encode(value, codecs, at, new Set());
}

function encode(
  value: unknown,
  codecs: readonly StateCodec[],
  at: string,
  ancestors: ReadonlySet<object>,
): JsonValue {
  const codec = codecs.find((candidate) => candidate.is(value));
  if (codec !== undefined) return { [mark]: [codec.tag, toJsonValue(codec.encode(value), at)] };
  if (ancestors.size > maximumStateDepth) {
    throw new InvalidInputError(`${at} is nested deeper than ${maximumStateDepth} levels.`, {
      packageName: '@minne/core',
      field: at,
    });
  }
  // Leaves, cycles and instances: copied or refused there, with the path.
  if (!isContainer(value) || ancestors.has(value)) return toJsonValue(value, at);
  const within = new Set(ancestors).add(value);
  if (Array.isArray(value)) {
    return Array.from(value, (item, index) => encode(item, codecs, `${at}[${index}]`, within));
  }
  const copy = Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, encode(member, codecs, `${at}.${key}`, within)]),
  );
  return Object.hasOwn(copy, mark) ? { [mark]: ['', copy] } : copy;
}

function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype;
}

/**
 * What {@link encodeState} wrote.
 * @throws InvalidInputError with the path to a value whose codec is missing or refuses it.
 */
export function decodeState(json: JsonValue, codecs: readonly StateCodec[], at: string): unknown {
  if (Array.isArray(json)) {
    return json.map((item, index) => decodeState(item, codecs, `${at}[${index}]`));
  }
  if (!isJsonObject(json)) return json;
  const marked = Object.hasOwn(json, mark) ? json[mark] : undefined;
  if (!Array.isArray(marked)) return decodeMembers(json, codecs, at);
  const [tag, inner] = marked;
  if (tag === '' && isJsonObject(inner)) return decodeMembers(inner, codecs, at);
  const codec = codecs.find((candidate) => candidate.tag === tag);
  if (codec === undefined || inner === undefined) {
    throw new InvalidInputError(
      `${at} was written by a codec with the tag ${JSON.stringify(tag)}. Give the agent that codec.`,
      { packageName: '@minne/core', field: at },
    );
  }
  try {
    return codec.decode(inner);
  } catch (cause) {
    throw new InvalidInputError(`${at} is not what the codec ${codec.tag} writes.`, {
      packageName: '@minne/core',
      field: at,
      cause,
    });
  }
}

function decodeMembers(
  members: Readonly<Record<string, JsonValue | undefined>>,
  codecs: readonly StateCodec[],
  at: string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([key, member]) => [
      key,
      decodeState(member ?? null, codecs, `${at}.${key}`),
    ]),
  );
}

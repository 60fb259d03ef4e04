/** Tells the time. Injected so that tests and replays can hold it still. */
export type Clock = () => Date;

/** Makes identifiers that are unique for ever. Injected so that tests can foresee them. */
export type IdGenerator = () => string;

/** The time of this machine. */
export const systemClock: Clock = () => new Date();

/** RFC 3339 in UTC with milliseconds, such as `2026-05-01T10:00:00.000Z`. */
export function timestamp(clock: Clock): string {
  return clock().toISOString();
}

/** A day, with or without a time, with or without a zone. */
const timePattern = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/i;

/**
 * The same instant as {@link timestamp} writes it, or `undefined` when `text` is no such time. What
 * names no zone is read as UTC.
 */
export function utcTimestamp(text: string): string | undefined {
  const match = timePattern.exec(text);
  if (match === null) return undefined;
  const zoned = match[1] !== undefined || text.length === 10;
  const time = new Date(zoned ? text : `${text}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Random bytes are drawn for many ids at once: a draw costs more than an id. */
const pool = new Uint8Array(10 * 100);
let used = pool.length;

const hexadecimal = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

let lastMillisecond = 0;
let counter = 0;

/**
 * A UUID of version 7 (RFC 9562): sorts by the time it was made, and within one process strictly by
 * the order in which it was made (the 12 bits after the time count up).
 */
export const uuidv7: IdGenerator = () => {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const at = used;
  used += 10;
  const now = Date.now();
  if (now > lastMillisecond) {
    lastMillisecond = now;
    // Start low, so that the count has room before it must borrow from the next millisecond.
    counter = ((pool[at] ?? 0) << 2) & 0x3ff;
  } else if (++counter > 0xfff) {
    lastMillisecond += 1;
    counter = 0;
  }
  const time = lastMillisecond.toString(16).padStart(12, '0');
  const count = (0x7000 | counter).toString(16);
  const variant = hexadecimal[0x80 | ((pool[at + 1] ?? 0) & 0x3f)];
  let node = '';
  for (let index = at + 3; index < at + 9; index += 1) node += hexadecimal[pool[index] ?? 0];
  return `${time.slice(0, 8)}-${time.slice(8)}-${count}-${variant}${hexadecimal[pool[at + 2] ?? 0]}-${node}`;
};

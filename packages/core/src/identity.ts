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

let lastMillisecond = 0;
let counter = 0;

/**
 * A UUID of version 7 (RFC 9562): sorts by the time it was made, and within one process strictly by
 * the order in which it was made (the 12 bits after the time count up).
 */
export const uuidv7: IdGenerator = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const now = Date.now();
  if (now > lastMillisecond) {
    lastMillisecond = now;
    // Start low, so that the count has room before it must borrow from the next millisecond.
    counter = ((bytes[6] ?? 0) << 2) & 0x3ff;
  } else if (++counter > 0xfff) {
    lastMillisecond += 1;
    counter = 0;
  }
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(lastMillisecond / 0x1_0000_0000));
  view.setUint32(2, lastMillisecond % 0x1_0000_0000);
  view.setUint16(6, 0x7000 | counter);
  view.setUint8(8, 0x80 | ((bytes[8] ?? 0) & 0x3f));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

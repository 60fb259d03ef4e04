/**
 * `text` of PostgreSQL holds every character but U+0000. It is written as U+0001 and `0`, and U+0001 itself
 * as U+0001 and `1`: exact for every string. JSON holds neither, so messages are stored as they are.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is written in another way.
const special = /[\0\x01]/g;

/** A payload as it is stored. */
export function toStoredText(payload: string): string {
  return payload.replace(special, (character) => (character === '\0' ? '\x010' : '\x011'));
}

/** The payload that {@link toStoredText} was given. */
export function fromStoredText(stored: string): string {
  if (!stored.includes('\x01')) return stored;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: see above.
  return stored.replace(/\x01([01])/g, (_, digit) => (digit === '0' ? '\0' : '\x01'));
}

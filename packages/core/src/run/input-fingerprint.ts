import { isJsonObject } from '../json.js';
import type { ChatMessage } from '../message.js';

/**
 * A short text that tells inputs apart by role and contents; ids, times and metadata do not count, nor does
 * the order of members. It tells mistakes from repetitions, and is no protection against forgery.
 */
export function fingerprintOf(input: readonly ChatMessage[]): string {
  const said = input.map(({ role, contents }) => [role, contents]);
  return hash(JSON.stringify(said, ordered));
}

function ordered(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** FNV-1a over UTF-16 units, from two offsets: 64 bits together. */
function hash(text: string): string {
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x01000193);
  }
  return [one, other].map((bits) => (bits >>> 0).toString(36)).join('-');
}

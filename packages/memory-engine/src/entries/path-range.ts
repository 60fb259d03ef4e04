import type { PathRange } from '../storage-port.js';

const lastCodePoint = 0x10ffff;

/** The paths that begin with `prefix`, as a range in the order of code points. */
export function pathRange(prefix: string): PathRange {
  const codePoints = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (codePoints.at(-1) === lastCodePoint) codePoints.pop();
  const last = codePoints.pop() ?? 0;
  // The surrogates are no code points of a text.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return { from: prefix, before: String.fromCodePoint(...codePoints, next) };
}

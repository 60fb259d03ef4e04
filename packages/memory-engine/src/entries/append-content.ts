import type { MemoryPrecondition } from '@minne/core/memory';
import { sha256 } from '../sha256.js';

/** What the end of a text that was appended to may have been: up to four newlines. */
const lineEnds = ['', ...['\n', '\r\n'].flatMap((end) => [1, 2, 3, 4].map((n) => end.repeat(n)))];
const leadingNewlines = /^(?:\r?\n)+/;

/** Joins two texts with exactly one newline between, whatever they end and begin with; none beside an empty one. */
export function appendContent(stored: string, added: string): string {
  if (stored === '' || added === '') return stored + added;
  return `${withoutTrailingNewlines(stored)}\n${added.replace(leadingNewlines, '')}`;
}

/** Whether `stored` is what appending `added` to the content of the precondition made. */
export async function isAppended(
  stored: string,
  added: string,
  { contentSha256 }: MemoryPrecondition,
): Promise<boolean> {
  if (contentSha256 === null) return stored === added;
  if (added === '') return contentSha256 === (await sha256(stored));
  const ending = `\n${added.replace(leadingNewlines, '')}`;
  const before = stored.endsWith(ending) ? stored.slice(0, -ending.length) : undefined;
  // The text before may have ended in newlines of its own, or been empty.
  const candidates = [
    ...(before === undefined ? [] : lineEnds.map((end) => before + end)),
    ...(stored === added ? [''] : []),
  ];
  const hashes = await Promise.all(candidates.map(sha256));
  return hashes.includes(contentSha256);
}

/** A loop, since a pattern would begin anew at every newline of the text. */
function withoutTrailingNewlines(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= text[end - 2] === '\r' ? 2 : 1;
  return text.slice(0, end);
}

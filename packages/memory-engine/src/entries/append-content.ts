import type { MemoryPrecondition } from '@minne/core/memory';
import { sha256 } from '../sha256.js';

const trailingNewlines = /(?:\r?\n)+$/;
const leadingNewlines = /^(?:\r?\n)+/;

/** Joins two texts with exactly one newline between, whatever they end and begin with; none beside an empty one. */
export function appendContent(stored: string, added: string): string {
  if (stored === '' || added === '') return stored + added;
  return `${stored.replace(trailingNewlines, '')}\n${added.replace(leadingNewlines, '')}`;
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
  // The text before may have ended in a newline of its own, or been empty.
  const candidates = [
    ...(before === undefined ? [] : [before, `${before}\n`, `${before}\r\n`]),
    ...(stored === added ? [''] : []),
  ];
  const hashes = await Promise.all(candidates.map(sha256));
  return hashes.includes(contentSha256);
}

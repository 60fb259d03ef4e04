import type { ChatMessage, TokenCounter } from '@minne/core';
import { transcriptOf } from './transcript.js';

/** A part of what is to be summarised, small enough for one call. */
export interface SummaryChunk {
  readonly text: string;
  /** Positions of the messages that are all told once this chunk has been. */
  readonly completes: readonly number[];
}

/**
 * Divides groups into chunks of at most `budget` tokens. A group is not divided, but for one that alone is
 * larger: its text is cut into pieces, and it is complete with the last one.
 */
export function chunkGroups(
  groups: readonly (readonly number[])[],
  messages: readonly ChatMessage[],
  budget: number,
  tokenCounter: TokenCounter,
): SummaryChunk[] {
  const chunks: SummaryChunk[] = [];
  let texts: string[] = [];
  let completes: number[] = [];
  let tokens = 0;
  const close = (): void => {
    if (texts.length > 0) chunks.push({ text: texts.join('\n'), completes });
    texts = [];
    completes = [];
    tokens = 0;
  };
  for (const group of groups) {
    const members = group.flatMap((position) => messages[position] ?? []);
    const text = transcriptOf(members);
    const cost = 1 + tokenCounter.count({ type: 'text', text });
    if (tokens + cost > budget) close();
    if (cost > budget) {
      const pieces = cutText(text, budget / cost);
      for (const [index, piece] of pieces.entries()) {
        const last = index === pieces.length - 1;
        chunks.push({
          text: `[part ${index + 1} of ${pieces.length}] ${piece}`,
          completes: last ? group : [],
        });
      }
      continue;
    }
    texts.push(text);
    completes.push(...group);
    tokens += cost;
  }
  close();
  return chunks;
}

/** Cuts a text into equal pieces, each at most `share` of it, and never a surrogate pair in two. */
function cutText(text: string, share: number): string[] {
  // Tokens are not spread evenly over a text, so that pieces are made smaller than need be.
  const size = Math.max(1, Math.floor(text.length * share * 0.7));
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + size);
    const unit = text.charCodeAt(end);
    if (end < text.length && unit >= 0xdc00 && unit < 0xe000) end += 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

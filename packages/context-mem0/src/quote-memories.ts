import type { FoundMemory } from './found-memories.js';
import { unseen } from './unseen-text.js';

/** Characters that one memory, and all of them together, may take. */
const memoryLimit = 2_000;
const totalLimit = 16_000;

/** What begins a quotation; no text that was typed has a reason to hold it. */
const opening = '<memories source="mem0">';
const closing = '</memories>';

/** Ends of lines in every script, since a reader may take any of them for one. */
const lineEnd = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;
/** What is left of the control characters then, without the tab. */
const controlCharacter = /(?!\t)\p{Cc}/gu;
/** What shows nothing does not keep a reader from taking the rest for a marker. */
const gap = String.raw`[\s${unseen}]*`;
/** What could pass for one of the markers. */
const marker = new RegExp(
  `<(?=${gap}(?:/${gap})?${Array.from('memories').join(`[${unseen}]*`)})`,
  'giu',
);

/**
 * Memories as a text for the model: `prompt`, and one list item each between markers, with whom it is
 * about. Anyone may have said what became a memory, so nothing in one can end the quotation: further
 * lines are indented, and what looks like a marker is escaped. A long one is cut and says so; those that
 * have no room are left out.
 */
export function quoteMemories(prompt: string, memories: readonly FoundMemory[]): string {
  const lines: string[] = [];
  let length = 0;
  for (const { owner, text } of memories) {
    const line = `- ${owner}: ${quoted(text)}`;
    length += line.length + 1;
    if (length > totalLimit) break;
    lines.push(line);
  }
  return [prompt, opening, ...lines, closing].join('\n');
}

/** Whether a text holds such a quotation, as one does that an application has sent back. */
export function holdsQuotation(text: string): boolean {
  return text.includes(opening);
}

function quoted(text: string): string {
  const shown = text.length > memoryLimit ? `${text.slice(0, memoryLimit)} … (cut)` : text;
  return shown
    .toWellFormed()
    .split(lineEnd)
    .map((line) => line.replace(controlCharacter, '\uFFFD').replace(marker, '&lt;'))
    .join('\n  ');
}

import type { ChatMessage, TokenCounter } from '@minne/core';
import { transcriptOf } from './transcript.js';

/** A part of what is to be summarised, small enough for one call. */
export interface SummaryChunk {
  readonly text: string;
  /** Positions of the messages that are all told once this chunk has been. */
  readonly completes: readonly number[];
}

/** A group as text. */
interface WrittenGroup {
  readonly positions: readonly number[];
  readonly text: string;
  readonly tokens: number;
}

/** The rest of a group that is larger than a call. */
interface CutGroup extends WrittenGroup {
  /** Where in its text the next piece begins. */
  start: number;
  /** How many characters the next piece is tried with. */
  size: number;
  pieces: number;
}

/** Tokens of the line that tells the pieces of a group apart. */
const pieceOverhead = 20;

/**
 * Reads groups as chunks, each as large as the call for it allows. A group is not divided, but for one
 * that alone is larger: its text is cut into pieces, and it is complete with the last one.
 */
export class SummaryChunkReader {
  readonly #groups: readonly (readonly number[])[];
  readonly #messages: readonly ChatMessage[];
  readonly #tokenCounter: TokenCounter;
  /** How many groups have been written as text. */
  #written = 0;
  /** Written, and in no chunk yet. */
  #pending: WrittenGroup | undefined;
  #cut: CutGroup | undefined;

  constructor(
    groups: readonly (readonly number[])[],
    messages: readonly ChatMessage[],
    tokenCounter: TokenCounter,
  ) {
    this.#groups = groups;
    this.#messages = messages;
    this.#tokenCounter = tokenCounter;
  }

  /** Whether all groups have been given. */
  get done(): boolean {
    const isWaiting = this.#cut !== undefined || this.#pending !== undefined;
    return !isWaiting && this.#written === this.#groups.length;
  }

  /** The next chunk, of at most `budget` tokens. Not to be called when done. */
  next(budget: number): SummaryChunk {
    if (this.#cut !== undefined) return this.#nextPiece(this.#cut, budget);
    const texts: string[] = [];
    const completes: number[] = [];
    let left = budget;
    for (let group = this.#peek(); group !== undefined; group = this.#peek()) {
      if (group.tokens > left) {
        if (texts.length > 0) break;
        this.#pending = undefined;
        const size = Math.ceil((group.text.length * budget) / group.tokens);
        this.#cut = { ...group, start: 0, size, pieces: 0 };
        return this.#nextPiece(this.#cut, budget);
      }
      this.#pending = undefined;
      texts.push(group.text);
      completes.push(...group.positions);
      left -= group.tokens;
    }
    return { text: texts.join('\n'), completes };
  }

  #peek(): WrittenGroup | undefined {
    const positions = this.#groups[this.#written];
    if (this.#pending !== undefined || positions === undefined) return this.#pending;
    this.#written += 1;
    const text = transcriptOf(positions.flatMap((position) => this.#messages[position] ?? []));
    // One for the end of the line.
    this.#pending = { positions, text, tokens: 1 + this.#tokensOf(text) };
    return this.#pending;
  }

  /** Tokens are not spread evenly over a text, so that each piece is measured. */
  #nextPiece(cut: CutGroup, budget: number): SummaryChunk {
    const { text, start } = cut;
    const most = Math.max(1, budget - pieceOverhead);
    let piece = textFrom(text, start, cut.size);
    let tokens = this.#tokensOf(piece);
    while (tokens > most && piece.length > 2) {
      piece = textFrom(text, start, Math.floor(piece.length / 2));
      tokens = this.#tokensOf(piece);
    }
    cut.size = tokens * 2 < most ? piece.length * 2 : piece.length;
    cut.start += piece.length;
    cut.pieces += 1;
    const isLast = cut.start >= text.length;
    if (isLast) this.#cut = undefined;
    return {
      text: `[piece ${cut.pieces} of a long part${isLast ? ', the last' : ''}]\n${piece}`,
      completes: isLast ? cut.positions : [],
    };
  }

  #tokensOf(text: string): number {
    return this.#tokenCounter.count({ type: 'text', text });
  }
}

/** At least one character from a place on, and never half of one. */
function textFrom(text: string, start: number, size: number): string {
  const end = start + Math.max(1, size);
  const unit = text.charCodeAt(end);
  return text.slice(start, unit >= 0xdc00 && unit < 0xe000 ? end + 1 : end);
}

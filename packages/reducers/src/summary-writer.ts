import {
  type ChatMessage,
  ConfigurationError,
  systemClock,
  type TokenCounter,
  uuidv7,
} from '@minne/core';
import { packageName, wholeNumber, wrongOption } from './options.js';
import type { SummarizingReducerOptions } from './summarizing-options.js';
import { SummaryChunkReader } from './summary-chunks.js';
import { createSummaryMessage } from './summary-message.js';
import {
  defaultSummaryInstructions,
  requestSummary,
  type SummaryRequestOptions,
  summaryFailure,
  type WrittenSummary,
} from './summary-request.js';
import { quotedLine } from './transcript.js';

/** What the calls of one reduction have come to. */
export interface SummaryProgress {
  /** Absent when not even one group was told. */
  readonly written: WrittenSummary | undefined;
  /** Positions of what is told in it. */
  readonly told: readonly number[];
  /** Why it does not tell all, when it does not. */
  readonly failure: Error | undefined;
}

const defaultMaxInputTokens = 16_000;
const defaultMaxSummaryTokens = 1000;
const defaultTimeout = 60_000;
/** The longest that a timer of the platform can wait, in milliseconds; a longer one would not wait at all. */
const longestTimer = 2 ** 31 - 1;
/** Tokens of a request beside instructions, earlier summary and transcript. */
const requestOverhead = 50;
/** A summary is quoted in the next request, which makes it a little longer. */
const quotingFactor = 1.2;

/** Has a model write summaries, in as many calls as its window takes. */
export class SummaryWriter {
  readonly #tokenCounter: TokenCounter;
  readonly #request: Omit<SummaryRequestOptions, 'signal'>;
  /** Tokens of a request that are left for earlier summary and transcript. */
  readonly #room: number;
  /** Tokens of transcript that make a call worth its while. */
  readonly #leastChunk: number;
  #promptHash: Promise<string> | undefined;

  /** @throws ConfigurationError when a number is not whole or too small, or the client must keep history. */
  constructor(options: SummarizingReducerOptions, tokenCounter: TokenCounter) {
    const { chatClient, modelId, instructions = defaultSummaryInstructions } = options;
    if (typeof chatClient?.getResponse !== 'function') {
      throw wrongOption('chatClient', 'is no chat client. Give the one that writes the summaries.');
    }
    if (typeof instructions !== 'string') throw wrongOption('instructions', 'must be a string.');
    const maxInputTokens = options.maxInputTokens ?? defaultMaxInputTokens;
    wholeNumber(maxInputTokens, 'maxInputTokens', 500);
    const quarter = Math.floor(maxInputTokens / 4);
    const { maxSummaryTokens = Math.min(defaultMaxSummaryTokens, quarter) } = options;
    wholeNumber(maxSummaryTokens, 'maxSummaryTokens', 1);
    const prompt = tokenCounter.count({ type: 'text', text: instructions });
    this.#room = maxInputTokens - prompt - requestOverhead;
    this.#leastChunk = quarter / 2;
    const left = this.#room - Math.ceil(maxSummaryTokens * quotingFactor);
    if (maxSummaryTokens > quarter || left < quarter) {
      throw new ConfigurationError(
        `maxInputTokens is ${maxInputTokens}, which leaves too little beside instructions of ${prompt} tokens and summaries of ${maxSummaryTokens}. Give more, or make these shorter.`,
        { packageName, field: 'maxInputTokens' },
      );
    }
    if (chatClient.historyStorage === 'required') {
      throw wrongOption(
        'chatClient',
        'keeps every conversation at its service, and summaries are no conversation. Give a client whose historyStorage is none or optional.',
      );
    }
    this.#tokenCounter = tokenCounter;
    this.#request = {
      chatClient,
      modelId,
      instructions,
      maxSummaryTokens,
      timeout: wholeNumber(options.timeout ?? defaultTimeout, 'timeout', 1, longestTimer),
      ids: options.ids ?? uuidv7,
      clock: options.clock ?? systemClock,
    };
  }

  /**
   * Has groups summarised, in their order, by as many calls as it takes: each is told the summary so far.
   * A call that fails is the last one, and what was told before it counts.
   *
   * @throws The reason of `signal`.
   */
  async write(
    groups: readonly (readonly number[])[],
    messages: readonly ChatMessage[],
    signal: AbortSignal | undefined,
  ): Promise<SummaryProgress> {
    const reader = new SummaryChunkReader(groups, messages, this.#tokenCounter);
    const told: number[] = [];
    let running: WrittenSummary | undefined;
    let written: WrittenSummary | undefined;
    try {
      while (!reader.done) {
        const chunk = reader.next(this.#roomBeside(running));
        running = await requestSummary(running?.text, chunk.text, { ...this.#request, signal });
        // A summary of half a group stands for nothing that can be removed.
        if (chunk.completes.length > 0) written = running;
        told.push(...chunk.completes);
      }
    } catch (thrown) {
      signal?.throwIfAborted();
      return { written, told, failure: errorOf(thrown) };
    }
    return { written, told, failure: undefined };
  }

  /** The message that takes the place of what it covers. */
  async createMessage(
    written: WrittenSummary,
    covered: readonly ChatMessage[],
  ): Promise<ChatMessage> {
    this.#promptHash ??= hashOf(this.#request.instructions);
    const promptHash = await this.#promptHash;
    const { ids, clock } = this.#request;
    return createSummaryMessage({ ...written, covered, promptHash, ids, clock });
  }

  /** Tokens of transcript that fit beside the summary so far. */
  #roomBeside(running: WrittenSummary | undefined): number {
    if (running === undefined) return this.#room;
    const quoted = this.#tokenCounter.count({ type: 'text', text: quotedLine(running.text) });
    const room = this.#room - quoted;
    if (room >= this.#leastChunk) return room;
    throw summaryFailure(
      `It wrote a summary of ${quoted} tokens, which leaves no room for the rest.`,
    );
  }
}

/** Clients may throw anything, also nothing; and not everything can be made a text. */
function errorOf(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return summaryFailure(typeof thrown === 'string' ? thrown : 'It threw what is no error.');
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest, 0, 8), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

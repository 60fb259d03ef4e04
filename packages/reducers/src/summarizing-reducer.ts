import {
  type ChatMessage,
  type ChatReducer,
  ConfigurationError,
  type ReduceOptions,
  type ReduceResult,
  systemClock,
  type TokenCounter,
  uuidv7,
  type Warning,
} from '@minne/core';
import { estimatedTokenCounter } from './estimated-token-counter.js';
import { countConversation } from './message-counting-reducer.js';
import { isOpener, isSystem, summaryRangeOf } from './message-kinds.js';
import { divide, notReduced, packageName, toResult, wholeNumber } from './reduction.js';
import type { SummarizingReducerOptions } from './summarizing-options.js';
import { chunkGroups, type SummaryChunk } from './summary-chunks.js';
import { createSummaryMessage } from './summary-message.js';
import {
  defaultSummaryInstructions,
  requestSummary,
  type SummaryRequestOptions,
  type WrittenSummary,
} from './summary-request.js';
import { unmetWarning } from './unmet-warning.js';
import { selectWindow, type WindowSelection } from './window-selection.js';

type ReducerWarning = Omit<Warning, 'sourceId'>;

/** What the calls of one reduction have come to. */
interface SummaryProgress {
  readonly written: WrittenSummary | undefined;
  /** Positions of what is told in it. */
  readonly told: readonly number[];
  readonly failure: unknown;
}

const defaultMaxInputTokens = 16_000;
const defaultMaxSummaryTokens = 1000;
/** Tokens of a request beside instructions, earlier summary and transcript. */
const requestOverhead = 50;

/**
 * Replaces the older part of a history by a summary that a model writes.
 *
 * A history of more than `targetCount + threshold` messages is reduced to at most `targetCount`, the
 * summary among them. Summaries among the older messages are folded into the new one. The summary takes
 * the place of the last message that it stands for, is a message of the user that quotes it as data, and
 * says in `metadata['minne.summary']` what it covers, which model wrote it and by which instructions.
 *
 * Nothing goes that was not part of a successful call. A summariser that fails, refuses, says nothing, is
 * cut off or takes too long is a warning `summary_failed` and changes nothing; when earlier calls of the
 * same reduction went well, what they covered is replaced all the same.
 */
export class SummarizingReducer implements ChatReducer {
  readonly specificationVersion = 'v1' as const;
  readonly id = 'summarizing';
  readonly #targetCount: number;
  readonly #limit: number;
  readonly #chunkTokens: number;
  readonly #tokenCounter: TokenCounter;
  readonly #request: Omit<SummaryRequestOptions, 'signal'>;
  #promptHash: Promise<string> | undefined;

  /** @throws ConfigurationError when a number is not whole or too small, or the client must keep history. */
  constructor(options: SummarizingReducerOptions) {
    const { chatClient, instructions = defaultSummaryInstructions, timeout = 60_000 } = options;
    const maxInputTokens = options.maxInputTokens ?? defaultMaxInputTokens;
    wholeNumber(maxInputTokens, 'maxInputTokens', 500);
    const quarter = Math.floor(maxInputTokens / 4);
    const maxSummaryTokens = wholeNumber(
      options.maxSummaryTokens ?? Math.min(defaultMaxSummaryTokens, quarter),
      'maxSummaryTokens',
      1,
    );
    this.#targetCount = wholeNumber(options.targetCount, 'targetCount', 2);
    this.#limit = this.#targetCount + wholeNumber(options.threshold ?? 0, 'threshold', 0);
    this.#tokenCounter = options.tokenCounter ?? estimatedTokenCounter;
    const prompt = this.#tokenCounter.count({ type: 'text', text: instructions });
    // A summary is quoted in the next request, which makes it a little longer.
    this.#chunkTokens =
      maxInputTokens - prompt - Math.ceil(maxSummaryTokens * 1.2) - requestOverhead;
    if (maxSummaryTokens > quarter || this.#chunkTokens < quarter) {
      throw new ConfigurationError(
        `maxInputTokens is ${maxInputTokens}, which leaves too little beside instructions of ${prompt} tokens and summaries of ${maxSummaryTokens}. Give more, or make these shorter.`,
        { packageName, field: 'maxInputTokens' },
      );
    }
    if (chatClient.historyStorage === 'required') {
      throw new ConfigurationError(
        'chatClient keeps every conversation at its service, and summaries are no conversation. Give a client whose historyStorage is none or optional.',
        { packageName, field: 'chatClient' },
      );
    }
    this.#request = {
      chatClient,
      modelId: options.modelId,
      instructions,
      maxSummaryTokens,
      timeout: wholeNumber(timeout, 'timeout', 1),
      ids: options.ids ?? uuidv7,
      clock: options.clock ?? systemClock,
    };
  }

  async reduce(
    messages: readonly ChatMessage[],
    { signal }: ReduceOptions = {},
  ): Promise<ReduceResult> {
    signal?.throwIfAborted();
    const common = { reducer: this.id, before: messages };
    const count = countConversation(messages);
    if (count <= this.#limit) {
      return notReduced({ ...common, reason: `${count} messages are not over ${this.#limit}.` });
    }
    const selection = selectWindow(messages, {
      budget: this.#targetCount - 1,
      cost: () => 1,
      summarises: true,
    });
    const groups = groupsToSummarise(selection);
    if (groups.length === 0) {
      const warnings = [unmetWarning(`${count} messages`, `${this.#limit}`)];
      const reason = `${count} messages are over ${this.#limit}, but none of them may go.`;
      return notReduced({ ...common, reason, warnings });
    }
    const chunks = chunkGroups(groups, messages, this.#chunkTokens, this.#tokenCounter);
    const progress = await this.#summarise(chunks, signal);
    const warnings = failureWarnings(progress.failure, chunks.length);
    const { written, told } = progress;
    if (written === undefined || told.length === 0) {
      const reason = `${count} messages are over ${this.#limit}, but there is no summary of them.`;
      return notReduced({ ...common, reason, warnings });
    }
    return this.#replaced(messages, selection, { written, told, warnings });
  }

  async #replaced(
    messages: readonly ChatMessage[],
    { kept: selected, groups }: WindowSelection,
    outcome: {
      readonly written: WrittenSummary;
      readonly told: readonly number[];
      readonly warnings: readonly ReducerWarning[];
    },
  ): Promise<ReduceResult> {
    const { written, warnings } = outcome;
    const told = new Set(outcome.told);
    const kept = Uint8Array.from(selected, (keep, at) =>
      keep === 1 || (!told.has(at) && groups.orphans[at] === 0) ? 1 : 0,
    );
    const { after, removed } = divide(messages, kept);
    if (warnings.length > 0 && !beginsWell(messages, after)) {
      const reason =
        'There is a summary of a part only, and what is left would begin in the middle.';
      return notReduced({ reducer: this.id, before: messages, reason, warnings });
    }
    const covered = [...told].sort((a, b) => a - b).flatMap((at) => messages[at] ?? []);
    const promptHash = await this.#hashOfPrompt();
    const summary = createSummaryMessage({
      ...written,
      covered,
      promptHash,
      ids: this.#request.ids,
      clock: this.#request.clock,
    });
    const last = outcome.told.reduce((a, b) => Math.max(a, b), 0);
    let place = 0;
    for (let at = 0; at < last; at += 1) place += kept[at] ?? 0;
    after.splice(place, 0, summary);
    const count = countConversation(messages);
    const left = countConversation(after);
    const unmet = left > this.#limit && warnings.length === 0;
    return toResult({
      reducer: this.id,
      before: messages,
      after,
      removed,
      summary,
      summarised: covered.length,
      tokenCounter: this.#tokenCounter,
      reason: `${count} messages are over ${this.#limit}; ${covered.length} of them were summarised${changesOf(covered, summary)}.`,
      warnings: unmet ? [unmetWarning(`${left} messages`, `${this.#limit}`)] : warnings,
    });
  }

  async #summarise(
    chunks: readonly SummaryChunk[],
    signal: AbortSignal | undefined,
  ): Promise<SummaryProgress> {
    let running: WrittenSummary | undefined;
    let complete: WrittenSummary | undefined;
    const told: number[] = [];
    try {
      for (const { text, completes } of chunks) {
        running = await requestSummary(running?.text, text, { ...this.#request, signal });
        // A summary of half a group stands for nothing that can be removed.
        if (completes.length > 0) complete = running;
        told.push(...completes);
      }
    } catch (failure) {
      signal?.throwIfAborted();
      return { written: complete, told, failure };
    }
    return { written: complete, told, failure: undefined };
  }

  #hashOfPrompt(): Promise<string> {
    this.#promptHash ??= hashOf(this.#request.instructions);
    return this.#promptHash;
  }
}

/** The groups that go, by the positions of their members; none when that is a single message. */
function groupsToSummarise({ kept, groups }: WindowSelection): (readonly number[])[] {
  const members = new Map<number, number[]>();
  for (let position = 0; position < kept.length; position += 1) {
    if (kept[position] === 1 || groups.orphans[position] === 1) continue;
    const group = groups.groupOf[position] ?? position;
    const known = members.get(group);
    if (known === undefined) members.set(group, [position]);
    else known.push(position);
  }
  const found = [...members.values()];
  // A summary of a single message, or of a summary alone, makes nothing smaller.
  return found.flat().length < 2 ? [] : found;
}

/** Whether a service accepts what a partial summary leaves as well as what there was. */
function beginsWell(before: readonly ChatMessage[], after: readonly ChatMessage[]): boolean {
  const isFirst = (message: ChatMessage): boolean => !isSystem(message);
  const first = after.find(isFirst);
  return first === undefined || isOpener(first) || first === before.find(isFirst);
}

function failureWarnings(failure: unknown, calls: number): ReducerWarning[] {
  if (failure === undefined) return [];
  const what = failure instanceof Error ? failure.message : String(failure);
  return [
    {
      code: 'summary_failed',
      message: `The summariser gave no summary, and what it was asked to summarise stays (${calls === 1 ? 'one call' : `${calls} calls`} were needed): ${what}`,
    },
  ];
}

/** Says when an earlier summary was written by another model or other instructions. */
function changesOf(covered: readonly ChatMessage[], summary: ChatMessage): string {
  const now = summaryRangeOf(summary);
  const earlier = covered.flatMap((message) => summaryRangeOf(message) ?? []).at(-1);
  if (earlier === undefined || now === undefined) return '';
  const changes: string[] = [];
  if (earlier.model !== now.model) {
    changes.push(
      `the model changed from ${earlier.model ?? 'unknown'} to ${now.model ?? 'unknown'}`,
    );
  }
  if (earlier.promptHash !== now.promptHash) changes.push('the instructions changed');
  const folded = ', an earlier summary among them';
  return changes.length === 0 ? folded : `${folded}; since that one ${changes.join(' and ')}`;
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest, 0, 8), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

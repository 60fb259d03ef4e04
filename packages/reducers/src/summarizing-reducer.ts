import {
  type ChatMessage,
  type ChatReducer,
  countMessages,
  isSystem,
  type ReduceOptions,
  type ReduceResult,
  type TokenCounter,
  type Warning,
} from '@minne/core';
import { cachedTokenCounter } from './cached-token-counter.js';
import { estimatedTokenCounter } from './estimated-token-counter.js';
import { countConversation } from './message-counting-reducer.js';
import { isOpener } from './message-kinds.js';
import { checkInput, optionsOf, wholeNumber } from './options.js';
import { divide, notReduced, toResult } from './reduction.js';
import type { SummarizingReducerOptions } from './summarizing-options.js';
import { foldedText } from './summary-message.js';
import { summaryFailure, type WrittenSummary } from './summary-request.js';
import { SummaryWriter } from './summary-writer.js';
import { unmetWarning } from './unmet-warning.js';
import { selectWindow, type WindowSelection } from './window-selection.js';

/**
 * Replaces the older part of a history by a summary that a model writes.
 *
 * A history of more than `targetCount + threshold` messages is reduced to at most `targetCount`, the
 * summary among them. Summaries among the older messages are folded into the new one. The summary takes
 * the place of the last message that it stands for, is a message of the user that quotes it as data, and
 * says in `metadata['minne.summary']` what it covers, which model wrote it and by which instructions.
 *
 * Nothing goes that was not part of a successful call. A summariser that fails, refuses, says nothing, is
 * cut off or takes too long, or whose summary costs more tokens than what it stands for, is a warning
 * `summary_failed` and changes nothing; when earlier calls of the same reduction went well, what they
 * covered is replaced all the same.
 */
export class SummarizingReducer implements ChatReducer {
  readonly specificationVersion = 'v1' as const;
  readonly id = 'summarizing';
  readonly tokenCounter: TokenCounter;
  readonly #targetCount: number;
  readonly #limit: number;
  readonly #writer: SummaryWriter;

  /** @throws ConfigurationError when a number is not whole or too small, or the client must keep history. */
  constructor(options: SummarizingReducerOptions) {
    const { targetCount, threshold = 0, tokenCounter = estimatedTokenCounter } = optionsOf(options);
    this.#targetCount = wholeNumber(targetCount, 'targetCount', 2);
    this.#limit = targetCount + wholeNumber(threshold, 'threshold', 0);
    this.tokenCounter = cachedTokenCounter(tokenCounter);
    this.#writer = new SummaryWriter(options, this.tokenCounter);
  }

  async reduce(
    messages: readonly ChatMessage[],
    { signal }: ReduceOptions = {},
  ): Promise<ReduceResult> {
    checkInput(messages, signal);
    const common = { reducer: this.id, before: messages };
    const count = countConversation(messages);
    const over = `${count} messages are over ${this.#limit}`;
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
      return notReduced({ ...common, reason: `${over}, but none of them may go.`, warnings });
    }
    const { written, told, failure } = await this.#writer.write(groups, messages, signal);
    if (written === undefined) {
      const reason = `${over}, but there is no summary of them.`;
      return notReduced({ ...common, reason, warnings: failureWarnings(failure) });
    }
    const covered = told.toSorted((a, b) => a - b).flatMap((at) => messages[at] ?? []);
    const longer = this.#lengthProblem(written, covered);
    if (longer !== undefined) {
      const reason = `${over}, but the summary is longer than what it stands for.`;
      return notReduced({ ...common, reason, warnings: failureWarnings(longer) });
    }
    const { after, removed, place } = replacedParts(messages, selection, told);
    if (failure !== undefined && !opensAsBefore(messages, after)) {
      const reason = `${over}, but there is a summary of a part only, and what is left would begin in the middle of a turn.`;
      return notReduced({ ...common, reason, warnings: failureWarnings(failure) });
    }
    const summary = await this.#writer.createMessage(written, covered);
    after.splice(place, 0, summary);
    const left = countConversation(after);
    const isUnmet = left > this.#limit && failure === undefined;
    return toResult({
      ...common,
      after,
      removed,
      summary,
      summarised: covered.length,
      tokenCounter: this.tokenCounter,
      reason: `${over}; ${covered.length} of them were summarised${foldedText(covered, summary)}.`,
      warnings: isUnmet
        ? [unmetWarning(`${left} messages`, `${this.#limit}`)]
        : failureWarnings(failure),
    });
  }

  /** A summary that is longer than what it stands for makes nothing smaller, and is no summary. */
  #lengthProblem({ text }: WrittenSummary, covered: readonly ChatMessage[]): Error | undefined {
    const { messageOverhead } = this.tokenCounter;
    const tokens = messageOverhead + this.tokenCounter.count({ type: 'text', text });
    const before = countMessages(covered, this.tokenCounter);
    return tokens <= before
      ? undefined
      : summaryFailure(`It wrote ${tokens} tokens about ${before}, which makes nothing smaller.`);
  }
}

/** The groups that go, by the positions of their members; none when that is a single message. */
function groupsToSummarise({ kept, groups }: WindowSelection): (readonly number[])[] {
  const members = new Map<number, number[]>();
  let count = 0;
  for (let position = 0; position < kept.length; position += 1) {
    if (kept[position] === 1 || groups.orphans[position] === 1) continue;
    count += 1;
    const group = groups.groupOf[position] ?? position;
    const known = members.get(group);
    if (known === undefined) members.set(group, [position]);
    else known.push(position);
  }
  // A summary of a single message, or of a summary alone, makes nothing smaller.
  return count < 2 ? [] : [...members.values()];
}

/** What is left without what is told in a summary, and the place of the summary in it. */
function replacedParts(
  messages: readonly ChatMessage[],
  { kept: selected, groups }: WindowSelection,
  told: readonly number[],
) {
  const gone = new Set(told);
  const kept = selected.map((keep, position) =>
    keep === 1 || (!gone.has(position) && groups.orphans[position] === 0) ? 1 : 0,
  );
  const last = told.reduce((one, other) => Math.max(one, other), 0);
  let place = 0;
  for (let position = 0; position < last; position += 1) place += kept[position] ?? 0;
  return { ...divide(messages, kept), place };
}

/**
 * Whether no message of a later turn comes before all openers, as it would when a partial summary took
 * the question of a turn and left its rest.
 */
function opensAsBefore(before: readonly ChatMessage[], after: readonly ChatMessage[]): boolean {
  const first = before.findIndex(isOpener);
  if (first < 0) return true;
  const unopened = new Set(before.slice(0, first));
  for (const message of after) {
    if (isOpener(message)) return true;
    if (!isSystem(message) && !unopened.has(message)) return false;
  }
  return true;
}

function failureWarnings(failure: Error | undefined): Omit<Warning, 'sourceId'>[] {
  if (failure === undefined) return [];
  const what = failure.message || failure.name;
  return [
    {
      code: 'summary_failed',
      message: `The summariser gave no summary, and what it was asked to summarise stays: ${what}`,
    },
  ];
}

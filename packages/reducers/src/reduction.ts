import type { TokenCounter } from '@minne/core';
import { type ChatMessage, ConfigurationError, type ReduceResult, type Warning } from '@minne/core';
import { groupMessages } from './message-groups.js';
import { isResultsOnly, isSystem } from './message-kinds.js';
import { countMessages } from './message-tokens.js';

/** Named in errors. */
export const packageName = '@minne/reducers';

/** What a reduction has come to, before it is told. */
export interface Reduction {
  readonly reducer: string;
  readonly reason: string;
  readonly before: readonly ChatMessage[];
  readonly after: readonly ChatMessage[];
  readonly removed: readonly ChatMessage[];
  /** How many of the removed ones a summary stands for. Default 0. */
  readonly summarised?: number;
  /** How many of the removed ones are still there, in another form. Default 0. */
  readonly rewritten?: number;
  readonly summary?: ChatMessage;
  readonly warnings?: readonly Omit<Warning, 'sourceId'>[];
  /** Counts the tokens for the report, when there is one. */
  readonly tokenCounter?: TokenCounter | undefined;
}

/** The result of a reduction, with its report. */
export function toResult(reduction: Reduction): ReduceResult {
  const { reducer, reason, before, after, removed, summary, tokenCounter } = reduction;
  const { summarised = 0, rewritten = 0, warnings = [] } = reduction;
  const report = {
    reducer,
    reason,
    kept: before.length - removed.length + rewritten,
    dropped: removed.length - summarised - rewritten,
    summarised,
    ...(tokenCounter === undefined
      ? {}
      : {
          tokensBefore: countMessages(before, tokenCounter),
          tokensAfter: countMessages(after, tokenCounter),
        }),
  };
  return {
    messages: removed.length === 0 ? before : after,
    removed,
    ...(summary === undefined ? {} : { summary }),
    reports: [report],
    warnings,
  };
}

/** Divides messages by a mask of what is kept. */
export function divide(
  messages: readonly ChatMessage[],
  kept: Uint8Array,
): { readonly after: ChatMessage[]; readonly removed: ChatMessage[] } {
  const after: ChatMessage[] = [];
  const removed: ChatMessage[] = [];
  for (let position = 0; position < messages.length; position += 1) {
    const message = messages[position];
    if (message !== undefined) (kept[position] === 1 ? after : removed).push(message);
  }
  return { after, removed };
}

/**
 * The result when nothing is to be reduced: the messages as they are. Only results without a call at the
 * very front go, since no model accepts a history that begins with them.
 */
export function notReduced(reduction: Omit<Reduction, 'after' | 'removed'>): ReduceResult {
  const { before } = reduction;
  const first = before.find((message) => !isSystem(message));
  if (first === undefined || !isResultsOnly(first)) {
    return toResult({ ...reduction, after: before, removed: [] });
  }
  const parts = divide(before, withoutLeadingResults(before));
  if (parts.removed.length === 0) return toResult({ ...reduction, after: before, removed: [] });
  const reason = `${reduction.reason} It began with tool results whose calls are nowhere; they went.`;
  return toResult({ ...reduction, ...parts, reason });
}

/**
 * A mask of the messages without the lost results at their front; of all messages where there is nothing
 * else, so that none becomes an empty history.
 */
export function withoutLeadingResults(messages: readonly ChatMessage[]): Uint8Array {
  const { orphans } = groupMessages(messages);
  const kept = new Uint8Array(messages.length).fill(1);
  for (const [position, message] of messages.entries()) {
    if (isSystem(message)) continue;
    if (orphans[position] === 0) return kept;
    kept[position] = 0;
  }
  return kept.fill(1);
}

/**
 * Checks an option that is a whole number.
 * @throws ConfigurationError when it is none, or less than `minimum`.
 */
export function wholeNumber(value: number, field: string, minimum: number): number {
  if (!Number.isSafeInteger(value) || value < minimum) {
    throw new ConfigurationError(
      `${field} is ${String(value)}. Give it a whole number of at least ${minimum}.`,
      { packageName, field },
    );
  }
  return value;
}

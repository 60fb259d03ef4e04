import {
  type ChatMessage,
  countMessages,
  type ReduceResult,
  type TokenCounter,
  type Warning,
} from '@minne/core';
import { groupMessages, type MessageGroups } from './message-groups.js';
import { isResultsOnly } from './message-kinds.js';

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
    ...(rewritten === 0 ? {} : { rewritten }),
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
 * The result when nothing is to be reduced: the messages as they are. Only results without a call before
 * them go, since no model accepts them.
 */
export function notReduced(reduction: Omit<Reduction, 'after' | 'removed'>): ReduceResult {
  const { before } = reduction;
  const unchanged = { ...reduction, after: before, removed: [] };
  if (!before.some(isResultsOnly)) return toResult(unchanged);
  const parts = divide(before, withoutLostResults(groupMessages(before)));
  if (parts.removed.length === 0) return toResult(unchanged);
  const reason = `${reduction.reason} Tool results whose calls are nowhere before them went.`;
  return toResult({ ...reduction, ...parts, reason });
}

/**
 * A mask of the messages without results that answer no call; of all messages where there is nothing else,
 * so that none becomes an empty history.
 */
export function withoutLostResults({ systems, orphans }: MessageGroups): Uint8Array {
  const kept = Uint8Array.from(orphans, (orphan) => 1 - orphan);
  const isLeft = kept.some((stays, position) => stays === 1 && systems[position] === 0);
  return isLeft ? kept : kept.fill(1);
}

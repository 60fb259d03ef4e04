import {
  type ChatMessage,
  type ChatReducer,
  isSystem,
  type ReduceOptions,
  type ReduceResult,
  type ReductionReport,
} from '@minne/core';
import type { ReducerParts } from '../src/reducer/index.js';
import { type GroupingRules, groupsOf } from './reference-message-groups.js';

/** A correct reducer: the newest three turns. The broken ones replace its parts. */
export class ReferenceChatReducer implements ChatReducer {
  readonly specificationVersion: 'v1' = 'v1' as const;
  readonly id: string = 'reference';
  protected readonly parts: ReducerParts;
  protected readonly grouping: GroupingRules = {};

  constructor(parts: ReducerParts) {
    this.parts = parts;
  }

  async reduce(
    messages: readonly ChatMessage[],
    options: ReduceOptions = {},
  ): Promise<ReduceResult> {
    options.signal?.throwIfAborted();
    const kept = this.choose(messages, options);
    return this.divide(messages, kept);
  }

  /** The positions of what stays. */
  protected choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    const { groupOf, orphans } = groupsOf(messages, this.grouping);
    const start = this.start(messages, options);
    const kept = new Set<number>();
    const chosen = new Set<number>();
    for (let index = start; index < messages.length; index += 1) {
      if (!orphans.has(index)) chosen.add(groupOf[index] ?? index);
    }
    const keep = (): void => {
      for (const [index, message] of messages.entries()) {
        if (isSystem(message) || chosen.has(groupOf[index] ?? index)) kept.add(index);
      }
    };
    keep();
    // A call of an earlier turn whose result came late is not a beginning: the question before it is.
    const first = messages.findIndex((message, index) => kept.has(index) && !isSystem(message));
    const opener = messages.slice(0, Math.max(first, 0)).findLastIndex(isQuestion);
    if (opener >= 0 && first < start) kept.add(opener);
    // A history of nothing but lost results must not become empty.
    if (first < 0 && messages.length > 0) for (const index of messages.keys()) kept.add(index);
    return kept;
  }

  /** Where the newest part begins that fits. */
  protected start(messages: readonly ChatMessage[], _options: ReduceOptions): number {
    return turnsOf(messages).at(-3) ?? 0;
  }

  protected divide(messages: readonly ChatMessage[], kept: ReadonlySet<number>): ReduceResult {
    const left = messages.filter((_, index) => kept.has(index));
    const removed = messages.filter((_, index) => !kept.has(index));
    return {
      messages: removed.length === 0 ? messages : left,
      removed,
      reports: [this.report({ kept: left.length, dropped: removed.length })],
      warnings: [],
    };
  }

  protected report(counts: Partial<ReductionReport>): ReductionReport {
    return {
      reducer: this.id,
      reason: 'A few turns are enough.',
      kept: 0,
      dropped: 0,
      summarised: 0,
      ...counts,
    };
  }
}

/** Where the turns begin. */
export function turnsOf(messages: readonly ChatMessage[]): readonly number[] {
  return messages.flatMap((message, index) =>
    isQuestion(message) && message.metadata === undefined ? [index] : [],
  );
}

function isQuestion({ role, contents }: ChatMessage): boolean {
  return role === 'user' && contents.some(({ type }) => type === 'text');
}

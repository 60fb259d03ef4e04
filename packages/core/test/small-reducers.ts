import type {
  ChatMessage,
  ChatReducer,
  ReduceOptions,
  ReduceResult,
  TokenCounter,
} from '@minne/core';
import { messageText } from '@minne/core';

/** Indexes that stay or go together: a call, and its results by `callId` and occurrence. */
function groupsOf(messages: readonly ChatMessage[]): number[] {
  const groups = messages.map((_, index) => index);
  const open = new Map<string, number[]>();
  for (const [index, { contents }] of messages.entries()) {
    for (const content of contents) {
      if (content.type === 'tool_call') {
        open.set(content.callId, [...(open.get(content.callId) ?? []), index]);
      } else if (content.type === 'tool_result') {
        const caller = open.get(content.callId)?.shift();
        if (caller === undefined) continue;
        const [from, to] = [groups[index], groups[caller] ?? caller];
        for (const [i, group] of groups.entries()) if (group === from) groups[i] = to;
      }
    }
  }
  return groups;
}

/** Which messages go so that `target` are left when there are more than `target + threshold`. */
function goingOf(messages: readonly ChatMessage[], target: number, threshold: number): Set<number> {
  const groups = groupsOf(messages);
  const plain = messages.flatMap(({ role }, i) =>
    role === 'system' || role === 'developer' ? [] : [i],
  );
  const going = new Set<number>();
  if (plain.length <= target + threshold) return going;
  const newest = groups[plain.at(-1) ?? 0];
  for (const index of plain) {
    if (plain.length - going.size <= target) break;
    const group = groups[index];
    if (going.has(index) || group === newest) continue;
    for (const other of plain) if (groups[other] === group) going.add(other);
  }
  return going;
}

function resultOf(
  id: string,
  messages: readonly ChatMessage[],
  left: readonly ChatMessage[],
  summary?: ChatMessage,
): ReduceResult {
  const kept = new Set(left);
  const removed = messages.filter((message) => !kept.has(message));
  const changed = removed.length > 0;
  return {
    messages: changed ? left : messages,
    removed,
    ...(summary === undefined ? {} : { summary }),
    reports: [
      {
        reducer: id,
        reason: changed ? 'There were too many.' : 'There were few enough.',
        kept: messages.length - removed.length,
        dropped: summary === undefined ? removed.length : 0,
        summarised: summary === undefined ? 0 : removed.length,
      },
    ],
    warnings: [],
  };
}

/** Keeps `target` messages when there are more than `target + threshold`. */
export function countingReducer(target: number, threshold = 0): ChatReducer {
  const id = 'test_counting';
  return {
    specificationVersion: 'v1',
    id,
    reduce: async (messages) => {
      const going = goingOf(messages, target, threshold);
      return resultOf(
        id,
        messages,
        messages.filter((_, index) => !going.has(index)),
      );
    },
  };
}

/** The same, with a summary in place of what goes. */
export class SummarisingReducer implements ChatReducer {
  readonly specificationVersion = 'v1' as const;
  readonly id = 'test_summarising';
  /** How many summaries have been written. */
  written = 0;
  /** Called before one is written; may take its time, or throw. */
  before: (options: ReduceOptions) => unknown = () => {};
  readonly #target: number;
  readonly #threshold: number;

  constructor(target: number, threshold = 0) {
    this.#target = target;
    this.#threshold = threshold;
  }

  async reduce(
    messages: readonly ChatMessage[],
    options: ReduceOptions = {},
  ): Promise<ReduceResult> {
    const going = goingOf(messages, this.#target, this.#threshold);
    if (going.size === 0) return resultOf(this.id, messages, messages);
    await this.before(options);
    this.written += 1;
    const text = [...going].map((index) => messageText(messages[index] ?? { contents: [] }));
    const summary: ChatMessage = {
      id: `summary-${this.written}-${Math.random().toString(36).slice(2)}`,
      role: 'user',
      contents: [{ type: 'text', text: `<summary>${text.join(';')}</summary>` }],
      createdAt: '2026-05-01T10:00:00.000Z',
      metadata: { 'minne.summary': { count: going.size } },
    };
    const [first] = going;
    const left = messages.flatMap((message, index) =>
      index === first ? [summary] : going.has(index) ? [] : [message],
    );
    return resultOf(this.id, messages, left, summary);
  }
}

/** Counts a token for each letter of a text, and `messageOverhead` for each message. */
export function letterCounter(messageOverhead = 10): TokenCounter {
  return {
    specificationVersion: 'v1',
    id: 'letters',
    messageOverhead,
    count: (content) => (content.type === 'text' ? content.text.length : 1),
  };
}

/** Keeps the newest messages that cost no more than `budget`, together with what is sent beside them. */
export function budgetReducer(budget: number): ChatReducer {
  const id = 'test_budget';
  const tokenCounter = letterCounter();
  const costOf = ({ contents }: ChatMessage): number =>
    contents.reduce(
      (sum, content) => sum + tokenCounter.count(content),
      tokenCounter.messageOverhead,
    );
  return {
    specificationVersion: 'v1',
    id,
    tokenCounter,
    reduce: async (messages, { fixedTokens = 0 } = {}) => {
      let target = messages.length;
      let left = messages;
      const cost = () => left.reduce((sum, message) => sum + costOf(message), fixedTokens);
      while (target > 1 && cost() > budget) {
        target -= 1;
        const going = goingOf(messages, target, 0);
        left = messages.filter((_, index) => !going.has(index));
      }
      return resultOf(id, messages, left);
    },
  };
}

/** Clears the results of all tools but those of the newest `keep` messages. */
export function clearingReducer(keep: number): ChatReducer {
  const id = 'test_clearing';
  return {
    specificationVersion: 'v1',
    id,
    reduce: async (messages) => {
      const left = messages.map((message, index) => {
        const long = message.contents.some(
          (content) => content.type === 'tool_result' && content.result !== 'cleared',
        );
        if (index >= messages.length - keep || !long) return message;
        const contents = message.contents.map((content) =>
          content.type === 'tool_result' ? { ...content, result: 'cleared' } : content,
        );
        return { ...message, contents };
      });
      return resultOf(id, messages, left);
    },
  };
}

/** One reducer after another. */
export function pipeline(...reducers: readonly ChatReducer[]): ChatReducer {
  return {
    specificationVersion: 'v1',
    id: 'test_pipeline',
    reduce: async (messages, options) => {
      let result: ReduceResult = { messages, removed: [], reports: [], warnings: [] };
      for (const reducer of reducers) {
        const next = await reducer.reduce(result.messages, options);
        result = {
          ...result,
          ...next,
          reports: [...result.reports, ...next.reports],
          warnings: [...result.warnings, ...next.warnings],
        };
      }
      return result;
    },
  };
}

/** Does as the function says, whatever the laws are. */
export function lawlessReducer(
  reduce: (messages: readonly ChatMessage[]) => readonly ChatMessage[],
  more: Partial<ReduceResult> = {},
): ChatReducer {
  return {
    specificationVersion: 'v1',
    id: 'test_lawless',
    reduce: async (messages) => ({
      messages: reduce(messages),
      removed: [],
      reports: [],
      warnings: [],
      ...more,
    }),
  };
}

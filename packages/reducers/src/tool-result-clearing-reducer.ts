import type {
  ChatMessage,
  ChatReducer,
  Content,
  ReduceOptions,
  ReduceResult,
  TokenCounter,
  ToolResultContent,
} from '@minne/core';
import { cachedTokenCounter } from './cached-token-counter.js';
import { groupMessages, type MessageGroups } from './message-groups.js';
import { checkInput, optionsOf, wholeNumber, wrongOption } from './options.js';
import { notReduced, toResult, withoutLostResults } from './reduction.js';
import { WaitingQueues } from './waiting-queues.js';

/** The key of `metadata` of a tool result whose value was cleared. */
const clearedMetadataKey = 'minne.cleared';

const defaultMarker =
  '[This result was cleared to save space. Call the tool again if it is needed.]';

/** Options of {@link ToolResultClearingReducer}. */
export interface ToolResultClearingReducerOptions {
  /** How many of the newest tool results are left as they are by a reduction. 0 or more. */
  readonly targetCount: number;
  /**
   * By how many results that may be outgrown: they are cleared when there are more than
   * `targetCount + threshold` that are not cleared yet. Default 0.
   */
  readonly threshold?: number;
  /** What a cleared result says. Default: an English sentence. Results no longer than it are left. */
  readonly marker?: string;
  /** Names of tools whose results are never cleared and do not count. Default: none. */
  readonly exceptTools?: readonly string[];
  /** Counts tokens for the report. Default: none are counted. */
  readonly tokenCounter?: TokenCounter;
}

/** Where a result stands. */
interface ResultPlace {
  readonly position: number;
  readonly content: ToolResultContent;
}

/**
 * Replaces the values of old tool results by a short marker. All messages and all calls stay, so that
 * the model still sees what it did; a result that failed still says that it failed.
 *
 * Results after the last message of the assistant are not cleared, however many: the model has yet to
 * see them. Nor are those beside a call that still waits for approval: the model will see them with its
 * result. Results are the bulk of what an agent with tools sends, so that this comes first.
 */
export class ToolResultClearingReducer implements ChatReducer {
  readonly specificationVersion = 'v1' as const;
  readonly id = 'tool_result_clearing';
  readonly #targetCount: number;
  readonly #limit: number;
  readonly #marker: string;
  readonly #exceptTools: ReadonlySet<string>;
  readonly tokenCounter?: TokenCounter;

  /** @throws ConfigurationError when a number is not whole or too small. */
  constructor(options: ToolResultClearingReducerOptions) {
    const {
      targetCount,
      threshold = 0,
      marker = defaultMarker,
      exceptTools = [],
    } = optionsOf(options);
    this.#targetCount = wholeNumber(targetCount, 'targetCount', 0);
    this.#limit = targetCount + wholeNumber(threshold, 'threshold', 0);
    if (typeof marker !== 'string') throw wrongOption('marker', 'must be a string.');
    if (!Array.isArray(exceptTools)) {
      throw wrongOption('exceptTools', 'must be an array of names, also for a single one.');
    }
    this.#marker = marker;
    this.#exceptTools = new Set(exceptTools);
    if (options.tokenCounter !== undefined) {
      this.tokenCounter = cachedTokenCounter(options.tokenCounter);
    }
  }

  async reduce(
    messages: readonly ChatMessage[],
    { signal }: ReduceOptions = {},
  ): Promise<ReduceResult> {
    checkInput(messages, signal);
    const common = { reducer: this.id, before: messages, tokenCounter: this.tokenCounter };
    const groups = groupMessages(messages);
    const places = this.#clearable(messages, groups);
    const count = places.length;
    if (count <= this.#limit) {
      return notReduced({
        ...common,
        reason: `${count} tool results are not over ${this.#limit}.`,
      });
    }
    const answered = messages.findLastIndex(({ role }) => role === 'assistant');
    const old = places
      .slice(0, count - this.#targetCount)
      .filter(({ position }) => position < answered);
    if (old.length === 0) {
      const reason = `${count} tool results are over ${this.#limit}, but the model has yet to see them.`;
      return notReduced({ ...common, reason });
    }
    const chosen = new Set<Content>(old.map(({ content }) => content));
    const changes = new Uint8Array(messages.length);
    for (const { position } of old) changes[position] = 1;
    const kept = withoutLostResults(groups);
    const after: ChatMessage[] = [];
    const removed: ChatMessage[] = [];
    let rewritten = 0;
    for (let position = 0; position < messages.length; position += 1) {
      const message = messages[position];
      if (message === undefined) continue;
      const stays = kept[position] === 1;
      const isChanged = changes[position] === 1;
      if (stays) after.push(isChanged ? this.#cleared(message, chosen) : message);
      if (stays && isChanged) rewritten += 1;
      if (!stays || isChanged) removed.push(message);
    }
    const reason = `${count} tool results are over ${this.#limit}; the oldest ${old.length} were cleared.`;
    return toResult({ ...common, after, removed, rewritten, reason });
  }

  /** The results that may be cleared, in order. */
  #clearable(
    messages: readonly ChatMessage[],
    { groupOf, systems, waiting }: MessageGroups,
  ): ResultPlace[] {
    const open = new Set(waiting.map(({ group }) => group));
    const names = new WaitingQueues<string>();
    const places: ResultPlace[] = [];
    for (let position = 0; position < messages.length; position += 1) {
      const contents = messages[position]?.contents ?? [];
      if (systems[position] === 1) continue;
      const isOpen = open.has(groupOf[position] ?? position);
      for (const content of contents) {
        if (content.type === 'tool_call') names.push(content.callId, content.name);
        if (content.type !== 'tool_result') continue;
        const name = names.shift(content.callId);
        const excepted = name !== undefined && this.#exceptTools.has(name);
        if (!excepted && !isOpen && this.#isLong(content)) places.push({ position, content });
      }
    }
    return places;
  }

  #isLong({ result, error, metadata }: ToolResultContent): boolean {
    if (metadata?.[clearedMetadataKey] === true) return false;
    const length = typeof result === 'string' ? result.length : JSON.stringify(result).length;
    return length + (error?.length ?? 0) > this.#marker.length;
  }

  #cleared(message: ChatMessage, chosen: ReadonlySet<Content>): ChatMessage {
    const contents = message.contents.map((content) =>
      content.type === 'tool_result' && chosen.has(content)
        ? {
            ...content,
            result: this.#marker,
            ...(content.error === undefined ? {} : { error: this.#marker }),
            metadata: { ...content.metadata, [clearedMetadataKey]: true },
          }
        : content,
    );
    return { ...message, contents };
  }
}

import {
  type ChatMessage,
  isJsonObject,
  isSummary,
  sourceMetadataKey,
  summaryMetadataKey,
} from '@minne/core';

/** What a summary stands for, in `metadata['minne.summary']`. */
export interface SummaryRange {
  /** The id of the first message that it covers; that of an earlier summary counts as its first one. */
  readonly from: string;
  /** The id of the last message that it covers. */
  readonly to: string;
  /** How many messages it covers, those of earlier summaries included. */
  readonly count: number;
  /** The model that wrote it, as the service or the options name it. */
  readonly model?: string;
  /** The first 16 hexadecimal digits of the SHA-256 of the instructions it was written by. */
  readonly promptHash?: string;
}

/** What a message is the summary of, or `undefined` when it is none, or one of another maker. */
export function summaryRangeOf({ metadata }: ChatMessage): SummaryRange | undefined {
  const range = metadata?.[summaryMetadataKey];
  if (!isJsonObject(range)) return undefined;
  const { from, to, count, model, promptHash } = range;
  if (typeof from !== 'string' || typeof to !== 'string' || typeof count !== 'number') {
    return undefined;
  }
  return {
    from,
    to,
    count,
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof promptHash === 'string' ? { promptHash } : {}),
  };
}

/** Whether a service accepts the message as the first one: the user says something in it. */
export function isOpener({ role, contents }: ChatMessage): boolean {
  if (role !== 'user') return false;
  for (const { type } of contents) {
    if (type === 'text' || type === 'data' || type === 'uri' || type === 'hosted_file') return true;
  }
  return false;
}

/**
 * Whether a message begins a turn: the user says something, and it is neither a summary nor context
 * that a provider has injected.
 */
export function isQuestion(message: ChatMessage): boolean {
  return (
    isOpener(message) && !isSummary(message) && message.metadata?.[sourceMetadataKey] === undefined
  );
}

/**
 * Whether a message holds nothing but tool results, or takes the place of one: no model accepts it
 * without the call before it.
 */
export function isResultsOnly({ role, contents }: ChatMessage): boolean {
  if (role === 'tool') return true;
  return contents.length > 0 && contents.every(({ type }) => type === 'tool_result');
}

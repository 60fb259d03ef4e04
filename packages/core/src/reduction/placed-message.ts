import type { ChatMessage } from '../message.js';

/** A message with its place in the history. */
export interface PlacedMessage {
  /** The sequence of its record; of a summary, that of the last record it replaces. */
  readonly sequence: number;
  readonly message: ChatMessage;
  /** Whether a reducer made it, so that the store holds something else at this place. */
  readonly made: boolean;
}

/** The key of `metadata` that marks a message as a summary of others. */
export const summaryMetadataKey = 'minne.summary';

/** The key of `metadata` on a message that a reducer has made smaller. */
export const reducedMetadataKey = 'minne.reduced';

export function isSummary({ metadata }: ChatMessage): boolean {
  return metadata?.[summaryMetadataKey] !== undefined;
}

export function isReduced({ metadata }: ChatMessage): boolean {
  return metadata?.[reducedMetadataKey] !== undefined;
}

/** Whether a message is one of those that are never taken away. */
export function isSystem({ role }: ChatMessage): boolean {
  return role === 'system' || role === 'developer';
}

import type { ChatMessage } from '@minne/core';

/** Whether a message takes the place of results, which no model accepts without the call before them. */
export function isOnlyResults({ role, contents }: ChatMessage): boolean {
  if (role === 'tool') return true;
  return contents.length > 0 && contents.every(({ type }) => type === 'tool_result');
}

/** Whether the user says something in a message: every model accepts it as the first one. */
export function isOpener({ role, contents }: ChatMessage): boolean {
  const openers: readonly string[] = ['text', 'data', 'uri', 'hosted_file'];
  return role === 'user' && contents.some(({ type }) => openers.includes(type));
}

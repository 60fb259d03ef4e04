import { type Content, isKnownContent } from '../content.js';
import type { ChatMessage } from '../message.js';

/**
 * Whether a message is sent as it is and has nothing to do with tools and approvals: what most messages
 * are.
 */
export function isPlain({ contents }: ChatMessage): boolean {
  for (const content of contents) {
    if (content.type === 'text') continue;
    if (!isForModel(content) || content.type.startsWith('tool_')) return false;
  }
  return contents.length > 0;
}

/** Whether a content means anything to a model. */
export function isForModel(content: Content): boolean {
  if (!isKnownContent(content)) return false;
  switch (content.type) {
    case 'approval_request':
    case 'approval_response':
    case 'usage':
    case 'error':
      return false;
    default:
      return true;
  }
}

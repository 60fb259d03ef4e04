import { type Content, isKnownContent } from '../content.js';
import type { ChatMessage } from '../message.js';

/** Messages that can never change and are known to be plain. */
const plain = new WeakSet<ChatMessage>();

/**
 * Whether a message is sent as it is and has nothing to do with tools and approvals: what most messages
 * are. Of a frozen message it is worked out once.
 */
export function isPlain(message: ChatMessage): boolean {
  if (plain.has(message)) return true;
  const is =
    message.contents.length > 0 &&
    message.contents.every(
      (content) =>
        content.type === 'text' || (isForModel(content) && !content.type.startsWith('tool_')),
    );
  if (is && Object.isFrozen(message)) plain.add(message);
  return is;
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

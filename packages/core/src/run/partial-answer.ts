import type { ChatMessage } from '../message.js';

/** What can be kept of an answer that was cut short: its text, without calls that nobody will run. */
export function readableParts(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.flatMap((message) => {
    const contents = message.contents.flatMap((content) =>
      content.type === 'text' && content.text !== ''
        ? [{ type: 'text' as const, text: content.text }]
        : [],
    );
    return contents.length === 0 ? [] : [{ ...message, contents }];
  });
}

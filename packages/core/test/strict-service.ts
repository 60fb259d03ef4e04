import type { ChatMessage } from '@minne/core';

/** What a strict service says of these messages; undefined when it takes them. */
export function objection(messages: readonly ChatMessage[]): string | undefined {
  let open: string[] = [];
  for (const [index, { role, contents }] of messages.entries()) {
    if (contents.length === 0) return `messages[${index}] is empty`;
    for (const content of contents) {
      if (content.type === 'tool_result') {
        const at = open.indexOf(content.callId);
        if (at < 0) return `messages[${index}] answers no call`;
        open.splice(at, 1);
        continue;
      }
      if (role === 'tool') return `messages[${index}] is a tool message without a result`;
      if (open.length > 0) return `messages[${index}] comes before the results of ${open}`;
      if (content.type.startsWith('approval_')) return `messages[${index}] holds an approval`;
    }
    const calls = contents.filter((content) => content.type === 'tool_call');
    for (const { arguments: text } of calls) JSON.parse(text || '{}');
    open = open.concat(calls.map(({ callId }) => callId));
  }
  return open.length > 0 ? `no results for ${open}` : undefined;
}

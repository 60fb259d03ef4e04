import type { ChatMessage, ToolCallContent, ToolResultContent } from '@minne/core';

/** A call and its result, each with the position of its message. */
export interface Pair {
  readonly call: ToolCallContent;
  readonly result: ToolResultContent;
  readonly callAt: number;
  readonly resultAt: number;
}

/** A call that nothing answers, with the position of its message. */
export interface OpenCall {
  readonly call: ToolCallContent;
  readonly at: number;
}

/** Which result answers which call: first in, first out for each id. Written for tests, as plain as can be. */
export function pairsOf(messages: readonly ChatMessage[]): {
  readonly pairs: readonly Pair[];
  readonly open: readonly OpenCall[];
  readonly lost: readonly ToolResultContent[];
} {
  let open: OpenCall[] = [];
  const pairs: Pair[] = [];
  const lost: ToolResultContent[] = [];
  for (const [position, { contents }] of messages.entries()) {
    for (const content of contents) {
      if (content.type === 'tool_call') open.push({ call: content, at: position });
      if (content.type !== 'tool_result') continue;
      const found = open.find(({ call }) => call.callId === content.callId);
      if (found === undefined) lost.push(content);
      else {
        open = open.filter((it) => it !== found);
        pairs.push({ call: found.call, callAt: found.at, result: content, resultAt: position });
      }
    }
  }
  return { pairs, open, lost };
}

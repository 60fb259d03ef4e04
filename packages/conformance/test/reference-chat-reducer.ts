import type { ChatMessage, ChatReducer, ReduceOptions, ReduceResult } from '@minne/core';

/** Which messages belong together: the position of the first one of each message's group. */
function groupsOf(messages: readonly ChatMessage[]): number[] {
  const groups = messages.map((_, index) => index);
  const join = (one: number, other: number): void => {
    const [from, to] = [groups[one] ?? one, groups[other] ?? other];
    for (const [index, group] of groups.entries()) {
      if (group === Math.max(from, to)) groups[index] = Math.min(from, to);
    }
  };
  const calls = new Map<string, number[]>();
  const requests = new Map<string, number>();
  for (const [index, { role, contents }] of messages.entries()) {
    for (const content of contents) {
      if (content.type === 'tool_call') {
        calls.set(content.callId, [...(calls.get(content.callId) ?? []), index]);
      } else if (content.type === 'tool_result') {
        const call = calls.get(content.callId)?.shift();
        if (call !== undefined) join(call, index);
      } else if (content.type === 'approval_request') {
        requests.set(content.id, index);
      } else if (content.type === 'approval_response') {
        join(requests.get(content.id) ?? index, index);
      }
    }
    const before = messages[index - 1];
    const thought = before?.contents.every(({ type }) => type === 'reasoning');
    if (role === 'assistant' && before?.role === 'assistant' && thought) join(index - 1, index);
  }
  return groups;
}

/** A correct reducer: the newest three turns. The broken ones replace its parts. */
export class ReferenceChatReducer implements ChatReducer {
  readonly specificationVersion: 'v1' = 'v1' as const;
  readonly id: string = 'reference';

  async reduce(
    messages: readonly ChatMessage[],
    { signal }: ReduceOptions = {},
  ): Promise<ReduceResult> {
    signal?.throwIfAborted();
    const kept = this.choose(messages);
    const left = messages.filter((_, index) => kept.has(index));
    const removed = messages.filter((_, index) => !kept.has(index));
    return {
      messages: removed.length === 0 ? messages : left,
      removed,
      reports: [
        {
          reducer: this.id,
          reason: 'Three turns are enough.',
          kept: left.length,
          dropped: removed.length,
          summarised: 0,
        },
      ],
      warnings: [],
    };
  }

  /** The positions of what stays. */
  protected choose(messages: readonly ChatMessage[]): Set<number> {
    const start = this.start(messages);
    const groups = groupsOf(messages);
    const chosen = new Set(groups.filter((_, index) => index >= start));
    const kept = new Set<number>();
    for (const [index, message] of messages.entries()) {
      if (isSystem(message) || chosen.has(groups[index] ?? index)) kept.add(index);
    }
    return kept;
  }

  protected start(messages: readonly ChatMessage[]): number {
    const turns = messages.flatMap(({ role, contents }, index) =>
      role === 'user' && contents.some(({ type }) => type === 'text') ? [index] : [],
    );
    return turns.at(-3) ?? 0;
  }
}

/** Whether reducers leave a message alone. */
export function isSystem({ role }: ChatMessage): boolean {
  return role === 'system' || role === 'developer';
}

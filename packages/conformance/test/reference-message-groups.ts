import type { ChatMessage } from '@minne/core';

/** Which messages belong together, by position. */
export interface ReferenceGroups {
  /** The position of the first message of each message's group. */
  readonly groupOf: readonly number[];
  /** Positions of messages that hold only results without a call. */
  readonly orphans: ReadonlySet<number>;
}

/** Which parts of the rule apply. Each is true by default: the broken reducers leave one out. */
export interface GroupingRules {
  readonly reasoning?: boolean;
  /** Which of several calls with one id a result belongs to. Default `oldest`. */
  readonly open?: 'oldest' | 'newest' | 'adjacent';
}

/** Finds the groups of a history. */
export function groupsOf(
  messages: readonly ChatMessage[],
  { reasoning = true, open = 'oldest' }: GroupingRules = {},
): ReferenceGroups {
  const parents = messages.map((_, index) => index);
  const root = (index: number): number => {
    let at = index;
    while ((parents[at] ?? at) !== at) at = parents[at] ?? at;
    parents[index] = at;
    return at;
  };
  const join = (one: number, other: number): void => {
    const [a, b] = [root(one), root(other)];
    parents[Math.max(a, b)] = Math.min(a, b);
  };
  const calls = new Map<string, number[]>();
  const requests = new Map<string, number>();
  const orphans = new Set<number>();
  for (const [index, { role, contents }] of messages.entries()) {
    if (role === 'system' || role === 'developer') continue;
    let paired = false;
    for (const content of contents) {
      if (content.type === 'tool_call') {
        const known = calls.get(content.callId) ?? [];
        known.push(index);
        calls.set(content.callId, known);
      } else if (content.type === 'tool_result') {
        const known = calls.get(content.callId);
        const call = open === 'newest' ? known?.at(-1) : known?.shift();
        paired ||= call !== undefined;
        const near = open !== 'adjacent' || (call ?? index) >= index - 2;
        if (call !== undefined && near) join(call, index);
      } else if (content.type === 'approval_request') {
        requests.set(content.id, index);
      } else if (content.type === 'approval_response') {
        join(requests.get(content.id) ?? index, index);
      }
    }
    const results = role === 'tool' || contents.every(({ type }) => type === 'tool_result');
    if (results && contents.length > 0 && !paired) orphans.add(index);
    const before = messages[index - 1];
    const thought = before?.contents.every(({ type }) => type === 'reasoning');
    if (reasoning && role === 'assistant' && before?.role === 'assistant' && thought)
      join(index - 1, index);
  }
  return { groupOf: messages.map((_, index) => root(index)), orphans };
}

import { type ChatMessage, isSystem } from '@minne/core';
import { expect } from 'vitest';

/** A call, its reasoning and its results stay or go together; so do a request for approval and its answer. */
export function expectGroups(before: readonly ChatMessage[], after: readonly ChatMessage[]): void {
  const left = new Set(after.map(({ id }) => id));
  for (const [one, other] of [...callsIn(before), ...thoughtsIn(before), ...approvalsIn(before)]) {
    if (left.has(one) !== left.has(other)) {
      expect.fail(
        `${one} and ${other} belong together, and only ${left.has(one) ? one : other} is left`,
      );
    }
  }
}

type Pair = readonly [string, string];

/** Results with their calls: each takes the oldest call with its id that has none yet. */
function callsIn(messages: readonly ChatMessage[]): readonly Pair[] {
  const pairs: Pair[] = [];
  const open = new Map<string, string[]>();
  for (const message of messages) {
    if (isSystem(message)) continue;
    for (const content of message.contents) {
      if (content.type === 'tool_call') {
        const callers = open.get(content.callId) ?? [];
        callers.push(message.id);
        open.set(content.callId, callers);
      } else if (content.type === 'tool_result') {
        const caller = open.get(content.callId)?.shift();
        if (caller !== undefined) pairs.push([caller, message.id]);
      }
    }
  }
  return pairs;
}

/** Reasoning in a message of its own, with the message that it led to. */
function thoughtsIn(messages: readonly ChatMessage[]): readonly Pair[] {
  return messages.flatMap(({ id, role, contents }, index): readonly Pair[] => {
    const next = messages[index + 1];
    const thinks = contents.length > 0 && contents.every(({ type }) => type === 'reasoning');
    return role === 'assistant' && thinks && next?.role === 'assistant' ? [[id, next.id]] : [];
  });
}

function approvalsIn(messages: readonly ChatMessage[]): readonly Pair[] {
  const pairs: Pair[] = [];
  const requests = new Map<string, string>();
  for (const { id, contents } of messages) {
    for (const content of contents) {
      if (content.type === 'approval_request') requests.set(content.id, id);
      if (content.type !== 'approval_response') continue;
      const request = requests.get(content.id);
      if (request !== undefined) pairs.push([request, id]);
    }
  }
  return pairs;
}

import type { ChatMessage, ReduceResult } from '@minne/core';
import { expect } from 'vitest';

/**
 * Expects of a reduction what is true of every one: nothing made up, order kept, system messages there,
 * calls and results together, no empty history, a beginning that a model accepts, and a result that
 * accounts for every message.
 *
 * @throws AssertionError that names the law.
 */
export function expectLawful(before: readonly ChatMessage[], result: ReduceResult): void {
  expectAccountedFor(before, result);
  expectOrder(before, result.messages);
  expectSystemMessages(before, result.messages);
  expectPairs(before, result.messages);
  expectApprovals(before, result.messages);
  expectBeginning(before, result.messages);
}

/** Whether reducers leave a message alone. */
function isSystem({ role }: ChatMessage): boolean {
  return role === 'system' || role === 'developer';
}

function expectAccountedFor(before: readonly ChatMessage[], result: ReduceResult): void {
  const { messages, removed, summary, reports } = result;
  const left = countOf(messages);
  const gone: ChatMessage[] = [];
  for (const message of before) {
    const count = left.get(message) ?? 0;
    if (count > 0) left.set(message, count - 1);
    else gone.push(message);
  }
  const ids = (list: readonly ChatMessage[]): string => list.map(({ id }) => id).join(' ');
  expect(ids(removed), 'removed are, in order, the messages that are not there as they were').toBe(
    ids(gone),
  );
  if (removed.some((message, index) => message !== gone[index])) {
    expect.fail('removed are the messages of the input themselves');
  }
  const goneIds = new Set(gone.map(({ id }) => id));
  const added = [...left].filter(([, count]) => count > 0).map(([message]) => message);
  for (const message of added) {
    if (message === summary || goneIds.has(message.id)) continue;
    expect.fail(`${message.id} is neither of the input, nor another form of one, nor the summary`);
  }
  if (summary !== undefined) {
    expect(messages.includes(summary), 'the summary is one of the messages').toBe(true);
  }
  if (removed.length === 0)
    expect(messages, 'the very array when nothing was reduced').toBe(before);
  expect(reports.length, 'there is a report').toBeGreaterThan(0);
  for (const { reducer, reason } of reports) {
    expect(reducer, 'a report names its reducer').not.toBe('');
    expect(reason, 'a report says why').not.toBe('');
  }
}

function countOf(messages: readonly ChatMessage[]): Map<ChatMessage, number> {
  const counts = new Map<ChatMessage, number>();
  for (const message of messages) counts.set(message, (counts.get(message) ?? 0) + 1);
  return counts;
}

function expectOrder(before: readonly ChatMessage[], after: readonly ChatMessage[]): void {
  const known = new Set(before.map(({ id }) => id));
  const ids = after.map(({ id }) => id).filter((id) => known.has(id));
  let at = 0;
  for (const { id } of before) if (id === ids[at]) at += 1;
  expect(at, `the order is kept, and nothing is there twice: ${ids.join(' ')}`).toBe(ids.length);
}

function expectSystemMessages(before: readonly ChatMessage[], after: readonly ChatMessage[]): void {
  const left = after.filter(isSystem);
  const system = before.filter(isSystem);
  const same = left.length === system.length && left.every((it, index) => it === system[index]);
  if (!same) expect(left, 'system messages stay').toEqual(system);
}

/** Which messages belong together, as pairs of ids. */
function pairsIn(messages: readonly ChatMessage[]): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  const open = new Map<string, string[]>();
  for (const { id, contents, role } of messages) {
    if (role === 'system' || role === 'developer') continue;
    for (const content of contents) {
      if (content.type === 'tool_call') {
        open.set(content.callId, [...(open.get(content.callId) ?? []), id]);
      } else if (content.type === 'tool_result') {
        const caller = open.get(content.callId)?.shift();
        if (caller !== undefined) pairs.push([caller, id]);
      }
    }
  }
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1];
    const { role, contents } = message;
    const thinks = contents.length > 0 && contents.every(({ type }) => type === 'reasoning');
    if (role === 'assistant' && thinks && next?.role === 'assistant')
      pairs.push([message.id, next.id]);
  }
  return pairs;
}

function expectPairs(before: readonly ChatMessage[], after: readonly ChatMessage[]): void {
  const left = new Set(after.map(({ id }) => id));
  for (const [call, result] of pairsIn(before)) {
    if (left.has(call) !== left.has(result)) {
      expect.fail(`${call} and ${result} belong together and stay or go together`);
    }
  }
}

function expectApprovals(before: readonly ChatMessage[], after: readonly ChatMessage[]): void {
  const left = new Set(after.map(({ id }) => id));
  const requests = new Map<string, string>();
  for (const { id, contents } of before) {
    for (const content of contents) {
      if (content.type === 'approval_request') requests.set(content.id, id);
      if (content.type !== 'approval_response') continue;
      const request = requests.get(content.id);
      if (request === undefined) continue;
      if (left.has(request) !== left.has(id)) {
        expect.fail(`${id} answers ${request} and stays or goes with it`);
      }
    }
  }
}

function expectBeginning(before: readonly ChatMessage[], after: readonly ChatMessage[]): void {
  if (before.every(isSystem)) return;
  const first = after.find((message) => !isSystem(message));
  expect(first, 'the result is not empty').toBeDefined();
  const hasOther = before.some((message) => !isSystem(message) && !isOnlyResults(message));
  if (first === undefined || !hasOther) return;
  expect(isOnlyResults(first), `it does not begin with results: ${first.id}`).toBe(false);
}

function isOnlyResults({ role, contents }: ChatMessage): boolean {
  if (role === 'tool') return true;
  return contents.length > 0 && contents.every(({ type }) => type === 'tool_result');
}

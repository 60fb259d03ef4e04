import type { ChatMessage, ReduceResult } from '@minne/core';
import { expect } from 'vitest';

/** What a result comes to, compared by the objects themselves. */
interface Account {
  /** Messages of the input that are not there as they were, in order. */
  readonly gone: readonly ChatMessage[];
  /** What is there and was not in the input. */
  readonly added: readonly ChatMessage[];
}

/** A result tells of every message: which are left, which are not, and which are there in another form. */
export function expectAccountedFor(before: readonly ChatMessage[], result: ReduceResult): void {
  const { messages, removed, summary } = result;
  const account = accountOf(before, messages);
  const { gone, added } = account;
  expect(
    idsOf(removed),
    '`removed` is, in order, what is not in `messages` as it was: no more and no less',
  ).toBe(idsOf(gone));
  if (removed.some((message, index) => message !== gone[index])) {
    expect.fail('`removed` holds the messages of the input themselves, not copies');
  }
  const originals = new Map(gone.map((message) => [message.id, message]));
  for (const message of added) {
    if (message === summary) continue;
    const original = originals.get(message.id);
    if (original === undefined) {
      expect.fail(
        `${message.id} is neither of the input, nor another form of one, nor the summary`,
      );
    }
    expectRewritten(original, message);
  }
  if (summary !== undefined && !added.includes(summary)) {
    expect.fail('the summary is one of the messages that are left, and a new one');
  }
  if (removed.length === 0 && messages !== before) {
    expect.fail('`messages` is the very array that was given when nothing was reduced');
  }
  expectReports(before, result, account);
}

function idsOf(messages: readonly ChatMessage[]): string {
  return messages.map(({ id }) => id).join(' ');
}

function accountOf(before: readonly ChatMessage[], after: readonly ChatMessage[]): Account {
  const left = new Map<ChatMessage, number>();
  for (const message of after) left.set(message, (left.get(message) ?? 0) + 1);
  const gone: ChatMessage[] = [];
  for (const message of before) {
    const count = left.get(message) ?? 0;
    if (count > 0) left.set(message, count - 1);
    else gone.push(message);
  }
  const added = [...left].filter(([, count]) => count > 0).map(([message]) => message);
  return { gone, added };
}

/** Another form of a message is shorter, but still says what was called, thought, found and consented to. */
function expectRewritten(original: ChatMessage, message: ChatMessage): void {
  const { id, role, createdAt } = original;
  expect(
    { role: message.role, createdAt: message.createdAt },
    `${id} keeps its role and time in another form`,
  ).toEqual({ role, createdAt });
  expect(boundContents(message), `${id} keeps its calls, and what belongs to them`).toEqual(
    boundContents(original),
  );
}

/** The parts of a message that others depend on, or that nobody here can judge. */
function boundContents({ contents }: ChatMessage): readonly unknown[] {
  const calls = contents.some(({ type }) => type === 'tool_call');
  return contents.flatMap((content): readonly unknown[] => {
    switch (content.type) {
      case 'text':
      case 'data':
      case 'uri':
      case 'hosted_file':
      case 'usage':
      case 'error':
        return [];
      case 'reasoning':
        return calls ? [content] : [];
      case 'tool_call':
      case 'tool_result':
        return [{ type: content.type, callId: content.callId }];
      default:
        // Consent, and contents of a later version.
        return [content];
    }
  });
}

function expectReports(
  before: readonly ChatMessage[],
  { messages, reports, summary }: ReduceResult,
  { gone }: Account,
): void {
  expect(reports.length, 'there is a report').toBeGreaterThan(0);
  const left = new Set(messages.map(({ id }) => id));
  const missing = gone.filter(({ id }) => !left.has(id)).length;
  let told = 0;
  for (const { reducer, reason, kept, dropped, summarised } of reports) {
    expect(reducer, 'a report names its reducer').not.toBe('');
    expect(reason, 'a report says why').not.toBe('');
    for (const count of [kept, dropped, summarised]) {
      expect(Number.isSafeInteger(count) && count >= 0, `a report counts messages: ${count}`).toBe(
        true,
      );
    }
    told += dropped + summarised;
  }
  const [only] = reports;
  if (reports.length > 1 || only === undefined) {
    expect(told, 'the reports tell of every message that is gone').toBeGreaterThanOrEqual(missing);
    return;
  }
  const counts = `${only.kept} kept, ${only.dropped} dropped, ${only.summarised} summarised`;
  expect(told, `the report counts what is gone: ${counts}`).toBe(missing);
  expect(only.kept, `the report counts what is kept: ${counts}`).toBe(before.length - missing);
  expect(only.summarised > 0, `the report counts what was summarised: ${counts}`).toBe(
    summary !== undefined,
  );
}

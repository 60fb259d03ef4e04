import { type ChatMessage, messageText, type ToolCallContent } from '@minne/core';

/** What came of a tool in this turn. */
export interface Outcome {
  readonly name: string;
  /** The argument text of the call. */
  readonly arguments: string;
  readonly text: string;
  readonly isError: boolean;
}

/** The part of a conversation that waits for an answer. */
export interface Turn {
  /** What the person wrote last. */
  readonly text: string;
  /** What the person wrote before, in order. */
  readonly earlier: readonly string[];
  /** The results that have come in since, in order. */
  readonly outcomes: readonly Outcome[];
}

/** Finds what is to be answered. Nothing outside the messages is known to the model. */
export function currentTurn(messages: readonly ChatMessage[]): Turn {
  const start = messages.findLastIndex((message) => message.role === 'user');
  const written = messages.filter((message) => message.role === 'user').map(messageText);
  return {
    text: written.at(-1) ?? '',
    earlier: written.slice(0, -1),
    outcomes: outcomesOf(messages.slice(start + 1)),
  };
}

function outcomesOf(messages: readonly ChatMessage[]): Outcome[] {
  const calls = new Map<string, ToolCallContent>();
  const outcomes: Outcome[] = [];
  for (const content of messages.flatMap((message) => message.contents)) {
    if (content.type === 'tool_call') calls.set(content.callId, content);
    if (content.type !== 'tool_result') continue;
    const call = calls.get(content.callId);
    if (call === undefined) continue;
    const { result, error } = content;
    const text = error ?? (typeof result === 'string' ? result : JSON.stringify(result));
    outcomes.push({
      name: call.name,
      arguments: call.arguments,
      text,
      // The memory tools tell a model of failures in this form.
      isError: error !== undefined || text.startsWith('Error: '),
    });
  }
  return outcomes;
}

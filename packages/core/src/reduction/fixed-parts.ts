import type { ChatOptions, ToolDefinition } from '../chat-client.js';
import type { ChatMessage } from '../message.js';
import type { TokenCounter } from '../token-counter.js';

/** What a model call is sent beside the history. It is part of any token budget. */
export interface FixedParts {
  readonly instructions: readonly string[];
  readonly tools: readonly ToolDefinition[];
  readonly responseFormat?: ChatOptions['responseFormat'];
  /** Injected messages, the input, and what the run has brought so far. */
  readonly messages: readonly ChatMessage[];
}

/** Counts the fixed parts. Tool definitions and the response format count as their JSON text. */
export function countFixedParts(
  { instructions, tools, responseFormat, messages }: FixedParts,
  counter: TokenCounter,
): number {
  const texts = [...tools, ...(responseFormat === undefined ? [] : [responseFormat])].map((part) =>
    JSON.stringify(part),
  );
  if (instructions.length > 0) texts.unshift(instructions.join('\n\n'));
  let tokens = countMessages(messages, counter);
  // Each is set apart in some way, as a message is.
  for (const text of texts)
    tokens += counter.messageOverhead + counter.count({ type: 'text', text });
  return tokens;
}

/** What messages cost, each with its overhead. */
export function countMessages(messages: readonly ChatMessage[], counter: TokenCounter): number {
  let tokens = 0;
  for (const { contents } of messages) {
    tokens += counter.messageOverhead;
    for (const content of contents) tokens += counter.count(content);
  }
  return tokens;
}

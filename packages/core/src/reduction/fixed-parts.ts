import type { ChatOptions, ToolDefinition } from '../chat-client.js';
import type { TextContent } from '../content.js';
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

/** What messages cost. */
export function countMessages(messages: readonly ChatMessage[], counter: TokenCounter): number {
  let tokens = 0;
  for (const message of messages) tokens += countMessage(message, counter);
  return tokens;
}

/** What a message costs: its contents, the name of its author, and the overhead of a message. */
export function countMessage(message: ChatMessage, counter: TokenCounter): number {
  let tokens = counter.messageOverhead;
  for (const content of message.contents) tokens += counter.count(content);
  if (message.authorName !== undefined) tokens += 1 + counter.count(nameOf(message.authorName));
  return tokens;
}

/** How many names are remembered. */
const maximumNames = 100;

/** Names as contents, the same one each time, so that counters that remember contents know it. */
const names = new Map<string, TextContent>();

function nameOf(name: string): TextContent {
  const known = names.get(name);
  if (known !== undefined) return known;
  // Names are few. Where they are not, they are not worth remembering.
  if (names.size >= maximumNames) names.clear();
  const content: TextContent = { type: 'text', text: name };
  names.set(name, content);
  return content;
}

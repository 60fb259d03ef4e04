import type { ChatMessage, Content, TokenCounter, ToolDefinition } from '@minne/core';

/** What contents cost, by counter: a content never changes. */
const counted = new WeakMap<TokenCounter, WeakMap<Content, number>>();

/** Tokens that are sent for a tool beside its name, description and schema. */
const toolOverhead = 12;

/** Tokens of one message: its overhead and its contents. A content is counted once for each counter. */
export function countMessage(message: ChatMessage, counter: TokenCounter): number {
  return countWith(message, counter, cacheOf(counter));
}

/**
 * Tokens of messages. Those that were counted before are not counted again, as long as they are the
 * same objects.
 */
export function countMessages(messages: readonly ChatMessage[], counter: TokenCounter): number {
  const cache = cacheOf(counter);
  let total = 0;
  for (const message of messages) total += countWith(message, counter, cache);
  return total;
}

/** What is sent beside the history. */
export interface FixedParts {
  readonly instructions?: string;
  readonly tools?: readonly ToolDefinition[];
  /** Such as those that context providers inject. */
  readonly messages?: readonly ChatMessage[];
}

/** Tokens of what is sent beside the history: for `fixedTokens` of a reduction. */
export function countFixedTokens(
  { instructions, tools = [], messages = [] }: FixedParts,
  counter: TokenCounter,
): number {
  const textOf = (text: string): number => counter.count({ type: 'text', text });
  let total = countMessages(messages, counter);
  if (instructions !== undefined && instructions !== '') {
    total += counter.messageOverhead + textOf(instructions);
  }
  for (const { name, description, parameters } of tools) {
    total += toolOverhead + textOf(`${name} ${description} ${JSON.stringify(parameters)}`);
  }
  return total;
}

function cacheOf(counter: TokenCounter): WeakMap<Content, number> {
  const known = counted.get(counter);
  if (known !== undefined) return known;
  const cache = new WeakMap<Content, number>();
  counted.set(counter, cache);
  return cache;
}

function countWith(
  { contents, authorName }: ChatMessage,
  counter: TokenCounter,
  cache: WeakMap<Content, number>,
): number {
  let total = counter.messageOverhead;
  if (authorName !== undefined) total += counter.count({ type: 'text', text: authorName }) + 1;
  for (const content of contents) {
    let tokens = cache.get(content);
    if (tokens === undefined) {
      tokens = counter.count(content);
      cache.set(content, tokens);
    }
    total += tokens;
  }
  return total;
}

import {
  type ChatMessage,
  ConfigurationError,
  messageText,
  type RunCompleted,
  type RunContext,
} from '@minne/core';
import type { Mem0Message } from './mem0-client.js';
import { packageName } from './package-name.js';
import { holdsQuotation } from './quote-memories.js';
import { unseen } from './unseen-text.js';

/** The longest query, in characters; of a longer one the end is searched with. */
const maximumQuery = 2_000;

const substance = new RegExp(String.raw`[^\s\p{Cc}${unseen}]`, 'u');

/** A message that is to be stored. */
export interface SpokenMessage extends Mem0Message {
  readonly id: string;
}

/** What a person says in this run: the texts of the user since the last answer that is in the input. */
export function newUserText(context: Pick<RunContext, 'input' | 'history'>): string {
  const known = new Set(context.history.map(({ id }) => id));
  return sinceLastAnswer(context.input)
    .filter(({ id, role }) => role === 'user' && !known.has(id))
    .map(spokenText)
    .filter((text) => text !== '')
    .join('\n');
}

/**
 * A query from a text: empty when there is nothing to be seen in it.
 * @throws ConfigurationError for what `searchInput` gives that is no text.
 */
export function searchQuery(text: unknown): string {
  if (typeof text !== 'string') {
    throw new ConfigurationError(
      `searchInput gave ${text instanceof Promise ? 'a promise' : typeof text}. Return a string, at once; an empty one when nothing is to be searched.`,
      { packageName, field: 'searchInput' },
    );
  }
  const trimmed = text.trim();
  return hasSubstance(trimmed) ? trimmed.slice(-maximumQuery).toWellFormed() : '';
}

/**
 * What of a completed run is stored: what a user and the assistant said, as text. Neither instructions,
 * tool calls and results, reasoning, and messages that broke off, nor what any provider injected, nor
 * quoted memories that come back as input, which is told by their text: an agent takes metadata such as
 * the source off what a caller sends. What is new of an input is what follows the last answer in it: a
 * caller may send the whole conversation in every run, without ids.
 */
export function spokenMessages(
  { input, output }: Pick<RunCompleted, 'input' | 'output'>,
  history: readonly ChatMessage[],
  wanted: { readonly inputs: boolean; readonly outputs: boolean },
): readonly SpokenMessage[] {
  const known = new Set(history.map(({ id }) => id));
  const messages = [
    ...(wanted.inputs ? sinceLastAnswer(input) : []),
    ...(wanted.outputs ? output : []),
  ];
  const spoken: SpokenMessage[] = [];
  for (const message of messages) {
    const { id, role, status } = message;
    if ((role !== 'user' && role !== 'assistant') || status === 'incomplete') continue;
    const content = spokenText(message);
    if (known.has(id) || content === '') continue;
    spoken.push({ id, role, content });
  }
  return spoken;
}

function sinceLastAnswer(input: readonly ChatMessage[]): readonly ChatMessage[] {
  return input.slice(input.findLastIndex(({ role }) => role === 'assistant') + 1);
}

/** The text of a message, unless it quotes memories or there is nothing to be seen in it. */
function spokenText(message: ChatMessage): string {
  const text = messageText(message).toWellFormed();
  return holdsQuotation(text) || !hasSubstance(text) ? '' : text;
}

/** Whether there is more than white space and characters that show nothing. */
function hasSubstance(text: string): boolean {
  return substance.test(text);
}

import type { Content } from './content.js';
import { contentProblem } from './content.js';
import { deepFreeze } from './deep-freeze.js';
import { InvalidInputError } from './errors.js';
import { maximumRecordIdBytes } from './history-input.js';
import { checkId } from './history-key.js';
import type { Clock, IdGenerator } from './identity.js';
import { timestamp, utcTimestamp } from './identity.js';
import type { JsonObject, JsonValue } from './json.js';
import { isJsonObject, toJsonValue } from './json.js';
import { sameMessage } from './same-message.js';

/** Who speaks. */
export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

const roles: readonly string[] = ['system', 'developer', 'user', 'assistant', 'tool'];

/** One message of a conversation: a plain JSON value that never changes. */
export interface ChatMessage {
  /** Unique within a session and source. */
  readonly id: string;
  readonly role: Role;
  readonly contents: readonly Content[];
  readonly authorName?: string;
  /** RFC 3339, UTC, milliseconds. Tells when, never in which order: stores number messages. */
  readonly createdAt: string;
  /** What an abort or a failure left behind. */
  readonly status?: 'incomplete';
  /** Keys starting with `minne.` are ours. */
  readonly metadata?: JsonObject;
}

/** A message that has not entered yet: id and time are given to it when it does. */
export interface ChatMessageInit extends Omit<ChatMessage, 'id' | 'createdAt' | 'contents'> {
  readonly id?: string;
  readonly createdAt?: string;
  /** A string stands for one text content. */
  readonly contents: string | readonly Content[];
}

/** What a caller may hand to a run: a user's text, a message, or several of either. */
export type MessageInput = string | ChatMessageInit | readonly (string | ChatMessageInit)[];

/**
 * Gives a message what it lacks of id and time, and a copy of its own, which is frozen. A time of the
 * caller's is brought to UTC; one without a zone is UTC already.
 */
export function createMessage(init: ChatMessageInit, ids: IdGenerator, clock: Clock): ChatMessage {
  if (typeof init !== 'object' || init === null) {
    throw new InvalidInputError(
      `A message is ${init === null ? 'null' : typeof init}. Give an object such as { role: 'user', contents: 'Hello' }; a run takes a plain text too.`,
      { packageName: '@minne/core', field: 'message' },
    );
  }
  const contents =
    typeof init.contents === 'string' ? [{ type: 'text', text: init.contents }] : init.contents;
  const { createdAt } = init;
  const message = parseMessage({
    ...init,
    contents,
    id: init.id ?? ids(),
    createdAt:
      typeof createdAt === 'string' ? utcTimestamp(createdAt) : (createdAt ?? timestamp(clock)),
  });
  return deepFreeze(message);
}

/**
 * The messages that a caller's input stands for, in its order. One that is given twice counts once.
 * @throws InvalidInputError when one is no message, or when two share an id and say different things.
 */
export function createInputMessages(
  input: MessageInput,
  ids: IdGenerator,
  clock: Clock,
): ChatMessage[] {
  const items: readonly (string | ChatMessageInit)[] = isList(input) ? input : [input];
  const messages = new Map<string, ChatMessage>();
  for (const [index, item] of items.entries()) {
    const init = typeof item === 'string' ? { role: 'user' as const, contents: item } : item;
    const message = createMessage(init, ids, clock);
    const field = `input[${index}].id`;
    checkId(message.id, field, {
      packageName: '@minne/core',
      maximumBytes: maximumRecordIdBytes,
    });
    const other = messages.get(message.id);
    if (other === undefined) messages.set(message.id, message);
    else if (!sameMessage(other, message)) {
      throw new InvalidInputError(
        `${field} is ${JSON.stringify(message.id)}, as that of an earlier message that says something else. Give each message an id of its own.`,
        { packageName: '@minne/core', field },
      );
    }
  }
  return [...messages.values()];
}

function isList(input: MessageInput): input is readonly (string | ChatMessageInit)[] {
  return Array.isArray(input);
}

/**
 * Checks that `value` is a message and copies it. Unknown content types and unknown fields are kept.
 *
 * @param at - The name of the value, with which a path in an error begins.
 * @throws InvalidInputError that says what is wrong and where.
 */
export function parseMessage(value: unknown, at = 'message'): ChatMessage {
  return checkMessage(toJsonValue(value, at), at);
}

/**
 * Checks that a JSON value is a message; nobody else may hold the value.
 * @throws InvalidInputError that says what is wrong and where.
 */
export function checkMessage(message: JsonValue, at: string): ChatMessage {
  const problem = messageProblem(message);
  if (problem !== undefined) {
    throw new InvalidInputError(`${at} ${problem}.`, { packageName: '@minne/core', field: at });
  }
  return message as JsonObject & ChatMessage;
}

function messageProblem(message: JsonValue): string | undefined {
  if (!isJsonObject(message)) return 'is not an object';
  const { id, role, contents, createdAt, status, authorName, metadata } = message as JsonObject & {
    readonly [K in keyof ChatMessage]?: JsonValue;
  };
  if (typeof id !== 'string' || id === '') return 'has no id; give it a non-empty string';
  if (typeof role !== 'string' || !roles.includes(role)) {
    return `has the role ${JSON.stringify(role)}; it must be one of ${roles.join(', ')}`;
  }
  if (typeof createdAt !== 'string' || Number.isNaN(Date.parse(createdAt))) {
    return 'has no createdAt; give it a time such as 2026-05-01T10:00:00.000Z';
  }
  if (!Array.isArray(contents)) return 'has no contents; give it an array of contents or a string';
  if (status !== undefined && typeof status !== 'string') return 'has a status that is no string';
  if (authorName !== undefined && typeof authorName !== 'string') {
    return 'has an authorName that is no string';
  }
  if (metadata !== undefined && !isJsonObject(metadata)) return 'has metadata that is no object';
  for (const [index, content] of contents.entries()) {
    const found = contentProblem(content);
    if (found !== undefined) return `has contents[${index}] that ${found}`;
  }
  return undefined;
}

/** The text of a message: its text contents joined, everything else left out. */
export function messageText(message: { readonly contents: readonly Content[] }): string {
  let text = '';
  for (const content of message.contents) if (content.type === 'text') text += content.text;
  return text;
}

import { CallPairing } from './call-pairing.js';
import { deepFreeze } from './deep-freeze.js';
import { InvalidInputError } from './errors.js';
import type { HistoryRecord, NewHistoryRecord, RecordKind } from './history-backend.js';
import { recordVersion } from './history-backend.js';
import type { JsonValue } from './json.js';
import type { ChatMessage } from './message.js';
import { checkMessage } from './message.js';
import { isSummary } from './reduction/placed-message.js';
import { isPlain } from './run/plain-message.js';

/**
 * The records of messages that are appended together.
 *
 * A message with tool calls and the messages with their results share a group, which has the id of the
 * message with the first of the calls.
 *
 * @param conversation - What the messages are part of, in order, with what came before them: there the
 * calls are that they answer. Default: nothing but the messages.
 */
export function toRecords(
  messages: readonly ChatMessage[],
  conversation: readonly ChatMessage[] = messages,
): NewHistoryRecord[] {
  // Most appends answer no call, and need not look through all that came before.
  const groups = messages.some(answers) ? groupsOf(conversation) : undefined;
  return messages.map((message) => ({
    v: recordVersion,
    id: message.id,
    group: groups?.get(message.id) ?? message.id,
    kind: kindOf(message),
    payload: JSON.stringify(message),
  }));
}

function answers({ contents }: ChatMessage): boolean {
  return contents.some(({ type }) => type === 'tool_result');
}

/** The groups of messages that answer calls, by the id of the message; others are groups of their own. */
function groupsOf(conversation: readonly ChatMessage[]): ReadonlyMap<string, string> {
  const pairing = new CallPairing<string>();
  const groups = new Map<string, string>();
  for (const message of conversation) {
    if (isPlain(message)) continue;
    for (const content of message.contents) {
      if (content.type === 'tool_call') {
        pairing.call(content.callId, message.id);
      } else if (content.type === 'tool_result') {
        const caller = pairing.result(content.callId);
        if (caller === undefined || groups.has(message.id)) continue;
        groups.set(message.id, groups.get(caller) ?? caller);
      }
    }
  }
  return groups;
}

/** What was read from records that can never change, so that it need not be read again. */
const decoded = new WeakMap<HistoryRecord, ChatMessage>();

/**
 * The message of a record. Of a frozen record it is frozen too, and always the same.
 * @throws InvalidInputError that says what is wrong with the record.
 */
export function fromRecord(record: HistoryRecord): ChatMessage {
  const known = decoded.get(record);
  if (known !== undefined) return known;
  const message = decode(record);
  if (Object.isFrozen(record)) decoded.set(record, deepFreeze(message));
  return message;
}

function decode({ v, payload }: HistoryRecord): ChatMessage {
  if (v > recordVersion) {
    throw new InvalidInputError(
      `was written in layout ${v}, and this version reads up to ${recordVersion}; update @minne/core`,
      { packageName: '@minne/core', field: 'v' },
    );
  }
  let value: JsonValue;
  try {
    value = JSON.parse(payload);
  } catch (cause) {
    throw new InvalidInputError('is not JSON', { packageName: '@minne/core', cause });
  }
  return checkMessage(value, 'it');
}

function kindOf(message: ChatMessage): RecordKind {
  if (isSummary(message)) return 'summary';
  return message.role === 'developer' ? 'system' : message.role;
}

import { deepFreeze } from './deep-freeze.js';
import { InvalidInputError } from './errors.js';
import type { HistoryRecord, NewHistoryRecord, RecordKind } from './history-backend.js';
import { recordVersion } from './history-backend.js';
import type { JsonValue } from './json.js';
import type { ChatMessage } from './message.js';
import { checkMessage } from './message.js';
import { isSummary } from './reduction/placed-message.js';

/**
 * The records of messages that are appended together.
 *
 * A message with tool calls and the messages with their results share a group. Calls that were made in
 * an earlier append are found in `earlier`.
 */
export function toRecords(
  messages: readonly ChatMessage[],
  earlier: readonly ChatMessage[] = [],
): NewHistoryRecord[] {
  const groups = new Map<string, string>();
  // Most appends answer their own calls, and need not look through all that came before.
  const before = lazily(() => groupsOf(earlier));
  return messages.map((message) => {
    rememberCalls(message, groups);
    return {
      v: recordVersion,
      id: message.id,
      group: groupOf(message, (callId) => groups.get(callId) ?? before().get(callId)),
      kind: kindOf(message),
      payload: JSON.stringify(message),
    };
  });
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function groupsOf(messages: readonly ChatMessage[]): Map<string, string> {
  const groups = new Map<string, string>();
  for (const message of messages) rememberCalls(message, groups);
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

/** Later calls with an id that was used before take over its results. */
function rememberCalls(message: ChatMessage, groups: Map<string, string>): void {
  for (const content of message.contents) {
    if (content.type === 'tool_call') groups.set(content.callId, message.id);
  }
}

function groupOf(message: ChatMessage, callerOf: (callId: string) => string | undefined): string {
  for (const content of message.contents) {
    if (content.type !== 'tool_result') continue;
    const group = callerOf(content.callId);
    if (group !== undefined) return group;
  }
  return message.id;
}

function kindOf(message: ChatMessage): RecordKind {
  if (isSummary(message)) return 'summary';
  return message.role === 'developer' ? 'system' : message.role;
}

import type { ApprovalRequestContent } from '../content.js';
import { InvalidInputError } from '../errors.js';
import { toJsonValue } from '../json.js';
import type { ChatMessage } from '../message.js';
import { parseMessage } from '../message.js';
import type { AgentSession } from '../session.js';
import { sessionSlot } from '../session-slot.js';

/** The slot of session state that stands in for a history when the service keeps it. */
const slotName = 'minne.service';

/** The layout that this version writes. */
const layoutVersion = 1;

/** What a conversation at the service waits for, which the service itself does not know. */
export interface ServicePending {
  /** Calls that wait for consent. */
  readonly requests: readonly ApprovalRequestContent[];
  /** Tool messages with results that the service has not been sent, though it has asked for them. */
  readonly results: readonly ChatMessage[];
}

/** Remembers what is pending, or that nothing is. */
export function rememberPending(
  session: AgentSession,
  { requests, results }: ServicePending,
): void {
  if (requests.length === 0 && results.length === 0) {
    delete session.state[slotName];
    return;
  }
  const slot = sessionSlot(session, slotName);
  slot['v'] = layoutVersion;
  slot['requests'] = toJsonValue(requests);
  slot['results'] = toJsonValue(results);
}

/**
 * What is pending, as messages: the results, and one in which consent was asked for. It comes last,
 * since calls may share an id and none of these results answers one that waits.
 */
export function pendingMessages(session: AgentSession): ChatMessage[] {
  const slot = Object.hasOwn(session.state, slotName) ? session.state[slotName] : undefined;
  if (slot === undefined) return [];
  const at = `session.state.${slotName}`;
  const { v } = slot;
  if (typeof v === 'number' && v > layoutVersion) {
    throw new InvalidInputError(
      `${at} was written in layout ${v}, and this version reads up to ${layoutVersion}. Update @minne/core.`,
      { packageName: '@minne/core', field: `${at}.v`, sessionId: session.sessionId },
    );
  }
  const asking = {
    id: slotName,
    role: 'assistant',
    contents: slot['requests'],
    createdAt: '1970-01-01T00:00:00.000Z',
  };
  const results: readonly unknown[] = Array.isArray(slot['results']) ? slot['results'] : [];
  return [
    ...results.map((result, index) => parseMessage(result, `${at}.results[${index}]`)),
    parseMessage(asking, at),
  ];
}

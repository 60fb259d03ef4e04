import type { ApprovalRequestContent } from '../content.js';
import { toJsonValue } from '../json.js';
import type { ChatMessage } from '../message.js';
import { parseMessage } from '../message.js';
import type { AgentSession } from '../session.js';
import { sessionSlot } from '../session-slot.js';

/** The slot of session state in which waiting approvals are kept when the service keeps the history. */
const slotName = 'minne.approvals';

/** Remembers what waits, or that nothing does. */
export function rememberWaiting(
  session: AgentSession,
  waiting: readonly ApprovalRequestContent[],
): void {
  if (waiting.length === 0) {
    delete session.state[slotName];
    return;
  }
  const slot = sessionSlot(session, slotName);
  slot['v'] = 1;
  slot['requests'] = toJsonValue(waiting, 'approvals');
}

/** A message that stands for the one in which they were asked for. */
export function waitingMessages(session: AgentSession): ChatMessage[] {
  const slot = Object.hasOwn(session.state, slotName) ? session.state[slotName] : undefined;
  if (slot === undefined) return [];
  const message = {
    id: slotName,
    role: 'assistant',
    contents: slot['requests'],
    createdAt: '1970-01-01T00:00:00.000Z',
  };
  return [parseMessage(message, `session.state.${slotName}`)];
}

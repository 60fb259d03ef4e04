import { InvalidInputError } from '../errors.js';
import type { ChatMessage } from '../message.js';
import type { AgentSession } from '../session.js';
import { sessionSlot } from '../session-slot.js';

/** The slot of session state with the ids of what the service has been sent and has answered. */
const slotName = 'minne.service_ids';

/** How many ids are remembered: the newest. A caller that sends its transcript again always sends these. */
const rememberedIds = 100;

/**
 * The part of the input that is new to a conversation at the service: what comes after the last message
 * that it has.
 */
export function newToService(
  session: AgentSession,
  input: readonly ChatMessage[],
): readonly ChatMessage[] {
  const known = new Set(idsOf(session));
  const last = known.size === 0 ? -1 : input.findLastIndex(({ id }) => known.has(id));
  return input.slice(last + 1);
}

/** Remembers what the service has now. */
export function rememberServiceIds(session: AgentSession, ids: readonly string[]): void {
  const slot = sessionSlot(session, slotName);
  slot['v'] = 1;
  slot['ids'] = [...new Set([...idsOf(session), ...ids])].slice(-rememberedIds);
}

/** There is nothing in the input that the service has not been sent already. */
export function nothingNew({ sessionId }: AgentSession): InvalidInputError {
  return new InvalidInputError(
    'The service has every message of this input already and has answered it. Send at least one that is new, with an id of its own.',
    { packageName: '@minne/core', field: 'input', sessionId },
  );
}

/** Forgets what the service has. */
export function forgetServiceIds(session: AgentSession): void {
  delete session.state[slotName];
}

function idsOf(session: AgentSession): readonly unknown[] {
  const slot = Object.hasOwn(session.state, slotName) ? session.state[slotName] : undefined;
  const ids = slot?.['ids'];
  return Array.isArray(ids) ? ids : [];
}

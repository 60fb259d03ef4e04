import type { AgentSession, SessionState } from './session.js';

/** The slot of `sourceId` in a session, if it is there. */
export function sessionSlotOf(session: AgentSession, sourceId: string): SessionState | undefined {
  return Object.hasOwn(session.state, sourceId) ? session.state[sourceId] : undefined;
}

/**
 * The slot of `sourceId` in a session, made when it is not there. Any name is just a key, `__proto__`
 * included.
 */
export function sessionSlot(session: AgentSession, sourceId: string): SessionState {
  const found = sessionSlotOf(session, sourceId);
  if (found !== undefined) return found;
  const slot: SessionState = {};
  Object.defineProperty(session.state, sourceId, {
    value: slot,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return slot;
}

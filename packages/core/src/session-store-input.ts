import { InvalidInputError } from './errors.js';
import { checkId, type IdCheckOptions } from './history-key.js';
import { isJsonObject, toJsonValue } from './json.js';
import type { SerializedSession } from './session-codec.js';

/** A serialised session as far as a store looks into it; the rest is opaque. */
export interface StorableSession extends SerializedSession {
  readonly actorId?: string;
}

/**
 * Checks that `value` is a serialised session that every store can keep, and copies it. Stores call it
 * first in `set`, and when they read. Sessions of a version that this one cannot resume are kept, too.
 *
 * @throws InvalidInputError when it is no session, when JSON cannot carry it, or when one of its ids is
 * one that {@link checkId} refuses.
 */
export function checkSerializedSession(value: unknown, options: IdCheckOptions): StorableSession {
  const session = toJsonValue(value, 'session');
  if (!isJsonObject(session) || session['type'] !== 'minne.session') {
    throw new InvalidInputError(
      'session is not a serialised session. Hand over what serializeSession gave.',
      { ...options, field: 'session' },
    );
  }
  const { v, sessionId, actorId } = session;
  if (typeof v !== 'number' || !Number.isInteger(v) || v < 1) {
    throw new InvalidInputError('session.v is not a version number.', {
      ...options,
      field: 'session.v',
    });
  }
  checkId(sessionId, 'session.sessionId', options);
  if (actorId !== undefined) checkId(actorId, 'session.actorId', options);
  // Everything that the type names has been checked.
  return session as StorableSession;
}

import { InvalidInputError } from './errors.js';
import { checkId } from './history-key.js';
import { isJsonObject, type JsonObject, toJsonValue } from './json.js';
import type { AgentSession, SessionState } from './session.js';
import { decodeState, encodeState, type StateCodec } from './state-codec.js';

/** The layout of serialised sessions that this version writes. */
const sessionVersion = 1;

/** A session as a JSON value, in a versioned envelope. */
export interface SerializedSession extends JsonObject {
  readonly type: 'minne.session';
  readonly v: number;
  readonly sessionId: string;
}

/** How an application keeps its own things in session state. */
export interface SessionFormat {
  /** For values of the application's own types. */
  readonly codecs?: readonly StateCodec[];
  /** The version of the application's own part of `state`, from 1 up. Written with each session. */
  readonly version?: number;
  /**
   * Brings the state of an older version (0 when it was written without one) to the present one.
   * Codecs have not been applied to it yet. Needed as soon as `version` is raised.
   */
  migrate?(state: JsonObject, version: number): JsonObject;
}

/**
 * Writes a session down. The value shares nothing with the session.
 * @throws InvalidInputError with the path to whatever in `state` neither JSON nor a codec can carry.
 */
export function serializeSession(
  session: AgentSession,
  format: SessionFormat = {},
): SerializedSession {
  const { sessionId, actorId, serviceSessionId, state } = session;
  return {
    type: 'minne.session',
    v: sessionVersion,
    sessionId,
    ...(actorId === undefined ? {} : { actorId }),
    ...(serviceSessionId === undefined ? {} : { serviceSessionId }),
    ...(format.version === undefined ? {} : { stateVersion: format.version }),
    state: encodeState(state, format.codecs ?? [], 'session.state'),
  };
}

/**
 * Takes a session up again.
 * @throws InvalidInputError when the value is no session, or of a version that is newer than this one.
 */
export function deserializeSession(value: unknown, format: SessionFormat = {}): AgentSession {
  const envelope = toJsonValue(value, 'session');
  if (!isJsonObject(envelope) || envelope['type'] !== 'minne.session') {
    throw refused('session', 'is not a serialised session. Hand over what serializeSession gave.');
  }
  const version = envelope['v'];
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw refused('session.v', 'is not a version number.');
  }
  if (version > sessionVersion) {
    throw refused(
      'session.v',
      `is ${version}, and this version of @minne/core reads up to ${sessionVersion}. Update the package.`,
    );
  }
  return createSession({
    sessionId: text(envelope['sessionId'], 'session.sessionId'),
    ...optionalText(envelope, 'actorId'),
    ...optionalText(envelope, 'serviceSessionId'),
    state: slots(stateOf(envelope, format)),
  });
}

/**
 * A session of these parts.
 * @throws InvalidInputError when an id is one that {@link checkId} refuses.
 */
export function createSession(parts: {
  readonly sessionId: string;
  readonly actorId?: string;
  readonly serviceSessionId?: string;
  readonly state?: Record<string, SessionState>;
}): AgentSession {
  const { sessionId, actorId, serviceSessionId, state = {} } = parts;
  return {
    sessionId: text(sessionId, 'sessionId'),
    ...(actorId === undefined ? {} : { actorId: text(actorId, 'actorId') }),
    ...(serviceSessionId === undefined
      ? {}
      : { serviceSessionId: text(serviceSessionId, 'serviceSessionId') }),
    state,
  };
}

function text(value: unknown, field: string): string {
  checkId(value, field, { packageName: '@minne/core' });
  return value;
}

function optionalText(
  envelope: JsonObject,
  key: 'actorId' | 'serviceSessionId',
): { readonly [K in typeof key]?: string } {
  const value = envelope[key];
  return value === undefined ? {} : { [key]: text(value, `session.${key}`) };
}

function stateOf(envelope: JsonObject, { codecs = [], version = 0, migrate }: SessionFormat) {
  const state = envelope['state'];
  const { stateVersion = 0 } = envelope;
  if (!isJsonObject(state)) throw refused('session.state', 'must be an object.');
  if (typeof stateVersion !== 'number' || !Number.isInteger(stateVersion) || stateVersion < 0) {
    throw refused('session.stateVersion', 'is not a version number.');
  }
  if (stateVersion > version) {
    throw refused(
      'session.stateVersion',
      `is ${stateVersion}, and this application reads up to ${version}. Run the newer application.`,
    );
  }
  if (stateVersion === version) return decodeState(state, codecs, 'session.state');
  if (migrate === undefined) {
    throw refused(
      'session.stateVersion',
      `is ${stateVersion}, and this application writes ${version} but has no \`migrate\`.`,
    );
  }
  return decodeState(
    toJsonValue(migrate(state, stateVersion), 'session.state'),
    codecs,
    'session.state',
  );
}

function slots(value: unknown): Record<string, SessionState> {
  if (!isRecord(value)) throw refused('session.state', 'must be an object.');
  for (const [sourceId, slot] of Object.entries(value)) {
    if (!isRecord(slot)) throw refused(`session.state.${sourceId}`, 'must be an object.');
  }
  return value as Record<string, SessionState>;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused(field: string, problem: string): InvalidInputError {
  return new InvalidInputError(`${field} ${problem}`, { packageName: '@minne/core', field });
}

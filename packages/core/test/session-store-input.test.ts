import { describe, expect, it } from 'vitest';
import { checkSerializedSession, InvalidInputError } from '../src/index.js';
import { serializeSession } from '../src/session-codec.js';

const packageName = '@minne/session-test';
const session = serializeSession({ sessionId: 's', actorId: 'kim', state: { notes: { a: [1] } } });

describe('checkSerializedSession', () => {
  it('gives a copy that shares nothing with what it was given', () => {
    const checked = checkSerializedSession(session, { packageName });
    expect(checked).toEqual(session);
    expect(checked['state']).not.toBe(session['state']);
    expect([checked.sessionId, checked.actorId]).toEqual(['s', 'kim']);
  });

  it('keeps what only a newer version knows', () => {
    const newer = { ...session, v: 9, later: { thing: true } };
    expect(checkSerializedSession(newer, { packageName })).toEqual(newer);
  });

  it('refuses what no store can keep, and names the field', () => {
    const wrong: readonly (readonly [unknown, string])[] = [
      [undefined, 'session'],
      [JSON.stringify(session), 'session'],
      [[session], 'session'],
      [{ ...session, type: 'other' }, 'session'],
      [{ ...session, v: 0 }, 'session.v'],
      [{ ...session, v: '1' }, 'session.v'],
      [{ ...session, sessionId: '' }, 'session.sessionId'],
      [{ ...session, sessionId: 'x'.repeat(257) }, 'session.sessionId'],
      [{ ...session, actorId: 'a\0' }, 'session.actorId'],
      [{ ...session, actorId: null }, 'session.actorId'],
      [{ ...session, state: { a: Number.NaN } }, 'session.state.a'],
    ];
    for (const [value, field] of wrong) {
      const check = () => checkSerializedSession(value, { packageName });
      expect(check, field).toThrow(InvalidInputError);
      expect(check).toThrow(expect.objectContaining({ field }));
    }
  });
});

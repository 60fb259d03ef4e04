import { Agent, deserializeSession, serializeSession } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { ScriptedChatClient } from './scripted-chat-client.js';

const agent = new Agent({ chatClient: new ScriptedChatClient([]) });

describe('a session', () => {
  it('comes back as it was, and shares nothing with what was written', () => {
    const session = agent.createSession({ sessionId: 's', actorId: 'ann' });
    session.serviceSessionId = 'conversation';
    session.state['notes'] = { n: [1, { deep: true }] };
    const saved = serializeSession(session);
    session.state['notes']['n'] = 'changed';
    const resumed = deserializeSession(saved);
    expect(resumed).toEqual({
      sessionId: 's',
      actorId: 'ann',
      serviceSessionId: 'conversation',
      state: { notes: { n: [1, { deep: true }] } },
    });
  });

  it('is given an id of its own when none is named', () => {
    const ids = Array.from({ length: 100 }, () => agent.createSession().sessionId);
    expect(new Set(ids).size).toBe(100);
    expect(ids.toSorted()).toEqual(ids);
  });

  it.each([
    [undefined, 'session'],
    [{}, 'not a serialised session'],
    [{ type: 'minne.session', v: 2, sessionId: 's', state: {} }, 'reads up to 1'],
    [{ type: 'minne.session', v: '1', sessionId: 's', state: {} }, 'session.v'],
    [{ type: 'minne.session', v: 1, sessionId: '', state: {} }, 'session.sessionId'],
    [{ type: 'minne.session', v: 1, sessionId: 's', state: [] }, 'session.state'],
    [{ type: 'minne.session', v: 1, sessionId: 's', state: { x: 1 } }, 'session.state.x'],
    [{ type: 'minne.session', v: 1, sessionId: 's', actorId: 7, state: {} }, 'session.actorId'],
  ])('refuses to be resumed from %o', (value, text) => {
    expect(() => deserializeSession(value)).toThrow(text);
  });

  it('refuses state that JSON cannot carry, with the path to it', () => {
    const session = agent.createSession();
    Object.assign(session.state, { app: { when: { big: 1n } } });
    expect(() => serializeSession(session)).toThrow('session.state.app.when.big is bigint');
  });

  it.each(['', 'a\u0000b', '\ud800'])('refuses the session id %j', (sessionId) => {
    expect(() => agent.createSession({ sessionId })).toThrow('sessionId');
  });

  it('takes __proto__ as the name of a slot like any other', () => {
    const saved = JSON.parse(
      '{"type":"minne.session","v":1,"sessionId":"s","state":{"__proto__":{"polluted":true}}}',
    );
    const session = deserializeSession(saved);
    expect('polluted' in session.state).toBe(false);
    expect(JSON.stringify(serializeSession(session))).toContain('"__proto__":{"polluted":true}');
  });
});

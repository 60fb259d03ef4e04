import { Agent, defineStateCodec, deserializeSession, serializeSession } from '@minne/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScriptedChatClient } from './scripted-chat-client.js';

const dates = defineStateCodec<Date>({
  tag: 'date',
  is: (value) => value instanceof Date,
  encode: (value) => value.toISOString(),
  decode: (json) => {
    if (typeof json !== 'string' || Number.isNaN(Date.parse(json))) throw new Error('no date');
    return new Date(json);
  },
});
const bigints = defineStateCodec<bigint>({
  tag: 'bigint',
  is: (value) => typeof value === 'bigint',
  encode: String,
  decode: (json) => BigInt(String(json)),
});

function agentWith(
  sessionFormat: NonNullable<ConstructorParameters<typeof Agent>[0]['sessionFormat']>,
) {
  return new Agent({ chatClient: new ScriptedChatClient([]), sessionFormat });
}

describe('state codecs', () => {
  it('carry an application’s own types through serialise and resume', () => {
    const agent = agentWith({ codecs: [dates, bigints] });
    const session = agent.createSession();
    session.state['app'] = { trip: { from: new Date(5), seats: [1n, { n: 2n }] } };
    const saved = JSON.parse(JSON.stringify(agent.serializeSession(session)));
    expect(agent.deserializeSession(saved).state).toEqual(session.state);
  });

  it('bring any plain JSON back as it was, even when it looks like their own mark', () => {
    const key = fc.oneof(fc.constant('$minne'), fc.string());
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.dictionary(key, tie('tree')),
        fc.tuple(fc.string(), tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(key, tree), (slot) => {
        const plain = JSON.parse(JSON.stringify(slot));
        const session = { sessionId: 's', state: { app: plain } };
        const saved = JSON.parse(JSON.stringify(serializeSession(session, { codecs: [dates] })));
        expect(JSON.stringify(deserializeSession(saved, { codecs: [dates] }).state['app'])).toBe(
          JSON.stringify(plain),
        );
      }),
    );
  });

  it('say which codec is missing, and where one refuses', () => {
    const session = { sessionId: 's', state: { app: { when: new Date(0) } } };
    const saved = serializeSession(session, { codecs: [dates] });
    expect(() => deserializeSession(saved)).toThrow(
      'session.state.app.when was written by a codec with the tag "date"',
    );
    const spoilt = { ...saved, state: { app: { when: { $minne: ['date', 'never'] } } } };
    expect(() => deserializeSession(spoilt, { codecs: [dates] })).toThrow(
      'session.state.app.when is not what the codec date writes',
    );
  });

  it('refuse to stand beside another of the same tag', () => {
    expect(() => agentWith({ codecs: [dates, { ...bigints, tag: 'date' }] })).toThrow(
      'Two state codecs have the tag "date"',
    );
  });

  it('refuse state that is nested without end or in a circle', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => serializeSession({ sessionId: 's', state: { circle } })).toThrow('is a cycle');
    let deep: unknown = 'x';
    for (let level = 0; level < 10_000; level += 1) deep = { deep };
    expect(() => serializeSession({ sessionId: 's', state: { app: { deep } } })).toThrow(
      'nested deeper',
    );
  });
});

describe('migrations of state', () => {
  const rename = {
    version: 2,
    migrate: (state: Readonly<Record<string, unknown>>, version: number) => {
      const app = state['app'] as { seat: string };
      return version === 0 ? { app: { preferred: app.seat, since: version } } : { app: { ...app } };
    },
  };

  it('bring older state to the present version, and leave the present one alone', () => {
    const old = serializeSession({ sessionId: 's', state: { app: { seat: 'aisle' } } });
    const agent = agentWith(rename);
    const session = agent.deserializeSession(old);
    expect(session.state).toEqual({ app: { preferred: 'aisle', since: 0 } });
    const saved = agent.serializeSession(session);
    expect(saved['stateVersion']).toBe(2);
    expect(agent.deserializeSession(saved)).toEqual(session);
  });

  it('refuse a newer version, and an older one that nobody can migrate', () => {
    const saved = serializeSession({ sessionId: 's', state: {} }, { version: 3 });
    expect(() => agentWith(rename).deserializeSession(saved)).toThrow('reads up to 2');
    const old = serializeSession({ sessionId: 's', state: {} }, { version: 1 });
    expect(() => agentWith({ version: 2 }).deserializeSession(old)).toThrow('no `migrate`');
  });
});

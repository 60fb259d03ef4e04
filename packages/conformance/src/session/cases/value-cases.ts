import type { JsonObject, JsonValue, SerializedSession } from '@minne/core';
import { expect } from 'vitest';
import { expectRefused, tryToChange } from '../../shared/outcomes.js';
import { awkwardTexts } from '../../shared/sample-texts.js';
import { list, read, sessionOf } from '../sample-sessions.js';
import type { SessionStoreCase } from '../session-store-case.js';

/** Keeping exactly what was handed over, and handing out copies. */
export const valueCases: readonly SessionStoreCase[] = [
  {
    name: 'keeps every character of a session, in values and in names',
    async run(context) {
      const store = await context.open();
      const state: JsonObject = {
        values: awkwardTexts,
        names: Object.fromEntries(Object.values(awkwardTexts).map((text) => [text, text.length])),
      };
      await store.set(sessionOf('session', state));
      const { session } = await read(store);
      const stored = session['state'] as { values: JsonObject; names: JsonObject };
      for (const [name, text] of Object.entries(awkwardTexts)) {
        expect(stored.values[name], name).toBe(text);
        expect(stored.names[text], `${name} as a name`).toBe(text.length);
      }
    },
  },
  {
    name: 'keeps every kind of JSON value, and every name',
    async run(context) {
      const store = await context.open();
      const state = JSON.parse(`{
        "__proto__": { "polluted": true }, "constructor": {}, "": {}, "toJSON": {}, "then": {},
        "numbers": [0, 1e21, 1e-7, 0.1, 9007199254740991, -9007199254740991, 1.7976931348623157e308],
        "others": [null, true, false, "", [], {}, [[]], "2026-05-01T10:00:00.000Z", "12"]
      }`) as JsonObject;
      await store.set(sessionOf('session', { ...state, deep: nested(200) }));
      const { session } = await read(store);
      expect(JSON.stringify(session['state'])).toBe(
        JSON.stringify({ ...state, deep: nested(200) }),
      );
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    },
  },
  {
    name: 'keeps members and versions of a session that it does not know',
    async run(context) {
      const store = await context.open();
      const session: SerializedSession = {
        ...sessionOf('session'),
        v: 99,
        stateVersion: 7,
        serviceSessionId: 'response_1',
        later: { thing: [1] },
      };
      await store.set(session);
      expect((await read(store)).session).toStrictEqual(session);
    },
  },
  {
    name: 'keeps a session of 4 MiB',
    async run(context) {
      const store = await context.open();
      const text = Array.from({ length: 4096 }, (_, line) => `${line} `.padEnd(1023, 'xé')).join(
        '\n',
      );
      await store.set(sessionOf('session', { notes: { text } }));
      await store.set(sessionOf('small'));
      const { session } = await read(store);
      const { notes } = session['state'] as { notes: { text: string } };
      expect(notes.text === text, 'the text is the same').toBe(true);
      expect((await list(store)).length).toBe(2);
    },
  },
  {
    name: 'refuses what is no session or no JSON, and writes nothing of it',
    async run(context) {
      const store = await context.open();
      const before = await store.set(sessionOf('session'));
      const cycle: Record<string, unknown> = {};
      cycle['self'] = cycle;
      const bad: Readonly<Record<string, unknown>> = {
        nothing: undefined,
        null: null,
        text: JSON.stringify(sessionOf('session')),
        'a list': [sessionOf('session')],
        'another type': { ...sessionOf('session'), type: 'other' },
        'no version': { ...sessionOf('session'), v: 'one' },
        'no id': { ...sessionOf('session'), sessionId: 7 },
        'an actor that is no text': { ...sessionOf('session'), actorId: 7 },
        NaN: { ...sessionOf('session'), state: { a: { b: Number.NaN } } },
        'a bigint': { ...sessionOf('session'), state: { a: { b: 1n } } },
        'a function': { ...sessionOf('session'), state: { a: { b: () => 1 } } },
        'a cycle': { ...sessionOf('session'), state: cycle },
      };
      for (const [name, session] of Object.entries(bad)) {
        // What TypeScript would not let through.
        const write = store.set(session as SerializedSession);
        await expectRefused(write, 'invalid_input', name);
      }
      expect(await list(store)).toEqual([before]);
    },
  },
  {
    name: 'keeps nothing that a caller could change afterwards',
    async run(context) {
      const store = await context.open();
      const session = sessionOf('session', { notes: { items: ['one'] } }, 'kim');
      const writing = store.set(session);
      spoil(session);
      const written = await writing;
      const expected = sessionOf('session', { notes: { items: ['one'] } }, 'kim');
      const first = await read(store);
      expect(first.session).toEqual(expected);
      spoil(first.session);
      tryToChange(() => Object.assign(first, { version: 'spoilt' }));
      tryToChange(() => Object.assign(written, { version: 'spoilt', sessionId: 'spoilt' }));
      for (const listing of await list(store)) {
        tryToChange(() => Object.assign(listing, { sessionId: 'spoilt', actorId: 'spoilt' }));
      }
      const second = await read(store);
      expect(second.session).toEqual(expected);
      const { version, updatedAt } = second;
      const listing = { sessionId: 'session', actorId: 'kim', version, updatedAt };
      expect(await list(store, { actorId: 'kim' })).toEqual([listing]);
    },
  },
];

function nested(depth: number): JsonValue {
  let value: JsonValue = 'ground';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { level: value } : [value];
  return value;
}

/** Changes a session in every way that JavaScript allows. */
function spoil(session: SerializedSession): void {
  const { notes } = session['state'] as { notes: { items: string[] } };
  tryToChange(() => notes.items.push('spoilt'));
  tryToChange(() => Object.assign(notes, { spoilt: true }));
  tryToChange(() => Object.assign(session, { actorId: 'spoilt', state: {} }));
}

import { maximumKeyPartBytes } from '@minne/core';
import { expect } from 'vitest';
import { expectRefused } from '../../shared/outcomes.js';
import { listIds, read, sessionOf } from '../sample-sessions.js';
import type { SessionStoreCase } from '../session-store-case.js';

/** Ids that are paths, patterns, names of devices, and forms of one another. */
const hostileIds = [
  ...['session', 'Session', 'SESSION', ' session', 'session ', 'session.', 'session\n'],
  ...['é', 'e\u0301', 'É', 'ß', 'ss', 'İ', 'ı', 'ＱＲ７', 'QR7', '🙂', '将棋', '\u200bsession'],
  ...['.', '..', '../session', '../../etc/passwd', '/etc/passwd', 'C:\\x', '\\\\host\\x', '~'],
  ...['a/b', 'a\\b', 'a:b', 'a', 'b', 'a%2Fb', 'a%', 'a_', 'a*', 'a?', '[a]', '{a}', "a'b", 'a"b'],
  ...['CON', 'con', 'nul', 'COM1', 'lpt1.txt', 'aux.json', 'a.json', 'a.tmp', '.a', '-rf', '$HOME'],
  ...['__proto__', 'constructor', 'toString', 'null', 'undefined', '0', '00', '1e3', '\u0001'],
];

/** Telling sessions apart by their ids. */
export const idCases: readonly SessionStoreCase[] = [
  {
    name: 'takes session ids letter by letter: paths, patterns, names of devices, forms of a letter',
    async run(context) {
      const store = await context.open();
      for (const id of hostileIds) {
        expect(await store.get(id), `before ${JSON.stringify(id)} is written`).toBeUndefined();
        await store.set(sessionOf(id), { version: null });
      }
      for (const id of hostileIds) {
        expect((await read(store, id)).session, JSON.stringify(id)).toEqual(sessionOf(id));
      }
      expect(await listIds(store)).toEqual(hostileIds.toReversed());
      for (const [index, id] of hostileIds.entries()) {
        expect(await store.delete(id), JSON.stringify(id)).toBe(true);
        expect(await listIds(store)).toEqual(hostileIds.slice(index + 1).toReversed());
      }
    },
  },
  {
    name: 'accepts ids of 256 bytes and tells them apart by the last one',
    async run(context) {
      const store = await context.open();
      const ids = ['x'.repeat(255), `${'é'.repeat(126)}abc`, `${'🙂'.repeat(63)}abc`].flatMap(
        (start) => [`${start}1`, `${start}2`],
      );
      for (const id of ids) await store.set(sessionOf(id, { of: { id } }, id), { version: null });
      for (const id of ids) {
        expect((await read(store, id)).session).toEqual(sessionOf(id, { of: { id } }, id));
        expect(await listIds(store, { actorId: id })).toEqual([id]);
      }
    },
  },
  {
    name: 'refuses ids that are empty, too long or no valid text, in every call',
    async run(context) {
      const store = await context.open();
      const bad = ['', 'a\ud800', '\udc00', 'a\0b', 'x'.repeat(maximumKeyPartBytes + 1)];
      for (const id of bad) {
        const name = JSON.stringify(id).slice(0, 20);
        await expectRefused(store.get(id), 'invalid_input', `get of ${name}`);
        await expectRefused(store.delete(id), 'invalid_input', `delete of ${name}`);
        await expectRefused(store.set(sessionOf(id)), 'invalid_input', `set of ${name}`);
        const owned = sessionOf('session', {}, id);
        await expectRefused(store.set(owned), 'invalid_input', `set for the actor ${name}`);
      }
      expect(await listIds(store)).toEqual([]);
    },
  },
];

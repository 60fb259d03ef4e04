import { expect } from 'vitest';
import { expectRefused } from '../../shared/outcomes.js';
import { countIn, countOf, read, sessionOf } from '../sample-sessions.js';
import type { SessionStoreCase } from '../session-store-case.js';

/** Writing under a version. */
export const versionCases: readonly SessionStoreCase[] = [
  {
    name: 'writes under the version that was read, and under the one that a write gave',
    async run(context) {
      const store = await context.open();
      await store.set(countOf(1));
      const { version } = await read(store);
      const written = await store.set(countOf(2), { version });
      expect((await read(store)).version).toBe(written.version);
      await store.set(countOf(3), { version: written.version });
      expect(countIn(await store.get('session'))).toBe(3);
    },
  },
  {
    name: 'changes the version with every write, of the same session again, too',
    async run(context) {
      const store = await context.open();
      const versions = new Set<string>();
      for (let write = 0; write < 5; write++) versions.add((await store.set(countOf(1))).version);
      expect(versions.size).toBe(5);
    },
  },
  {
    name: 'refuses a write under another version than the stored one, and changes nothing',
    async run(context) {
      const store = await context.open();
      const { version: old } = await store.set(countOf(1));
      await store.set(countOf(2));
      const other = await store.set(countOf(1, 'another'));
      const before = await read(store);
      for (const version of [old, other.version, '', '0', `${before.version} `, 'no version']) {
        const write = store.set(countOf(9), { version });
        await expectRefused(write, 'conflict', `a write under ${JSON.stringify(version)}`);
      }
      expect(await read(store)).toEqual(before);
    },
  },
  {
    name: 'writes under null only when there is no session yet',
    async run(context) {
      const store = await context.open();
      await store.set(countOf(1), { version: null });
      await expectRefused(store.set(countOf(2), { version: null }), 'conflict');
      expect(countIn(await store.get('session'))).toBe(1);
      await store.delete('session');
      await store.set(countOf(3), { version: null });
      expect(countIn(await store.get('session'))).toBe(3);
    },
  },
  {
    name: 'refuses a version where there is no session',
    async run(context) {
      const store = await context.open();
      const { version } = await store.set(countOf(1));
      await expectRefused(store.set(countOf(1, 'new'), { version }), 'conflict');
      await store.delete('session');
      await expectRefused(store.set(countOf(2), { version }), 'conflict');
      expect(await store.get('session')).toBeUndefined();
      expect(await store.get('new')).toBeUndefined();
    },
  },
  {
    name: 'takes no version of a session that was deleted for the one that was written after it',
    async run(context) {
      const store = await context.open();
      const versions: string[] = [];
      for (let life = 0; life < 3; life++) {
        versions.push((await store.set(countOf(life))).version);
        versions.push((await store.set(countOf(life))).version);
        await store.delete('session');
      }
      await store.set(countOf(9));
      for (const version of versions) {
        await expectRefused(store.set(sessionOf('session'), { version }), 'conflict');
      }
      expect(countIn(await store.get('session'))).toBe(9);
    },
  },
];

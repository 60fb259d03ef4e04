import type { HistoryExpiryOptions } from '@minne/core';
import { expect } from 'vitest';
import { expectRefused } from '../../shared/outcomes.js';
import type { HistoryBackendCase } from '../history-backend-case.js';
import { idsIn, idsUpTo, keyOf, recordOf, recordsOf } from '../sample-records.js';
import { expireInTime } from './expiring-history.js';

const needs = ['expiry'] as const;

/** Parts of a ttl: one that is over only when it has passed twice, and one that is over at once. */
const most = 0.6;
const over = 1.2;

/** Sessions that are forgotten after a time. */
export const expiryCases: readonly HistoryBackendCase[] = [
  {
    name: 'forgets a session as a whole when its time is over, trimmed ids included',
    needs: ['expiry', 'trimming'],
    async run(context) {
      await expireInTime(context, { maxMessages: 2 }, async (expiring) => {
        await expiring.write('m1', 'm2');
        await expiring.write('m3');
        await expiring.expectThere('m2', 'm3');
        await expiring.wait(over);
        await expiring.expectGone();
      });
    },
  },
  {
    name: 'counts the time from the last replacement, too',
    needs: ['expiry', 'replace'],
    async run(context) {
      await expireInTime(context, {}, async (expiring) => {
        const { version } = await expiring.write('m1');
        await expiring.wait(most);
        await expiring.replace(recordsOf('m2'), version);
        await expiring.wait(most);
        await expiring.expectThere('m2');
      });
    },
  },
  {
    name: 'counts the time from the last write, and from no read',
    needs,
    async run(context) {
      await expireInTime(context, {}, async (expiring) => {
        await expiring.write('m1');
        await expiring.wait(most);
        await expiring.write('m2');
        await expiring.wait(most);
        // A load, that does not count.
        await expiring.expectThere('m1', 'm2');
        await expiring.wait(most);
        await expiring.expectGone();
      });
    },
  },
  {
    name: 'counts a fixed time from the first write, whatever is written later',
    needs,
    async run(context) {
      await expireInTime(context, { expiry: 'fixed' }, async (expiring) => {
        await expiring.write('m1');
        await expiring.wait(most);
        await expiring.write('m2');
        // It was the same life, in which the second write fell.
        await expiring.expectThere('m1', 'm2');
        await expiring.wait(most);
        await expiring.expectGone();
        await expiring.write('m3');
        await expiring.expectThere('m3');
      });
    },
  },
  {
    name: 'counts a fixed time anew when the session was cleared',
    needs,
    async run(context) {
      await expireInTime(context, { expiry: 'fixed' }, async (expiring) => {
        await expiring.write('m1');
        await expiring.wait(most);
        await expiring.clear();
        await expiring.write('m2');
        await expiring.wait(most);
        await expiring.expectThere('m2');
        await expiring.wait(most);
        await expiring.expectGone();
      });
    },
  },
  {
    name: 'takes a read for a write when it is asked to',
    needs,
    async run(context) {
      await expireInTime(context, { refreshOnRead: true }, async (expiring) => {
        await expiring.write('m1', 'm2');
        await expiring.wait(most);
        await expiring.read({ limit: 1 });
        await expiring.wait(most);
        await expiring.expectThere('m1', 'm2');
        await expiring.wait(over);
        await expiring.expectGone();
      });
    },
  },
  {
    name: 'takes an expired session for one that was never written',
    needs: ['expiry', 'replace'],
    async run(context) {
      await expireInTime(context, {}, async (expiring) => {
        const { history, key } = expiring;
        const { version } = await expiring.write('m1', 'm2');
        await expiring.wait(over);
        await expectRefused(history.replace(key, recordsOf('late'), { version }), 'conflict');
        const result = await expiring.write('m2', 'm1');
        expect(result.duplicates).toEqual([]);
        await expiring.expectThere('m2', 'm1');
        expect(result.version, 'no version comes twice').not.toBe(version);
        await expectRefused(history.replace(key, recordsOf('late'), { version }), 'conflict');
        await expiring.wait(over);
        const empty = await history.load(key);
        await expiring.replace(recordsOf('m3'), empty.version);
        await expiring.expectThere('m3');
      });
    },
  },
  {
    name: 'lists no session that has expired, and the others',
    needs: ['expiry', 'list'],
    async run(context) {
      await expireInTime(context, {}, async (expiring) => {
        const { history, key } = expiring;
        const actorId = `kim of ${key.sessionId}`;
        const other = { ...keyOf(`${key.sessionId} other`), actorId };
        await history.append({ ...key, actorId }, recordsOf('m1'));
        await expiring.wait(over);
        expect(await history.list({ actorId })).toEqual([]);
        await history.append(other, recordsOf('m1'));
        expect((await history.list({ actorId })).map((listing) => listing.key)).toEqual([other]);
        // What was an actor's is nobody's when it is written anew.
        await history.append(key, recordsOf('m1'));
        const listed = (await history.list({ actorId })).map((listing) => listing.key.sessionId);
        expect(listed).not.toContain(key.sessionId);
      });
    },
  },
  {
    name: 'counts no expired session among those that it erases',
    needs: ['expiry', 'erase'],
    async run(context) {
      await expireInTime(context, {}, async (expiring) => {
        const { history, key } = expiring;
        const actorId = `kim of ${key.sessionId}`;
        await history.append({ ...key, actorId }, recordsOf('m1'));
        await expiring.wait(over);
        expect(await history.eraseActor(actorId)).toBe(0);
        await expiring.expectGone();
      });
    },
  },
  {
    name: 'expires each session by itself, and none without a ttl',
    needs,
    async run(context) {
      await expireInTime(context, {}, async (expiring) => {
        const other = expiring.beside('other source');
        await expiring.write('m1');
        await expiring.wait(most);
        await other.write('n1');
        await expiring.wait(most);
        await expiring.expectGone();
        await other.expectThere('n1');
      });
      const lasting = await context.open();
      await lasting.append(keyOf('lasting'), recordsOf(...idsUpTo(3)));
      await context.wait(100);
      expect(idsIn(await lasting.load(keyOf('lasting')))).toEqual(idsUpTo(3));
    },
  },
  {
    name: 'trims by whole groups what will expire, and expires what was trimmed',
    needs: ['expiry', 'trimming'],
    async run(context) {
      await expireInTime(context, { maxMessages: 3 }, async (expiring) => {
        const { history, key } = expiring;
        await expiring.write('m1');
        await history.append(key, [
          recordOf('call', { kind: 'assistant', group: 'call' }),
          recordOf('result', { kind: 'tool', group: 'call' }),
        ]);
        await expiring.write('m2', 'm3');
        await expiring.expectThere('m2', 'm3');
        await expiring.wait(over);
        await expiring.expectGone();
        expect((await expiring.write('m1', 'call')).duplicates).toEqual([]);
        await expiring.expectThere('m1', 'call');
      });
    },
  },
  {
    name: 'refuses times that are none, and options that would do nothing',
    needs,
    async run(context) {
      const wrong: readonly HistoryExpiryOptions[] = [
        ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY].map((ttl) => ({ ttl })),
        { expiry: 'sliding' },
        { expiry: 'fixed' },
        { refreshOnRead: true },
        { ttl: 1000, expiry: 'fixed', refreshOnRead: true },
      ];
      for (const options of wrong) {
        await expectRefused(context.open(options), 'configuration', JSON.stringify(options));
      }
    },
  },
];

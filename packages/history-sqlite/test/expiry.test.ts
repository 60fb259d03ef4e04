import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { NewHistoryRecord } from '@minne/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteHistoryBackend, type SqliteHistoryBackendOptions } from '../src/index.js';
import { movableClock } from './movable-clock.js';
import { turnOf } from './processes/turn.js';
import { temporaryStore } from './temporary-store.js';

const key = { sessionId: 's', sourceId: 'history', actorId: 'kim' };
const other = { ...key, sessionId: 'other', actorId: 'lee' };
const secret = 'the rusty key is under the blue pot';

describe('an expired history', () => {
  it('is gone at the millisecond that ttl names, and counts on where it ended', async () => {
    const { backend, advance } = open({ ttl: 1000 });
    const before = await backend.append(key, turnOf('t'));
    advance(999);
    expect((await backend.load(key)).records.length).toBe(2);
    advance(1);
    const gone = await backend.load(key, { ids: ['t.user'] });
    expect(gone).toEqual({ records: [], version: '0', knownIds: [], damaged: [] });
    expect(await backend.append(key, [])).toEqual({ version: '0', duplicates: [] });
    const after = await backend.append(key, turnOf('t'));
    expect(after.duplicates).toEqual([]);
    expect(Number(after.version)).toBeGreaterThan(Number(before.version));
    expect((await backend.load(key)).records.map(({ sequence }) => sequence)).toEqual([3, 4]);
  });

  it('leaves no word in the file or its log once its key is written again', async () => {
    const { backend, path, advance } = open({ ttl: 1000 });
    await backend.append(key, [recordOf('m1', secret.repeat(300)), recordOf('m2', secret)]);
    advance(1000);
    expect(wordsIn(path)).toContain(secret);
    await backend.append(key, [recordOf('m3', 'nothing of note')]);
    expect(wordsIn(path)).not.toContain(secret);
    expect(wordsIn(path)).toContain('nothing of note');
  });

  it('leaves no word in the file or its log after the next writes of other keys', async () => {
    const { backend, path, advance } = open({ ttl: 1000 });
    for (const sessionId of ['s1', 's2', 's3']) {
      await backend.append({ ...key, sessionId }, [recordOf('m1', secret.repeat(300))]);
    }
    advance(1000);
    await backend.append(other, turnOf('t'));
    await backend.append(other, turnOf('u'));
    expect(wordsIn(path)).not.toContain(secret);
    expect(historiesIn(path)).toEqual(['other']);
    expect((await backend.load(other)).records.length).toBe(4);
  });

  it('leaves no word in the file or its log when it is cleared, or its actor erased', async () => {
    for (const forget of ['clear', 'eraseActor'] as const) {
      const { backend, path, advance } = open({ ttl: 1000 });
      await backend.append(key, [recordOf('m1', secret.repeat(300))]);
      advance(1000);
      if (forget === 'clear') await backend.clear(key);
      else expect(await backend.eraseActor('kim'), 'it counts no more').toBe(0);
      expect(wordsIn(path)).not.toContain(secret);
    }
  });

  it('is as expired to a backend that was opened without ttl', async () => {
    const { backend, path, clock, advance } = open({ ttl: 1000 });
    await backend.append(key, turnOf('t'));
    advance(1000);
    const lasting = reopen({ path, clock });
    expect((await lasting.load(key)).records).toEqual([]);
    expect(await Array.fromAsync(lasting.list({ actorId: 'kim' }))).toEqual([]);
    expect(await lasting.purgeExpired()).toBe(1);
  });

  it('does not come back in part to a clock that is behind', async () => {
    const { backend, path, advance } = open({ ttl: 1000 });
    const behind = reopen({ path, clock: movableClock().clock });
    await backend.append(key, turnsOf(300));
    await backend.append(key, turnsOf(300, 'more'));
    advance(1000);
    expect((await behind.load(key)).records.length).toBe(1200);
    // A write sweeps some of it.
    await backend.append(other, turnOf('t'));
    await backend.append(other, []);
    await expect.poll(() => recordsIn(path)).toBeLessThan(1202);
    expect((await behind.load(key)).records).toEqual([]);
  });
});

describe('a write', () => {
  it('sweeps no more than a few hundred records, however much has expired', async () => {
    const { backend, path, advance } = open({ ttl: 1000 });
    await backend.append(key, turnsOf(1000));
    advance(1000);
    let before = recordsIn(path);
    for (let write = 0; before > 2 && write < 30; write++) {
      await backend.append(other, turnOf(`t${write}`));
      // The sweep runs behind the write, and before this one.
      await backend.clear({ ...key, sessionId: 'nobody' });
      const after = recordsIn(path);
      expect(before - after).toBeLessThanOrEqual(2 * 200);
      if (historiesIn(path).length === 1) return;
      before = after;
    }
    expect.fail('The expired history was never swept.');
  });

  it('counts the end from itself, also after the ttl was changed, and not at all without one', async () => {
    const { backend, path, clock, advance } = open({ ttl: 1000 });
    await backend.append(key, turnOf('t'));
    await backend.append(other, turnOf('t'));
    const longer = reopen({ path, clock, ttl: 5000, expiry: 'fixed' });
    const lasting = reopen({ path, clock });
    advance(500);
    await longer.append(key, turnOf('u'));
    await lasting.append(other, turnOf('u'));
    advance(4499);
    expect((await backend.load(key)).records.length).toBe(4);
    advance(1);
    expect((await backend.load(key)).records).toEqual([]);
    advance(1e12);
    expect((await backend.load(other)).records.length).toBe(4);
  });

  it('of nothing new does not put off the end', async () => {
    const { backend, advance } = open({ ttl: 1000 });
    await backend.append(key, turnOf('t'));
    advance(600);
    await backend.append(key, turnOf('t'));
    advance(400);
    expect((await backend.load(key)).records).toEqual([]);
  });

  it('begins a fixed time anew when the history was emptied', async () => {
    const { backend, advance } = open({ ttl: 1000, expiry: 'fixed' });
    const { version } = await backend.append(key, turnOf('t'));
    advance(600);
    await backend.replace(key, [], { version });
    await backend.append(key, turnOf('u'));
    advance(600);
    expect((await backend.load(key)).records.length).toBe(2);
    advance(400);
    expect((await backend.load(key)).records).toEqual([]);
  });

  it('stands when the sweep behind it fails, and goes on standing', async () => {
    const { backend, path, advance } = open({ ttl: 1000 });
    await backend.append(key, turnOf('t'));
    advance(1000);
    const database = new DatabaseSync(path);
    onTestFinished(() => database.close());
    database.exec(`CREATE TRIGGER refuse BEFORE DELETE ON minne_history_record
      BEGIN SELECT RAISE(ABORT, 'no deletion today'); END`);
    for (const name of ['a', 'b', 'c']) await backend.append(other, turnOf(name));
    expect((await backend.load(other)).records.length).toBe(6);
    await expect(backend.purgeExpired()).rejects.toThrow('no deletion today');
    database.exec('DROP TRIGGER refuse');
    expect(await backend.purgeExpired()).toBe(1);
  });
});

describe('a read', () => {
  it('puts off the end when it is asked to, a page of no records too, and changes no version', async () => {
    const { backend, advance } = open({ ttl: 1000, refreshOnRead: true });
    const { version } = await backend.append(key, turnOf('t'));
    for (let read = 0; read < 3; read++) {
      advance(900);
      expect((await backend.load(key, { limit: 0 })).version).toBe(version);
    }
    expect((await backend.load(key)).records.length).toBe(2);
    advance(1000);
    expect((await backend.load(key)).records).toEqual([]);
    expect(await backend.purgeExpired()).toBe(1);
  });

  it('fails when it cannot put off the end, rather than let the history expire unsaid', async () => {
    const { backend, path } = open({ ttl: 1000, refreshOnRead: true, busyTimeout: 20 });
    await backend.append(key, turnOf('t'));
    const writer = new DatabaseSync(path);
    onTestFinished(() => writer.close());
    writer.exec('BEGIN IMMEDIATE');
    await expect(backend.load(key)).rejects.toMatchObject({ retryable: true, sessionId: 's' });
    expect((await backend.load(other)).records, 'of nothing is nothing put off').toEqual([]);
    writer.exec('ROLLBACK');
    expect((await backend.load(key)).records.length).toBe(2);
  });
});

describe('purgeExpired', () => {
  it('takes all that has expired out of the file, in steps, and says how many histories it was', async () => {
    const { backend, path, advance } = open({ ttl: 1000, maxMessages: 500 });
    for (const sessionId of ['s1', 's2', 's3']) {
      await backend.append({ ...key, sessionId }, turnsOf(450));
    }
    await backend.append({ ...key, sessionId: 's4' }, [recordOf('m1', secret.repeat(100_000))]);
    advance(1000);
    await backend.append(other, turnOf('t'));
    await backend.close();
    const again = reopen({ path, clock: () => new Date(Date.UTC(2026, 5, 1)) });
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    });
    const purged = await again.purgeExpired();
    clearInterval(turning);
    expect(purged, 'one more may have been swept by the write').toBeGreaterThanOrEqual(4);
    expect(turns, 'others had their turn').toBeGreaterThan(0);
    expect(recordsIn(path)).toBe(0);
    expect(wordsIn(path)).not.toContain(secret);
    expect(await again.purgeExpired()).toBe(0);
  });

  it('stops between two steps when the signal aborts', async () => {
    const { backend, path, advance } = open({ ttl: 1000 });
    await backend.append(key, turnsOf(1000));
    advance(1000);
    const controller = new AbortController();
    const reason = new Error('stopped by the caller');
    setImmediate(() => controller.abort(reason));
    await expect(backend.purgeExpired({ signal: controller.signal })).rejects.toBe(reason);
    expect(recordsIn(path)).toBeGreaterThan(0);
    expect(await backend.purgeExpired()).toBe(1);
  });
});

describe('options of expiry', () => {
  it('are refused when they would do nothing', () => {
    for (const options of [{ ttl: 0 }, { expiry: 'fixed' }, { refreshOnRead: true }]) {
      expect(() =>
        Reflect.construct(SqliteHistoryBackend, [{ path: ':memory:', ...options }]),
      ).toThrow(expect.objectContaining({ code: 'configuration' }));
    }
  });

  it('reach to the end of what a Date can name', async () => {
    const backend = reopen({
      path: ':memory:',
      ttl: 100_000 * 365 * 24 * 60 * 60 * 1000,
      clock: () => new Date(8.64e15),
    });
    await backend.append(key, turnOf('t'));
    expect((await backend.load(key)).records.length).toBe(2);
  });

  it('need a clock that names a time', async () => {
    const backend = reopen({ path: ':memory:', ttl: 1, clock: () => new Date('noon') });
    await expect(backend.append(key, turnOf('t'))).rejects.toMatchObject({
      code: 'configuration',
      field: 'clock',
    });
  });
});

function open(given: Omit<SqliteHistoryBackendOptions, 'path' | 'database'>) {
  const { path, remove } = temporaryStore();
  onTestFinished(remove);
  const { clock, advance } = movableClock();
  return { backend: reopen({ path, clock, ...given }), path, clock, advance };
}

function reopen(options: SqliteHistoryBackendOptions): SqliteHistoryBackend {
  const backend = new SqliteHistoryBackend(options);
  onTestFinished(() => backend.close());
  return backend;
}

/** What is in the file and in the log beside it. */
function wordsIn(path: string): string {
  return ['', '-wal'].map((suffix) => readFileSync(path + suffix, 'latin1')).join('');
}

function recordsIn(path: string): number {
  return Number(ask(path, 'SELECT count(*) AS value FROM minne_history_record')[0]);
}

function historiesIn(path: string): unknown[] {
  return ask(path, 'SELECT session_id AS value FROM minne_history_session');
}

function ask(path: string, sql: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => row['value']);
  } finally {
    database.close();
  }
}

function turnsOf(count: number, name = 'turn'): NewHistoryRecord[] {
  return Array.from({ length: count }, (_, index) => turnOf(`${name}${index}`)).flat();
}

function recordOf(id: string, payload: string): NewHistoryRecord {
  return { v: 1, id, group: id, kind: 'user', payload };
}

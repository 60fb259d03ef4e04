import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryKey, NewHistoryRecord } from '@minne/core';
import { type PostgresServer, serverMissing, startPostgres } from '@minne/test-servers';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PostgresHistoryBackend, type PostgresHistoryCommonOptions } from '../src/index.js';
import { newSchema, poolOf } from './test-database.js';

const key = { sessionId: 's', sourceId: 'history' };
const missing = serverMissing('postgres');

describe.skipIf(missing !== undefined)(`PostgresHistoryBackend ${missing ?? ''}`, () => {
  let server: PostgresServer;
  let administrator: Pool;

  beforeAll(async () => {
    server = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off' } });
    administrator = poolOf(server.url);
  }, 60_000);

  afterAll(async () => {
    await administrator.end();
    await server.remove();
  });

  function open(options: PostgresHistoryCommonOptions = {}) {
    const schema = options.schema ?? newSchema();
    const given = { connectionString: server.url, ...options, schema };
    const backend = new PostgresHistoryBackend(given);
    onTestFinished(() => backend.close());
    return { backend, schema };
  }

  async function count(text: string): Promise<number> {
    const { rows } = await administrator.query(`SELECT (${text})::int AS count`);
    return rows[0].count;
  }

  it('gives back every character and any mixture of what it writes in their place', async () => {
    const { backend } = open();
    const payloads = [
      'a\0b',
      '\x01',
      '\x010',
      '\0\x011\0',
      '\x01\x01\0',
      '\\x01',
      '\u{10ffff}\ufeff\x7f',
    ];
    await backend.append(
      key,
      payloads.map((payload, index) => recordOf(`m${index}`, payload)),
    );
    const { records } = await backend.load(key);
    expect(records.map(({ payload }) => payload)).toEqual(payloads);
  });

  it('keeps a message as the text it is, readable by SQL', async () => {
    const { backend, schema } = open();
    const payload = '{"text":"å \\u0000 \\\\u0000 🙂","n":1e400}';
    await backend.append(key, [recordOf('m1', payload)]);
    const { rows } = await administrator.query(`SELECT payload FROM ${schema}.history_record`);
    expect(rows).toEqual([{ payload }]);
  });

  it('keeps a message of 20 MB', async () => {
    const { backend } = open();
    const payload = 'åäö🙂"\\ \0'.repeat(1_500_000);
    expect(Buffer.byteLength(payload)).toBeGreaterThan(20_000_000);
    await backend.append(key, [recordOf('m1', payload)]);
    const [record] = (await backend.load(key)).records;
    expect(record?.payload === payload, 'the text is the same').toBe(true);
  }, 60_000);

  it('takes every id at its longest, in each index', async () => {
    const { backend } = open({ maxMessages: 2 });
    // Random, since PostgreSQL compresses what goes into an index.
    const long = (bytes: number) =>
      Array.from({ length: bytes }, () => String.fromCharCode(33 + Math.random() * 90)).join('');
    const longest = { sessionId: long(256), sourceId: long(256), actorId: long(256) };
    const records = Array.from({ length: 4 }, () => ({
      ...recordOf(long(1024)),
      group: long(1024),
    }));
    await backend.append(longest, records);
    const ids = records.map(({ id }) => id);
    const loaded = await backend.load(longest, { ids });
    expect(loaded.records.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(loaded.knownIds.toSorted()).toEqual(ids.toSorted());
    const [listing] = await Array.fromAsync(backend.list({ actorId: longest.actorId }));
    expect(listing?.key).toEqual(longest);
  });

  it('remembers the 10,000 newest ids of what it trimmed', async () => {
    const { backend, schema } = open({ maxMessages: 1 });
    const ids = Array.from({ length: 10_003 }, (_, index) => `m${index + 1}`);
    await backend.append(
      key,
      ids.map((id) => recordOf(id)),
    );
    const { records, knownIds } = await backend.load(key, { ids: ['m1', 'm2', 'm3', 'm10003'] });
    expect(records.map(({ id }) => id)).toEqual(['m10003']);
    expect(knownIds).toEqual(['m3', 'm10003']);
    expect(await count(`SELECT count(*) FROM ${schema}.history_removed`)).toBe(10_000);
  }, 60_000);

  it('reads no table from end to end, however many sessions there are', async () => {
    const { backend, schema } = open({ maxMessages: 6, ttl: 600_000, refreshOnRead: true });
    await backend.open();
    const filling = poolOf(server.url, 1);
    await filling.query(
      `INSERT INTO ${schema}.history_session
         (session_id, source_id, actor_id, version, last_sequence, record_count, removed_count, activity, expires_at)
         SELECT 'other ' || n, 'history', 'actor ' || n % 100, 4, 4, 4, 1,
           nextval('${schema}.history_activity'), now() + interval '1 day' FROM generate_series(1, 5000) n;
       INSERT INTO ${schema}.history_record SELECT history, n, 1, 'm' || n, 'm' || n, 'user', '{}'
         FROM ${schema}.history_session, generate_series(1, 4) n;
       INSERT INTO ${schema}.history_removed SELECT history, 'm0', 0 FROM ${schema}.history_session`,
    );
    const tables = `FROM pg_stat_user_tables WHERE schemaname = '${schema}' AND relname <> 'history_meta'`;
    const read = () => count(`SELECT sum(seq_tup_read) ${tables}`);
    const owned = { ...key, actorId: 'actor 1' };
    // What a connection has counted is written down when it ends: here, that it read 5,000 sessions twice.
    await filling.end();
    await expect.poll(read, { timeout: 10_000 }).toBe(10_000);
    for (let turn = 0; turn < 8; turn++) {
      await backend.append(owned, [recordOf(`n${turn}.1`), recordOf(`n${turn}.2`)]);
      await backend.load(owned, { limit: 3, ids: ['n0.1', 'n99'] });
    }
    const { records, version } = await backend.load(owned);
    await backend.replace(owned, records.slice(1), { version });
    expect((await Array.fromAsync(backend.list({ actorId: 'actor 1' }))).length).toBe(51);
    expect(await backend.eraseActor('actor 2')).toBe(50);
    expect(await backend.purgeExpired()).toBe(0);
    await backend.clear(owned);
    await backend.close();
    await expect
      .poll(() => count(`SELECT sum(idx_scan) ${tables} AND relname = 'history_removed'`), {
        timeout: 10_000,
      })
      .toBeGreaterThan(16);
    expect(await read()).toBe(10_000);
  }, 60_000);

  it('lists and erases more than a page, letter by letter', async () => {
    const { backend } = open();
    const append = (sessionId: string, actorId: string) =>
      backend.append({ ...key, sessionId, actorId }, [recordOf('m1')]);
    const sessions = Array.from({ length: 250 }, (_, index) => `100%_${index}`);
    for (const sessionId of sessions) await append(sessionId, 'kim_');
    for (const actorId of ['kim%', 'kimx', 'KIM_']) await append(`of ${actorId}`, actorId);
    const listed: string[] = [];
    for await (const listing of backend.list({ actorId: 'kim_' })) {
      listed.push(listing.key.sessionId);
      // What begins while the list is read makes no gap and no repetition.
      if (listed.length === 100) await append('new', 'kim_');
    }
    expect(listed).toEqual(sessions.toReversed());
    expect(await backend.eraseActor('kim_')).toBe(251);
    expect(await Array.fromAsync(backend.list({ actorId: 'kim_' }))).toEqual([]);
    for (const actorId of ['kim%', 'kimx', 'KIM_']) {
      expect((await Array.fromAsync(backend.list({ actorId }))).length).toBe(1);
    }
  }, 60_000);

  it('erases an actor who goes on writing, and comes to an end', async () => {
    const { backend } = open();
    const keyOf = (index: number): HistoryKey => ({
      ...key,
      sessionId: `s${index}`,
      actorId: 'kim',
    });
    for (let index = 0; index < 120; index++) await backend.append(keyOf(index), [recordOf('m1')]);
    let isOver = false;
    const writing = (async () => {
      for (let turn = 2; !isOver; turn++) {
        await backend.append(keyOf(turn % 120), [recordOf(`m${turn}`), recordOf(`m${turn} too`)]);
      }
    })();
    expect(await backend.eraseActor('kim')).toBeGreaterThanOrEqual(120);
    isOver = true;
    await writing;
    for (let index = 0; index < 120; index++) {
      const { records } = await backend.load(keyOf(index));
      expect(records.map(({ id }) => id)).not.toContain('m1');
      expect(records.length % 2, 'an append is there as a whole').toBe(0);
    }
  }, 60_000);

  it('counts on where it was after a session was forgotten in any way', async () => {
    const { backend, schema } = open({ ttl: 600_000 });
    const owned = { ...key, actorId: 'kim' };
    const expire = () =>
      administrator.query(`UPDATE ${schema}.history_session SET expires_at = now()`);
    const ways = [
      () => backend.clear(owned),
      () => backend.eraseActor('kim'),
      () => expire(),
      async () => {
        await expire();
        expect(await backend.purgeExpired()).toBe(1);
      },
    ];
    let [sequence, version] = [0, 0];
    for (const forget of ways) {
      const appended = await backend.append(owned, [recordOf('m1'), recordOf('m2')]);
      const { records } = await backend.load(owned);
      expect(Number(appended.version)).toBeGreaterThan(version);
      expect(records[0]?.sequence).toBeGreaterThan(sequence);
      version = Number(appended.version);
      sequence = records[1]?.sequence ?? 0;
      await forget();
      expect(await backend.load(owned, { ids: ['m1'] })).toEqual({
        records: [],
        version: '0',
        knownIds: [],
        damaged: [],
      });
    }
  });

  it('takes what has expired from the tables: all of it when asked, two with each new session', async () => {
    const { backend, schema } = open({ ttl: 600_000, maxMessages: 3 });
    for (let index = 0; index < 5; index++) {
      const records = ['m1', 'm2', 'm3', 'm4'].map((id) => recordOf(id));
      await backend.append({ ...key, sessionId: `s${index}` }, records);
    }
    await administrator.query(`UPDATE ${schema}.history_session SET expires_at = now()`);
    const sessions = `SELECT count(*) FROM ${schema}.history_session`;
    expect(await count(sessions)).toBe(5);
    await backend.append({ ...key, sessionId: 'new' }, [recordOf('m1')]);
    expect(await count(sessions)).toBe(4);
    await backend.append({ ...key, sessionId: 'new' }, [recordOf('m2')]);
    expect(await count(sessions)).toBe(4);
    expect(await backend.purgeExpired()).toBe(3);
    expect(await count(sessions)).toBe(1);
    expect(await count(`SELECT count(*) FROM ${schema}.history_record`)).toBe(2);
    expect(await count(`SELECT count(*) FROM ${schema}.history_removed`)).toBe(0);
  });

  it('forgets in statements that are short, however long the sessions are', async () => {
    const { backend, schema } = open();
    await backend.open();
    const fill = () =>
      administrator.query(
        `INSERT INTO ${schema}.history_session (session_id, source_id, actor_id, last_sequence,
           version, record_count, activity, expires_at)
           SELECT 's' || n, 'history', 'kim', 9000, 9000, 9000, n, 'infinity' FROM generate_series(1, 4) n;
         INSERT INTO ${schema}.history_record SELECT history, n, 1, 'm' || n, 'm' || n, 'user', '{}'
           FROM ${schema}.history_session, generate_series(1, 9000) n`,
      );
    // Every row tells the transaction that took it away.
    await administrator.query(
      `CREATE TABLE ${schema}.gone (transaction bigint);
       CREATE FUNCTION ${schema}.note() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN INSERT INTO ${schema}.gone VALUES (txid_current()); RETURN OLD; END $$;
       CREATE TRIGGER note BEFORE DELETE ON ${schema}.history_record
         FOR EACH ROW EXECUTE FUNCTION ${schema}.note()`,
    );
    const most = `SELECT max(rows) FROM
      (SELECT count(*) AS rows FROM ${schema}.gone GROUP BY transaction) AS gone`;
    await fill();
    await administrator.query(`UPDATE ${schema}.history_session SET expires_at = now()`);
    expect(await backend.purgeExpired()).toBe(4);
    expect(await count(most)).toBeLessThanOrEqual(10_000);
    await administrator.query(`TRUNCATE ${schema}.gone`);
    await fill();
    expect(await backend.eraseActor('kim')).toBe(4);
    expect(await count(most)).toBeLessThan(20_000);
    expect(await count(`SELECT count(*) FROM ${schema}.history_record`)).toBe(0);
  }, 60_000);

  it('does not bring back a part of what has expired, when the clock of the server is put back', async () => {
    const { backend, schema } = open({ ttl: 600_000 });
    await backend.append(
      key,
      Array.from({ length: 1001 }, (_, index) => recordOf(`m${index}`)),
    );
    await administrator.query(`UPDATE ${schema}.history_session SET expires_at = now()`);
    await backend.append({ ...key, sessionId: 'new' }, [recordOf('m1')]);
    expect(await count(`SELECT count(*) FROM ${schema}.history_record`)).toBe(2);
    expect(
      await count(
        `SELECT count(*) FROM ${schema}.history_session WHERE expires_at < now() - interval '1 year'`,
      ),
    ).toBe(1);
    expect(await backend.purgeExpired()).toBe(1);
  });

  it('keeps a session for ever that was last written without a ttl', async () => {
    const { backend, schema } = open({ ttl: 300 });
    const lasting = open({ schema }).backend;
    await backend.append(key, [recordOf('m1')]);
    await lasting.append(key, [recordOf('m2')]);
    await sleep(400);
    expect((await backend.load(key)).records.length).toBe(2);
  });
});

function recordOf(id: string, payload = JSON.stringify({ id })): NewHistoryRecord {
  return { v: 1, id, group: id, kind: 'user', payload };
}

import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError, type SerializedSession, type Warning } from '@minne/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SqliteSessionStore, type SqliteSessionStoreOptions } from '../src/index.js';
import { sessionSql } from '../src/session-sql.js';
import { damageSession, editSession } from './damage-session.js';
import { temporaryFile } from './temporary-file.js';

describe('the file', () => {
  it('is made at the first call, with its folder, for its owner only', async () => {
    const path = join(dirname(temporaryFile()), 'a', 'b', 'sessions.db');
    const store = open({ path });
    expect(() => statSync(dirname(path))).toThrow(/ENOENT/);
    await store.set(sessionOf('session'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    for (const beside of ['-wal', '-shm']) expect(statSync(path + beside).mode & 0o777).toBe(0o600);
  });

  it('holds nothing of a session that was replaced or deleted', async () => {
    const path = temporaryFile();
    const store = open({ path });
    const secret = 'a secret that nobody else may read';
    await store.set(sessionOf('replaced', { notes: { text: secret } }));
    await store.set(sessionOf('deleted', { notes: { text: secret } }));
    damageSession(path, 'deleted');
    expect(await store.get('deleted')).toBeUndefined();
    await store.set(sessionOf('replaced'));
    await store.delete('deleted');
    const database = new DatabaseSync(path);
    onTestFinished(() => database.close());
    expect(readText(path)).not.toContain(secret);
    expect(readText(`${path}-wal`)).not.toContain(secret);
    expect(count(database, 'minne_damaged_sessions')).toBe(0);
  });

  it('is refused when it is no database, and when a newer version made its tables', async () => {
    const text = temporaryFile();
    writeFileSync(text, 'This is a text file, and a long one, that nobody meant to be a database.');
    await expect(open({ path: text }).get('session')).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(/no SQLite database; set path/),
    });
    const newer = temporaryFile();
    await open({ path: newer }).set(sessionOf('session'));
    const database = new DatabaseSync(newer);
    database.exec("UPDATE minne_session_meta SET value = 9 WHERE name = 'schema_version'");
    database.close();
    await expect(open({ path: newer }).get('session')).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(/layout 9.*Update @minne\/session-sqlite/),
    });
  });

  it('is refused when it is a folder', async () => {
    await expect(open({ path: dirname(temporaryFile()) }).get('s')).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(/set path to a file/i),
    });
  });
});

describe('a file that is gone', () => {
  it('is not written, and used again when it is put back', async () => {
    const path = temporaryFile();
    const store = open({ path });
    await store.set(sessionOf('session'));
    renameSync(path, `${path}.elsewhere`);
    const lost = {
      code: 'store_failed',
      field: 'path',
      message: expect.stringContaining(
        'session store was removed, or another was put in its place',
      ),
    };
    await expect(store.set(sessionOf('session', { late: {} }))).rejects.toMatchObject(lost);
    await expect(store.get('session')).rejects.toMatchObject(lost);
    await expect(Array.fromAsync(store.list())).rejects.toMatchObject(lost);
    await expect(store.delete('session')).rejects.toMatchObject(lost);
    renameSync(`${path}.elsewhere`, path);
    expect((await store.get('session'))?.session).toEqual(sessionOf('session'));
  });
});

describe('another connection that is writing', () => {
  it('is waited for while the event loop runs, and not for ever', async () => {
    const path = temporaryFile();
    await open({ path }).set(sessionOf('session'));
    const other = new DatabaseSync(path);
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const impatient = open({ path, busyTimeout: 50 });
    await expect(impatient.set(sessionOf('session'))).rejects.toMatchObject({
      code: 'store_failed',
      retryable: true,
      sessionId: 'session',
      message: expect.stringMatching(/busyTimeout/),
    });
    expect(await impatient.get('session'), 'reading goes on').toBeDefined();
    setTimeout(() => other.exec('COMMIT'), 100);
    await open({ path }).set(sessionOf('session', { late: {} }));
    expect((await impatient.get('session'))?.session['state']).toEqual({ late: {} });
  });

  it('is waited for no longer than the signal allows', async () => {
    const path = temporaryFile();
    await open({ path }).set(sessionOf('session'));
    const other = new DatabaseSync(path);
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const reason = new Error('stopped by the caller');
    const controller = new AbortController();
    const writing = open({ path }).set(sessionOf('session'), { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    await expect(writing).rejects.toBe(reason);
  });
});

describe('a session that cannot be read', () => {
  const damages: Readonly<Record<string, string>> = {
    cut: 'substr(session, 1, 20)',
    empty: "''",
    'no UTF-8': "CAST(x'7bfffe7d' AS TEXT)",
    'another JSON': "'[]'",
    'no session': `'{"type":"minne.session"}'`,
    'another session': `replace(session, '"session"', '"another"')`,
  };

  it.each(Object.keys(damages))(
    '(%s) is moved to a table of its own, and told of once',
    async (kind) => {
      const path = temporaryFile();
      const warnings: Warning[] = [];
      const store = open({ path, onDiagnostic: (warning) => warnings.push(warning) });
      const { version } = await store.set(sessionOf('session', {}, 'kim'));
      await store.set(sessionOf('other', {}, 'kim'));
      editSession(path, 'session', damages[kind] ?? '');
      expect(await store.get('session')).toBeUndefined();
      const message = expect.stringMatching(/session session .*minne_damaged_sessions/);
      expect(warnings).toEqual([{ code: 'damaged_session', message }]);
      const database = new DatabaseSync(path);
      const aside = database
        .prepare(
          'SELECT version, session_id, actor_id, length(problem) > 0 AS told FROM minne_damaged_sessions',
        )
        .all();
      database.close();
      expect(aside).toEqual([
        { version: Number(version), session_id: 'session', actor_id: 'kim', told: 1 },
      ]);
      expect((await Array.fromAsync(store.list({ actorId: 'kim' }))).length).toBe(1);
      await store.set(sessionOf('session'), { version: null });
      expect((await store.get('session'))?.session).toEqual(sessionOf('session'));
      expect(warnings.length).toBe(1);
    },
  );

  it('is told of by the process when nobody listens', async () => {
    const path = temporaryFile();
    const store = open({ path });
    await store.set(sessionOf('session'));
    damageSession(path, 'session');
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    expect(await store.get('session')).toBeUndefined();
    expect(await warned).toMatchObject({ name: 'MinneWarning', code: 'damaged_session' });
  });
});

describe('the cost', () => {
  it('of each call is that of the rows it is about', async () => {
    const path = temporaryFile();
    await open({ path }).set(sessionOf('session', {}, 'kim'));
    const database = new DatabaseSync(path);
    onTestFinished(() => database.close());
    for (const [name, statement] of Object.entries(sessionSql)) {
      const plan = database
        .prepare(`EXPLAIN QUERY PLAN ${statement}`)
        .all()
        .map(({ detail }) => String(detail));
      expect(plan.join('; '), name).not.toMatch(/TEMP B-TREE/);
      if (name !== 'listAll') expect(plan.join('; '), name).not.toMatch(/SCAN/);
    }
  });
});

describe('a database of your own', () => {
  it('stays yours: its tables, its pragmas, and open after close', async () => {
    const database = new DatabaseSync(':memory:');
    onTestFinished(() => database.close());
    database.exec(
      "PRAGMA user_version = 7; CREATE TABLE mine (a TEXT); INSERT INTO mine VALUES ('x')",
    );
    const store = new SqliteSessionStore({ database });
    await store.set(sessionOf('session'));
    await store.close();
    await expect(store.get('session')).rejects.toThrow(/closed/);
    expect(database.prepare('SELECT a FROM mine').get()).toEqual({ a: 'x' });
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 7 });
    expect(await new SqliteSessionStore({ database }).get('session')).toBeDefined();
  });

  it.each([{ readBigInts: true }, { returnArrays: true }])(
    'may be set to give rows in another form: %j',
    async (settings) => {
      const database = new DatabaseSync(':memory:', settings);
      onTestFinished(() => database.close());
      const { version } = await open({ database }).set(sessionOf('session', {}, 'kim'));
      const store = open({ database });
      expect(await store.get('session')).toMatchObject({ version, session: { actorId: 'kim' } });
      const next = await store.set(sessionOf('session', { late: {} }, 'kim'), { version });
      expect(await Array.fromAsync(store.list({ actorId: 'kim' }))).toEqual([next]);
      expect(await store.delete('session')).toBe(true);
    },
  );

  it('is not used while you are in a transaction on it, or have closed it', async () => {
    const database = new DatabaseSync(':memory:');
    const store = new SqliteSessionStore({ database });
    database.exec('BEGIN');
    const refusal = { code: 'store_failed', field: 'database' };
    await expect(store.set(sessionOf('session'))).rejects.toMatchObject(refusal);
    database.exec('ROLLBACK');
    await store.set(sessionOf('session'));
    expect(await store.get('session')).toBeDefined();
    database.close();
    await expect(store.get('session')).rejects.toThrow(/closed/);
  });
});

describe('the options', () => {
  it('are refused when they cannot work', () => {
    const database = new DatabaseSync(':memory:');
    onTestFinished(() => database.close());
    const wrong: readonly (readonly [options: object, field: string])[] = [
      [{}, 'path'],
      [{ path: ':memory:', database }, 'path'],
      [{ path: '' }, 'path'],
      [{ path: ':memory:', busyTimeout: -1 }, 'busyTimeout'],
    ];
    for (const [options, field] of wrong) {
      const make = () => Reflect.construct(SqliteSessionStore, [options]);
      expect(make, JSON.stringify(options)).toThrow(ConfigurationError);
      expect(make).toThrow(
        expect.objectContaining({ field, packageName: '@minne/session-sqlite' }),
      );
    }
  });

  it('give the clock', async () => {
    const clock = vi.fn(() => new Date('2026-05-01T10:00:00.000Z'));
    const store = open({ path: ':memory:', clock });
    expect((await store.set(sessionOf('session'))).updatedAt).toBe('2026-05-01T10:00:00.000Z');
    expect((await store.set(sessionOf('session'))).updatedAt).toBe('2026-05-01T10:00:00.001Z');
  });
});

function open(options: SqliteSessionStoreOptions): SqliteSessionStore {
  const store = new SqliteSessionStore(options);
  onTestFinished(() => store.close());
  return store;
}

function sessionOf(
  sessionId: string,
  state: SerializedSession['state'] = {},
  actorId?: string,
): SerializedSession {
  return {
    type: 'minne.session',
    v: 1,
    sessionId,
    ...(actorId === undefined ? {} : { actorId }),
    state,
  };
}

function count(database: DatabaseSync, table: string): unknown {
  return database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'];
}

function readText(path: string): string {
  return readFileSync(path, 'latin1');
}

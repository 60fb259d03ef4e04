import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError, hasErrorCode } from '@minne/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteHistoryBackend } from '../src/index.js';
import { turnOf } from './processes/turn.js';
import { type TemporaryStore, temporaryStore } from './temporary-store.js';

const key = { sessionId: 's', sourceId: 'history' };

describe('opening a history file', () => {
  it('makes the folder, and a file that only its owner can read', async () => {
    const path = join(store().folder, 'a', 'b', 'history.db');
    const backend = new SqliteHistoryBackend({ path });
    await backend.append(key, turnOf('t'));
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(statSync(`${path}-wal`).mode & 0o077).toBe(0);
    await backend.close();
  });

  it('keeps history in memory that is gone with the backend', async () => {
    const first = new SqliteHistoryBackend({ path: ':memory:' });
    const second = new SqliteHistoryBackend({ path: ':memory:' });
    await first.append(key, turnOf('t'));
    expect((await first.load(key)).records.length).toBe(2);
    expect((await second.load(key)).records).toEqual([]);
    await Promise.all([first.close(), second.close()]);
  });

  it('refuses options that make no database, and names the field', () => {
    const { folder, path } = store();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const directory = join(folder, 'directory.db');
    mkdirSync(directory);
    const database = new DatabaseSync(':memory:');
    const wrong: readonly (readonly [options: object, field: string, text: RegExp])[] = [
      [{}, 'path', /either path or database/],
      [{ path, database }, 'path', /not both/],
      [{ path: '' }, 'path', /no path of a file/],
      [{ path: join(file, 'history.db') }, 'path', /may write to/],
      [{ path: directory }, 'path', /may write to/],
      [{ path: 'a\0b' }, 'path', /may write to/],
      [{ path, busyTimeout: -1 }, 'busyTimeout', /milliseconds/],
      [{ path, maxMessages: 0 }, 'maxMessages', /at least 1/],
    ];
    for (const [options, field, text] of wrong) {
      const error = errorOf(() => Reflect.construct(SqliteHistoryBackend, [options]));
      expect(error, JSON.stringify(options)).toBeInstanceOf(ConfigurationError);
      expect(error).toMatchObject({ field, packageName: '@minne/history-sqlite' });
      expect(String(error)).toMatch(text);
    }
    database.close();
  });

  it('refuses a file that is no database', () => {
    const { path } = store();
    writeFileSync(path, 'This is a text file, and a long one, that nobody meant to be a database.');
    const error = errorOf(() => new SqliteHistoryBackend({ path }));
    expect(hasErrorCode(error, 'store_failed')).toBe(true);
    expect(String(error)).toMatch(/no SQLite database/);
  });

  it('refuses tables that a newer version made, and leaves them as they are', async () => {
    const { path } = store();
    await new SqliteHistoryBackend({ path }).close();
    const database = new DatabaseSync(path);
    database.exec("UPDATE minne_history_meta SET value = 9 WHERE name = 'schema_version'");
    database.close();
    const error = errorOf(() => new SqliteHistoryBackend({ path }));
    expect(hasErrorCode(error, 'store_failed')).toBe(true);
    expect(String(error)).toMatch(/layout 9.*Update @minne\/history-sqlite/);
  });
});

describe('a database of your own', () => {
  it('stays yours: its tables, its pragmas, and open after close', async () => {
    const database = new DatabaseSync(':memory:');
    database.exec(
      "PRAGMA user_version = 7; CREATE TABLE mine (a TEXT); INSERT INTO mine VALUES ('x')",
    );
    const backend = new SqliteHistoryBackend({ database });
    await backend.append(key, turnOf('t'));
    await backend.close();
    await expect(backend.load(key)).rejects.toThrow(/closed/);
    expect(database.prepare('SELECT a FROM mine').get()).toEqual({ a: 'x' });
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 7 });
    const again = new SqliteHistoryBackend({ database });
    expect((await again.load(key)).records.length).toBe(2);
    database.close();
    await expect(again.load(key)).rejects.toThrow(/closed/);
  });

  it('is not written while you are in a transaction on it', async () => {
    const database = new DatabaseSync(':memory:');
    const backend = new SqliteHistoryBackend({ database });
    database.exec('BEGIN');
    await expect(backend.append(key, turnOf('t'))).rejects.toMatchObject({
      code: 'store_failed',
      field: 'database',
    });
    database.exec('ROLLBACK');
    await backend.append(key, turnOf('t'));
    expect((await backend.load(key)).records.length).toBe(2);
    database.close();
  });
});

function store(): TemporaryStore {
  const made = temporaryStore();
  onTestFinished(made.remove);
  return made;
}

function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return expect.fail('It was accepted.');
}

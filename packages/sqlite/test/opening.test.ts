import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteDatabase } from '../src/index.js';
import {
  applicationDatabase,
  lock,
  openNotes,
  owner,
  readAll,
  temporaryPath,
  write,
} from './notes.js';

describe('a file', () => {
  it('is made by the first call, with its folder, for its owner only', async () => {
    const path = join(dirname(temporaryPath()), 'a', 'b', 'notes.db');
    const database = openNotes({ path });
    expect(statSync(dirname(path), { throwIfNoEntry: false })).toBeUndefined();
    await write(database, 'a');
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    for (const suffix of ['', '-wal', '-shm']) {
      expect(statSync(path + suffix).mode & 0o777).toBe(0o600);
    }
  });

  it('keeps the mode that it has', async () => {
    const path = temporaryPath();
    writeFileSync(path, '', { mode: 0o640 });
    await write(openNotes({ path }), 'a');
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it('waits for the disk at every commit, overwrites what is deleted, and is read beside a writer', async () => {
    const path = temporaryPath();
    const seen: string[] = [];
    // Two of these settings belong to a connection, so they are looked at where they are set.
    const { exec } = DatabaseSync.prototype;
    DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
      seen.push(sql);
      exec.call(this, sql);
    };
    onTestFinished(() => {
      DatabaseSync.prototype.exec = exec;
    });
    await write(openNotes({ path }), 'a');
    expect(seen).toContain('PRAGMA synchronous = FULL');
    expect(seen).toContain('PRAGMA secure_delete = ON');
    const other = applicationDatabase(path);
    expect(other.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  });

  it('is opened by many at once while it is new', async () => {
    const path = temporaryPath();
    const databases = Array.from({ length: 8 }, () => openNotes({ path }));
    await Promise.all(databases.map((database, index) => write(database, `${index}`)));
    expect((await readAll(openNotes({ path }))).toSorted()).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
    ]);
  });

  it('is the file of several packages', async () => {
    const path = temporaryPath();
    await write(openNotes({ path }), 'a');
    const schema = {
      version: 1,
      table: 'others_meta',
      selectVersion: 'SELECT 1 AS version FROM others_meta',
      definition: 'CREATE TABLE others_meta (a TEXT) STRICT; INSERT INTO others_meta VALUES (NULL)',
    };
    const other = new SqliteDatabase({ path }, { ...owner, schema });
    onTestFinished(() => other.close());
    const count = await other.read({}, (transaction) =>
      transaction.statement('SELECT count(*) AS count FROM notes, others_meta').get(),
    );
    expect(count).toEqual({ count: 1 });
  });

  it('with tables of a newer layout, or of none that is known, is refused and left alone', async () => {
    const path = temporaryPath();
    await openNotes({ path }).close();
    await write(openNotes({ path }), 'a');
    const other = applicationDatabase(path);
    other.exec('UPDATE notes_meta SET layout = 3');
    const database = openNotes({ path });
    await expect(readAll(database)).rejects.toMatchObject({
      code: 'store_failed',
      packageName: '@minne/notes',
      field: 'path',
      message:
        'The note store has layout 3, and this version of @minne/notes reads up to 2. Update @minne/notes.',
    });
    expect(() => database.open()).toThrow('has layout 3');
    other.exec('DELETE FROM notes_meta');
    await expect(readAll(database)).rejects.toThrow('have no layout that is known (null)');
    other.exec('INSERT INTO notes_meta VALUES (2)');
    expect(await readAll(database), 'and is read once it is as it should be').toEqual(['a']);
  });

  it('that is no database is an error that says so, however often it is tried', async () => {
    const path = temporaryPath();
    writeFileSync(path, 'This is a text file, and a long one, that nobody meant to be a database.');
    const database = openNotes({ path });
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(readAll(database)).rejects.toMatchObject({
        code: 'store_failed',
        retryable: false,
        message: expect.stringMatching(
          /^The note store could not be used: .*not a database.*set path/,
        ),
      });
    }
    expect(() => database.open()).toThrow(expect.objectContaining({ code: 'store_failed' }));
  });
});

describe('a path at which there can be no database', () => {
  it('is an error of the call, or one of the configuration when it is opened at once', async () => {
    const file = temporaryPath();
    writeFileSync(file, '');
    const directory = join(dirname(file), 'directory.db');
    mkdirSync(directory);
    for (const path of [join(file, 'notes.db'), directory]) {
      const database = openNotes({ path });
      await expect(write(database, 'a')).rejects.toMatchObject({
        code: 'store_failed',
        sessionId: 'chat-7',
        message: expect.stringContaining('The note store could not be used for session chat-7'),
      });
      expect(() => database.open()).toThrow(
        expect.objectContaining({
          code: 'configuration',
          field: 'path',
          message: expect.stringContaining('may write to'),
        }),
      );
    }
  });
});

describe('opening at once', () => {
  it('makes the file and its tables, and does no harm when it is open', async () => {
    const path = temporaryPath();
    const database = openNotes({ path });
    database.open();
    database.open();
    expect(applicationDatabase(path).prepare('SELECT layout FROM notes_meta').get()).toEqual({
      layout: 2,
    });
  });

  it('waits for another connection no longer than busyTimeout', () => {
    const path = temporaryPath();
    applicationDatabase(path).exec('PRAGMA journal_mode = WAL');
    lock(path);
    const begin = performance.now();
    expect(() => openNotes({ path, busyTimeout: 40 }).open()).toThrow(
      expect.objectContaining({ code: 'store_failed', retryable: true }),
    );
    expect(performance.now() - begin).toBeGreaterThanOrEqual(40);
  });
});

describe('options', () => {
  it('that cannot work are refused, with the name of the field', () => {
    const database = applicationDatabase();
    const wrong: readonly (readonly [field: string, options: object, text: RegExp])[] = [
      ['path', {}, /either path or database/],
      ['path', { path: ':memory:', database }, /not both/],
      ['path', { path: 5 }, /either path or database/],
      ['path', { path: '' }, /no path of a file/],
      ['path', { path: 'a\0b' }, /no path of a file/],
      ['path', { path: 'file:///data/notes.db' }, /no path of a file/],
      ['path', { path: 'node_modules/x/notes.db' }, /inside node_modules/],
      ['busyTimeout', { path: ':memory:', busyTimeout: -1 }, /milliseconds/],
      ['busyTimeout', { path: ':memory:', busyTimeout: 0.5 }, /milliseconds/],
    ];
    for (const [field, options, message] of wrong) {
      expect(
        () => Reflect.construct(SqliteDatabase, [options, owner]),
        JSON.stringify(options),
      ).toThrow(
        expect.objectContaining({
          code: 'configuration',
          field,
          packageName: '@minne/notes',
          message: expect.stringMatching(message),
        }),
      );
    }
  });
});

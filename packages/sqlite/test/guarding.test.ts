import { renameSync, rmSync } from 'node:fs';
import { ConfigurationError, type MinneError } from '@minne/core';
import { describe, expect, it } from 'vitest';
import type { SqliteFailure } from '../src/index.js';
import { applicationDatabase, lock, openNotes, readAll, temporaryPath, write } from './notes.js';

const lost = {
  code: 'store_failed',
  field: 'path',
  retryable: false,
  message: expect.stringMatching(/^The file of the note store was removed, or another was put/),
};

describe('a file that is gone', () => {
  it('is not written, and used again when it is put back', async () => {
    const path = temporaryPath();
    const database = openNotes({ path });
    await write(database, 'a');
    renameSync(path, `${path}.elsewhere`);
    await expect(write(database, 'b')).rejects.toMatchObject(lost);
    await expect(readAll(database)).rejects.toMatchObject(lost);
    renameSync(`${path}.elsewhere`, path);
    await write(database, 'c');
    expect(await readAll(database)).toEqual(['a', 'c']);
  });

  it('is not mixed up with what another process has begun in its place', async () => {
    const path = temporaryPath();
    const database = openNotes({ path });
    await write(database, 'a');
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix);
    const other = openNotes({ path });
    await write(other, 'of the other');
    await expect(write(database, 'b')).rejects.toMatchObject(lost);
    await database.close();
    expect(await readAll(other)).toEqual(['of the other']);
  });
});

describe('a database of the application', () => {
  it('stays open, and keeps its own tables and settings', async () => {
    const database = applicationDatabase(temporaryPath());
    database.exec(
      'CREATE TABLE mine (a TEXT); PRAGMA user_version = 7; PRAGMA synchronous = NORMAL',
    );
    const notes = openNotes({ database });
    await write(notes, 'a');
    notes.emptyLog();
    await notes.close();
    expect(database.prepare('SELECT count(*) AS count FROM mine').get()).toEqual({ count: 0 });
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 7 });
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 1 });
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
    expect(await readAll(openNotes({ database }))).toEqual(['a']);
  });

  it('is not used while the application is in a transaction on it, or has closed it', async () => {
    const database = applicationDatabase();
    const notes = openNotes({ database });
    for (let round = 0; round < 2; round++) {
      database.exec('BEGIN');
      await expect(write(notes, 'a')).rejects.toMatchObject({
        code: 'store_failed',
        field: 'database',
        message: expect.stringContaining('in a transaction that was begun elsewhere'),
      });
      database.exec('ROLLBACK');
      await write(notes, `${round}`);
    }
    expect(await readAll(notes)).toEqual(['0', '1']);
    database.close();
    await expect(readAll(notes)).rejects.toThrow('closed');
  });

  it.each([{ readBigInts: true }, { returnArrays: true }])(
    'may be set to give rows in another form: %j',
    async (settings) => {
      const database = applicationDatabase(':memory:', settings);
      await write(openNotes({ database }), 'a');
      const row = await openNotes({ database }).read({}, (transaction) =>
        transaction.statement('SELECT note, text FROM notes').get(),
      );
      expect(row).toEqual({ note: 1, text: 'a' });
    },
  );
});

describe('an owner with errors of its own', () => {
  it('makes them of every failure, but not of wrong options', async () => {
    const failures: SqliteFailure[] = [];
    class NoteError extends Error {}
    const toError = (failure: SqliteFailure): NoteError => {
      failures.push(failure);
      return new NoteError(failure.message);
    };
    const path = temporaryPath();
    const notes = openNotes({ path, busyTimeout: 0 }, { toError });
    notes.open();
    lock(path);
    await expect(write(notes, 'a')).rejects.toBeInstanceOf(NoteError);
    rmSync(path);
    await expect(write(notes, 'a')).rejects.toBeInstanceOf(NoteError);
    await notes.close();
    await expect(write(notes, 'a')).rejects.toBeInstanceOf(NoteError);
    expect(failures).toEqual([
      {
        message: expect.stringContaining('longer than busyTimeout'),
        retryable: true,
        sessionId: 'chat-7',
        cause: expect.objectContaining({ errcode: 5 }),
      },
      { message: expect.stringContaining('was removed'), retryable: false, field: 'path' },
      { message: expect.stringContaining('is closed'), retryable: false },
    ]);
    expect(() => openNotes({ path: '' }, { toError })).toThrow(ConfigurationError);
  });

  it('lets errors of Minne through as they are', async () => {
    const conflict: MinneError = new ConfigurationError('of the work');
    const notes = openNotes({ path: ':memory:' }, { toError: ({ message }) => new Error(message) });
    const read = notes.read({}, () => {
      throw conflict;
    });
    await expect(read).rejects.toBe(conflict);
  });
});

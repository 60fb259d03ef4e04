import { existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MemoryEngine } from '@minne/memory-engine';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteMemoryStorage } from '../src/index.js';
import { temporaryPath, testStorage } from './temporary-database.js';

const openStore = (path: string) =>
  new MemoryEngine({ storage: testStorage({ path }) }).openStore('notes');

describe('a file', () => {
  it('is made with its folders by the first call', async () => {
    const path = join(dirname(temporaryPath()), 'deep', 'er', 'memory.db');
    const storage = testStorage({ path });
    expect(existsSync(path)).toBe(false);
    await new MemoryEngine({ storage }).openStore('notes');
    expect(existsSync(path)).toBe(true);
    for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o077).toBe(0);
    const database = openDatabase(path);
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  });

  it('is opened by many at once while it is new', async () => {
    const path = temporaryPath();
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(path)));
    await Promise.all(
      stores.map((store, index) => store.put({ actorId: 'kim', path: `/${index}`, content: 'x' })),
    );
    expect((await Array.fromAsync((await openStore(path)).list({ actorId: 'kim' }))).length).toBe(
      8,
    );
  });

  it('holds everything for the next process', async () => {
    const path = temporaryPath();
    const storage = testStorage({ path });
    const store = await new MemoryEngine({ storage }).openStore('notes');
    const entry = await store.put({
      actorId: 'kim',
      path: '/a',
      content: 'a token\u0000 and more',
    });
    await storage.close();
    const again = await openStore(path);
    expect(await again.get(entry.id)).toEqual(entry);
    expect((await again.search({ actorId: 'kim', query: 'more' }))[0]?.memory).toEqual(entry);
  });

  it('of a newer version is refused and left alone', async () => {
    const path = temporaryPath();
    const storage = testStorage({ path });
    await storage.stores.get('notes');
    await storage.close();
    const database = openDatabase(path);
    database.exec('UPDATE minne_memory_schema SET version = 2');
    await expect(openStore(path)).rejects.toMatchObject({
      errorCode: 'INTERNAL_ERROR',
      packageName: '@minne/memory-sqlite',
      message: expect.stringContaining('has layout 2'),
    });
    expect(database.prepare('SELECT version FROM minne_memory_schema').all()).toEqual([
      { version: 2 },
    ]);
  });

  it('that is no database is an error that says so, again and again', async () => {
    const path = temporaryPath();
    writeFileSync(path, 'This is a text and no database at all. '.repeat(100));
    const storage = testStorage({ path });
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(storage.stores.get('notes')).rejects.toMatchObject({
        errorCode: 'INTERNAL_ERROR',
        message: expect.stringContaining('not a database'),
      });
    }
  });

  it('whose folder cannot be made is an error that says so', async () => {
    const file = temporaryPath();
    writeFileSync(file, '');
    const storage = testStorage({ path: join(file, 'memory.db') });
    await expect(storage.stores.get('notes')).rejects.toMatchObject({
      errorCode: 'INTERNAL_ERROR',
      message: expect.stringContaining('could not be used'),
    });
  });

  it('cannot be used after it was closed', async () => {
    const storage = testStorage({ path: temporaryPath() });
    await storage.stores.get('notes');
    await storage.close();
    await storage.close();
    await expect(storage.stores.get('notes')).rejects.toThrow('The memory storage is closed');
  });
});

describe('options', () => {
  it('that make no storage are refused, with the name of the field', () => {
    const database = openDatabase(':memory:');
    const wrong: readonly (readonly [field: string, options: object])[] = [
      ['path', {}],
      ['path', { path: ':memory:', database }],
      ['path', { path: '' }],
      ['busyTimeout', { path: ':memory:', busyTimeout: -1 }],
    ];
    for (const [field, options] of wrong) {
      expect(() => Reflect.construct(SqliteMemoryStorage, [options])).toThrow(
        expect.objectContaining({ code: 'configuration', field }),
      );
    }
  });
});

describe('a database of the application', () => {
  it('stays open, and keeps its own tables and settings', async () => {
    const database = openDatabase(temporaryPath());
    database.exec(
      'CREATE TABLE entries (id TEXT); PRAGMA user_version = 7; PRAGMA synchronous = NORMAL',
    );
    const storage = testStorage({ database });
    const store = await new MemoryEngine({ storage }).openStore('notes');
    await store.put({ actorId: 'kim', path: '/a', content: 'x' });
    await storage.close();
    expect(database.prepare('SELECT COUNT(*) AS count FROM entries').get()).toEqual({ count: 0 });
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 7 });
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 1 });
    expect(database.prepare('SELECT path FROM minne_memory_entries').all()).toEqual([
      { path: '/a' },
    ]);
  });

  it('in which somebody else has written is an error that names the column', async () => {
    const database = openDatabase(':memory:');
    const store = await new MemoryEngine({ storage: testStorage({ database }) }).openStore('notes');
    const { id } = await store.put({ actorId: 'kim', path: '/a', content: 'x' });
    for (const metadata of ["'{'", "'null'", "'5'", "''"]) {
      database.exec(`UPDATE minne_memory_entries SET metadata = ${metadata}`);
      await expect(store.get(id)).rejects.toMatchObject({
        errorCode: 'INTERNAL_ERROR',
        message: expect.stringContaining('Column metadata'),
      });
    }
    database.exec("UPDATE minne_memory_changes SET record = x'00'");
    await expect(store.search({ actorId: 'kim', query: 'x' })).rejects.toMatchObject({
      errorCode: 'INTERNAL_ERROR',
      message: expect.stringContaining('layout 0'),
    });
  });

  it.each([
    { readBigInts: true },
    { returnArrays: true },
    { allowBareNamedParameters: false, allowUnknownNamedParameters: true },
  ])('may be set to give rows in another form: %j', async (settings) => {
    const database = new DatabaseSync(':memory:', settings);
    onTestFinished(() => database.close());
    for (let opened = 0; opened < 2; opened++) {
      const storage = testStorage({ database });
      const store = await new MemoryEngine({ storage }).openStore('notes');
      await store.put({ actorId: 'kim', path: '/a', content: `token ${opened}` });
      const [hit] = await store.search({ actorId: 'kim', query: 'token' });
      expect(hit?.memory).toMatchObject({ content: `token ${opened}`, revision: opened + 1 });
    }
  });

  it('is not touched while the application is in a transaction on it', async () => {
    const database = openDatabase(':memory:');
    const store = await new MemoryEngine({ storage: testStorage({ database }) }).openStore('notes');
    database.exec('BEGIN');
    const put = store.put({ actorId: 'kim', path: '/a', content: 'x' });
    await expect(put).rejects.toThrow('transaction that was begun elsewhere');
    database.exec('ROLLBACK');
    expect((await store.put({ actorId: 'kim', path: '/a', content: 'x' })).revision).toBe(1);
  });
});

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  return database;
}

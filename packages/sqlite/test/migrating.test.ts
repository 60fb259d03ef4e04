import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteDatabase, type SqliteSchema } from '../src/index.js';
import { applicationDatabase, owner, readAll, temporaryPath, write } from './notes.js';

/** The notes of a later version of the package, two layouts on. */
const later: SqliteSchema = {
  ...owner.schema,
  version: 4,
  definition: `
    CREATE TABLE notes_meta (layout INTEGER NOT NULL) STRICT;
    INSERT INTO notes_meta VALUES (4);
    CREATE TABLE notes (note INTEGER PRIMARY KEY, text TEXT NOT NULL, steps TEXT NOT NULL DEFAULT '') STRICT;
  `,
  migrations: new Map([
    [
      2,
      `ALTER TABLE notes ADD COLUMN steps TEXT NOT NULL DEFAULT '';
       UPDATE notes SET steps = steps || '3'; UPDATE notes_meta SET layout = 3;`,
    ],
    [3, `UPDATE notes SET steps = steps || '4'; UPDATE notes_meta SET layout = 4;`],
  ]),
};

describe('tables of an older layout', () => {
  it('are brought to the new one step by step, once, by however many open them at the same time', async () => {
    const path = temporaryPath();
    await write(open(path, owner.schema), 'a');
    const databases = Array.from({ length: 8 }, () => open(path, later));
    const read = await Promise.all(databases.map((database) => readAll(database)));
    expect(read).toEqual(databases.map(() => ['a']));
    const tables = applicationDatabase(path);
    expect(tables.prepare('SELECT steps FROM notes').all()).toEqual([{ steps: '34' }]);
    expect(layoutIn(tables)).toBe(4);
  });

  it('stay as they are when a step fails', async () => {
    const path = temporaryPath();
    await write(open(path, owner.schema), 'a');
    const broken = new Map([...(later.migrations ?? []), [3, 'DELETE FROM missing']] as const);
    const database = open(path, { ...later, migrations: broken });
    await expect(readAll(database)).rejects.toThrow('no such table: missing');
    expect(layoutIn(applicationDatabase(path))).toBe(2);
    expect(await readAll(open(path, owner.schema))).toEqual(['a']);
  });

  it('are refused when no step leads on from them', async () => {
    const path = temporaryPath();
    await write(open(path, owner.schema), 'a');
    const steps = new Map([...(later.migrations ?? [])].slice(1));
    const database = open(path, { ...later, migrations: steps });
    await expect(readAll(database)).rejects.toThrow('have no layout that is known (2)');
  });
});

describe('a program of an older version', () => {
  it('is told of the newer layout, also when it had the file open before', async () => {
    const path = temporaryPath();
    const older = open(path, owner.schema);
    await write(older, 'a');
    await readAll(open(path, later));
    const refused = { code: 'store_failed', message: expect.stringContaining('has layout 4') };
    await expect(write(older, 'b')).rejects.toMatchObject(refused);
    await expect(readAll(older)).rejects.toMatchObject(refused);
    expect(() => open(path, owner.schema).open()).toThrow(expect.objectContaining(refused));
    expect(await readAll(open(path, later))).toEqual(['a']);
  });

  it('takes no notice of tables that others make in the file', async () => {
    const path = temporaryPath();
    const database = open(path, owner.schema);
    await write(database, 'a');
    applicationDatabase(path).exec('CREATE TABLE mine (a TEXT)');
    await write(database, 'b');
    expect(await readAll(database)).toEqual(['a', 'b']);
  });
});

function open(path: string, schema: SqliteSchema): SqliteDatabase {
  const database = new SqliteDatabase({ path }, { ...owner, schema });
  onTestFinished(() => database.close());
  return database;
}

function layoutIn(database: DatabaseSync): unknown {
  return database.prepare('SELECT layout FROM notes_meta').get()?.['layout'];
}

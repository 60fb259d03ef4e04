import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { startProcess } from '@minne/store-process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SqliteHistoryBackend, type SqliteHistoryBackendOptions } from '../src/index.js';
import { temporaryStore } from './temporary-store.js';

const key = { sessionId: 's', sourceId: 'history' };
const record = { v: 1, id: 'm4', group: 'm4', kind: 'user', payload: '{}' } as const;

// One fixture for every layout that was ever written.
describe.each([1, 2])('a file of layout %i', (layout) => {
  it('is read, and gone on with', async () => {
    const backend = open({ path: fileOf(layout) });
    expect(await backend.load(key, { ids: ['m1', 'm2', 'm4'] })).toEqual({
      version: '6',
      knownIds: ['m1', 'm2'],
      damaged: [],
      records: [
        { v: 1, sequence: 4, id: 'm2', group: 'm2', kind: 'user', payload: '{"id":"m2"}' },
        { v: 1, sequence: 5, id: 'm3', group: 'm3', kind: 'assistant', payload: '{"id":"m3"}' },
      ],
    });
    await backend.append(key, [{ ...record, id: 'm1' }, record]);
    const loaded = await backend.load(key);
    expect(loaded.records.map(({ id, sequence }) => [id, sequence])).toEqual([
      ['m2', 4],
      ['m3', 5],
      ['m4', 6],
    ]);
    const listings = await Array.fromAsync(backend.list({ actorId: 'kim' }));
    expect(listings.map((listing) => listing.key)).toEqual([{ ...key, actorId: 'kim' }]);
  });

  it('has the tables of a new file once it was opened', async () => {
    const [older, newer] = [fileOf(layout), fileOf(undefined)];
    await open({ path: older }).close();
    await open({ path: newer }).close();
    expect(tablesIn(older)).toEqual(tablesIn(newer));
  });
});

describe('a file of layout 1', () => {
  it('begins to expire with the next write, fixed times counted from the last write before', async () => {
    const path = fileOf(1);
    const day = 24 * 60 * 60 * 1000;
    let now = Date.parse('2026-05-01T12:00:00.000Z');
    const backend = open({ path, ttl: day, expiry: 'fixed', clock: () => new Date(now) });
    now += 10 * day;
    expect((await backend.load(key)).records.length, 'what has no end is kept').toBe(2);
    now -= 10 * day;
    await backend.append(key, [record]);
    now = Date.parse('2026-05-02T10:00:00.249Z');
    expect((await backend.load(key)).records.length).toBe(3);
    now += 1;
    expect((await backend.load(key)).records).toEqual([]);
  });

  it('is opened by several processes at once, one of which changes its layout', async () => {
    const path = fileOf(1);
    const script = new URL('processes/append-loop.ts', import.meta.url);
    const writers = Array.from({ length: 4 }, (_, writer) =>
      startProcess(script, path, `w${writer}`, '2'),
    );
    const ends = await Promise.all(writers.map((writer) => writer.ended()));
    expect(ends).toEqual(ends.map(() => ({ code: 0, complaint: '' })));
    const backend = open({ path });
    const loaded = await backend.load({ ...key, sessionId: 'session' });
    expect(loaded.records.length).toBe(4 * 2 * 2);
    expect((await backend.load(key)).version).toBe('6');
  }, 60_000);
});

/** A file with a fixture in it, or one that is not there yet. */
function fileOf(layout: number | undefined): string {
  const { path, remove } = temporaryStore();
  onTestFinished(remove);
  if (layout === undefined) return path;
  const database = new DatabaseSync(path);
  const fixture = new URL(`fixtures/schema-${layout}.sql`, import.meta.url);
  database.exec(readFileSync(fixture, 'utf8'));
  database.close();
  return path;
}

function open(options: SqliteHistoryBackendOptions): SqliteHistoryBackend {
  const backend = new SqliteHistoryBackend(options);
  onTestFinished(() => backend.close());
  return backend;
}

/** Every table with its columns, every index with what it is on, and the layout. */
function tablesIn(path: string): unknown {
  const database = new DatabaseSync(path);
  const all = (sql: string) => database.prepare(sql).all();
  const tables = {
    columns:
      all(`SELECT t.name AS "table", c.name, c.type, c."notnull", c.pk FROM sqlite_schema AS t,
      pragma_table_info(t.name) AS c WHERE t.type = 'table' ORDER BY 1, 2`),
    indexes: all(`SELECT name, replace(sql, char(10), ' ') FROM sqlite_schema
      WHERE type = 'index' ORDER BY 1`),
    layout: all("SELECT value FROM minne_history_meta WHERE name = 'schema_version'"),
  };
  database.close();
  return tables;
}

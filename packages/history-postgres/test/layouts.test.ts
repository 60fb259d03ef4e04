import { readFileSync } from 'node:fs';
import { type PostgresServer, serverMissing, startPostgres } from '@minne/test-servers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PostgresHistoryBackend } from '../src/index.js';
import { poolOf, urlOf } from './test-database.js';

const key = { sessionId: 's', sourceId: 'history' };
const missing = serverMissing('postgres');

// One fixture for every layout that was ever released.
describe.skipIf(missing !== undefined)(`layout 1 ${missing ?? ''}`, () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off' } });
  }, 60_000);

  afterAll(() => server.remove());

  async function newDatabase(name: string, sql?: string): Promise<string> {
    const administrator = poolOf(server.url, 1);
    await administrator.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    await administrator.end();
    const url = urlOf(server.url, name);
    if (sql !== undefined) await run(url, sql);
    return url;
  }

  async function run(url: string, sql: string): Promise<unknown> {
    const pool = poolOf(url, 1);
    const { rows } = await pool.query(sql);
    await pool.end();
    return rows;
  }

  const fixture = readFileSync(new URL('fixtures/layout-1.sql', import.meta.url), 'utf8');

  it('is read from a dump, and gone on with', async () => {
    const url = await newDatabase('dumped', fixture);
    const backend = new PostgresHistoryBackend({ connectionString: url });
    onTestFinished(() => backend.close());
    expect(await backend.load(key, { ids: ['m1', 'm2', 'm4'] })).toEqual({
      version: '6',
      knownIds: ['m1', 'm2'],
      damaged: [],
      records: [
        { v: 1, sequence: 5, id: 'm2', group: 'm2', kind: 'user', payload: 'a\0b' },
        { v: 1, sequence: 6, id: 'm3', group: 'm3', kind: 'assistant', payload: '{"id":"m3"}' },
      ],
    });
    const record = { v: 1, id: 'm4', group: 'm4', kind: 'user', payload: '{}' } as const;
    await backend.append(key, [{ ...record, id: 'm1' }, record]);
    const loaded = await backend.load(key);
    expect(loaded.records.map(({ id, sequence }) => [id, sequence])).toEqual([
      ['m2', 5],
      ['m3', 6],
      ['m4', 7],
    ]);
    const [listing] = await Array.fromAsync(backend.list({ actorId: 'kim' }));
    expect(listing?.key).toEqual({ ...key, actorId: 'kim' });
  });

  it('is what this version makes: another function or column is another layout', async () => {
    const dumped = await newDatabase('released', fixture);
    const made = await newDatabase('made');
    const backend = new PostgresHistoryBackend({ connectionString: made });
    await backend.open();
    await backend.close();
    const parts = `
      SELECT pg_get_functiondef(oid) AS part FROM pg_proc WHERE pronamespace = 'minne'::regnamespace
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'minne'
      UNION ALL SELECT concat_ws(' ', table_name, column_name, data_type, collation_name, is_nullable,
        column_default) FROM information_schema.columns WHERE table_schema = 'minne'
      ORDER BY part`;
    const found = await run(made, parts);
    expect(found).toEqual(await run(dumped, parts));
    expect(found).toHaveLength(14 + 9 + 23);
  });
});

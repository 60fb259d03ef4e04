import { ConfigurationError, StoreError } from '@minne/core';
import { type PostgresServer, serverMissing, startPostgres } from '@minne/test-servers';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PostgresHistoryBackend, postgresHistorySql } from '../src/index.js';
import { turnOf } from './processes/turn.js';
import { newSchema, poolOf, urlOf } from './test-database.js';

const key = { sessionId: 's', sourceId: 'history' };
const missing = serverMissing('postgres');

describe('options', () => {
  it('are refused when they make no store, and the field is named', () => {
    const connectionString = 'postgres://localhost/test';
    const pool = new Pool();
    const wrong: readonly (readonly [options: object, field: string, text: RegExp])[] = [
      [{}, 'connectionString', /either connectionString or pool/],
      [{ connectionString, pool }, 'connectionString', /not both/],
      [{ connectionString: 'mysql://kim:secret@host/x' }, 'connectionString', /no address/],
      [{ connectionString: 'postgres://kim:se/cret@ho st/x' }, 'connectionString', /no address/],
      [{ pool: {} }, 'pool', /no Pool of pg/],
      [{ connectionString, schema: '' }, 'schema', /letters/],
      [{ connectionString, schema: 'a"; DROP TABLE b; --' }, 'schema', /letters/],
      [{ connectionString, schema: '1a' }, 'schema', /letters/],
      [{ connectionString, schema: 'pg_mine' }, 'schema', /pg_/],
      [{ connectionString, schema: 'a'.repeat(64) }, 'schema', /63/],
      [{ connectionString, connectionTimeout: 0 }, 'connectionTimeout', /milliseconds/],
      [{ connectionString, statementTimeout: 2 ** 31 }, 'statementTimeout', /milliseconds/],
      [{ connectionString, maxMessages: 0 }, 'maxMessages', /at least 1/],
      [{ connectionString, ttl: 0 }, 'ttl', /milliseconds/],
    ];
    for (const [options, field, text] of wrong) {
      let error: unknown;
      try {
        Reflect.construct(PostgresHistoryBackend, [options]);
      } catch (thrown) {
        error = thrown;
      }
      expect(error, JSON.stringify(options)).toBeInstanceOf(ConfigurationError);
      expect(error).toMatchObject({ field, packageName: '@minne/history-postgres' });
      expect(String(error)).toMatch(text);
      expect(String(error)).not.toMatch(/secret|se\/cret/);
    }
  });

  it('may name a socket in the place of a host', () => {
    const connectionString = 'postgres://kim:pass@/test?host=/run/postgresql';
    expect(new PostgresHistoryBackend({ connectionString })).toBeDefined();
  });
});

describe('a server that is not there', () => {
  it('makes a retryable error that tells no password', async () => {
    const connectionString = 'postgres://kim:top-secret@127.0.0.1:1/test';
    const backend = new PostgresHistoryBackend({ connectionString });
    const error = await backend.load(key).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ retryable: true, packageName: '@minne/history-postgres' });
    expect(String(error)).toMatch(/ECONNREFUSED.*Try again/);
    expect(String(error)).not.toContain('top-secret');
    await backend.close();
  });
});

describe.skipIf(missing !== undefined)(`the schema ${missing ?? ''}`, () => {
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

  function open(options: { schema?: string; url?: string } = {}): PostgresHistoryBackend {
    const { schema = newSchema(), url = server.url } = options;
    const backend = new PostgresHistoryBackend({ connectionString: url, schema });
    onTestFinished(() => backend.close());
    return backend;
  }

  /** The url for a new user without rights beyond those of every user. */
  async function newUser(): Promise<{ name: string; url: string }> {
    const name = newSchema();
    await administrator.query(`CREATE ROLE ${name} LOGIN PASSWORD 'word'`);
    const url = new URL(server.url);
    url.username = name;
    url.password = 'word';
    return { name, url: url.href };
  }

  it('is made once when ten pools write to an empty database at once', async () => {
    const schema = newSchema();
    const backends = Array.from({ length: 10 }, () => open({ schema }));
    await Promise.all(backends.map((backend, index) => backend.append(key, turnOf(`w${index}.0`))));
    const loaded = await open({ schema }).load(key);
    expect(new Set(loaded.records.map(({ group }) => group)).size).toBe(10);
    expect(loaded.records.length).toBe(20);
  });

  it('is minne unless another is given, and keeps stores apart', async () => {
    await administrator.query('CREATE DATABASE apart');
    const url = urlOf(server.url, 'apart');
    const backend = new PostgresHistoryBackend({ connectionString: url });
    onTestFinished(() => backend.close());
    await backend.append(key, turnOf('w.0'));
    expect((await open({ url, schema: 'Minne' }).load(key)).records).toEqual([]);
    expect((await open({ url, schema: 'minne' }).load(key)).records.length).toBe(2);
  });

  it('is made of what PostgreSQL calls by its names, not of what a search path puts before', async () => {
    await administrator.query(`CREATE DATABASE trap`);
    const url = new URL(urlOf(server.url, 'trap'));
    const trap = poolOf(url.href, 1);
    await trap.query(
      `CREATE SCHEMA trap;
       CREATE DOMAIN trap.text AS varchar(3);
       CREATE FUNCTION trap.clock_timestamp() RETURNS timestamptz LANGUAGE sql
         AS $$ SELECT timestamptz '1999-01-01' $$;
       CREATE FUNCTION trap.cardinality(pg_catalog.text[]) RETURNS integer LANGUAGE sql AS 'SELECT 0'`,
    );
    await trap.end();
    url.searchParams.set('options', '-c search_path=trap,pg_catalog');
    const backend = open({ url: url.href, schema: newSchema() });
    await backend.append(key, turnOf('w.0'));
    expect((await backend.load(key)).records.length).toBe(2);
  });

  it('that a newer version made is refused, and left as it is', async () => {
    const schema = newSchema();
    await open({ schema }).append(key, turnOf('w.0'));
    await administrator.query(`UPDATE ${schema}.history_meta SET value = 9 WHERE name = 'layout'`);
    const error = await open({ schema })
      .load(key)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'store_failed', retryable: false, field: 'schema' });
    expect(String(error)).toMatch(/layout 9.*Update @minne\/history-postgres/);
  });

  it('is used by one who may create nothing, once an administrator has run the SQL', async () => {
    const schema = newSchema();
    const { name, url } = await newUser();
    const early = await open({ schema, url })
      .load(key)
      .catch((reason: unknown) => reason);
    expect(early).toMatchObject({ code: 'store_failed', retryable: false });
    expect(String(early)).toMatch(/postgresHistorySql/);
    await administrator.query(postgresHistorySql({ schema }));
    await expect(administrator.query(postgresHistorySql({ schema }))).rejects.toThrow(/exists/);
    await administrator.query('ROLLBACK');
    await administrator.query(
      `GRANT USAGE ON SCHEMA ${schema} TO ${name};
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${name};
       GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${name}`,
    );
    const backend = open({ schema, url });
    const owned = { ...key, actorId: 'kim' };
    const { version } = await backend.append(owned, turnOf('w.0'));
    await backend.replace(owned, turnOf('w.1'), { version });
    expect((await backend.load(owned)).records.length).toBe(2);
    expect((await Array.fromAsync(backend.list({ actorId: 'kim' }))).length).toBe(1);
    await backend.clear(owned);
    await backend.append(owned, turnOf('w.2'));
    expect(await backend.eraseActor('kim')).toBe(1);
    expect(await backend.purgeExpired()).toBe(0);
  });

  it('is filled by one who may not create schemas, when it is there and empty', async () => {
    const schema = newSchema();
    const { name, url } = await newUser();
    await administrator.query(`CREATE SCHEMA ${schema} AUTHORIZATION ${name}`);
    const backend = open({ schema, url });
    await backend.open();
    await backend.append(key, turnOf('w.0'));
    expect((await backend.load(key)).records.length).toBe(2);
  });

  it('is tried again at the next call when it could not be made', async () => {
    const schema = newSchema();
    const { name, url } = await newUser();
    const backend = open({ schema, url });
    await expect(backend.open()).rejects.toMatchObject({ code: 'store_failed' });
    await administrator.query(`GRANT CREATE ON DATABASE postgres TO ${name}`);
    await backend.append(key, turnOf('w.0'));
    expect((await backend.load(key)).records.length).toBe(2);
  });

  it('is refused in a database that cannot hold every character', async () => {
    await administrator.query(
      "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0",
    );
    const error = await open({ url: urlOf(server.url, 'latin') })
      .open()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toMatch(/LATIN1.*UTF8/);
  });

  it('is not reached with a wrong password or database, and the error says what to check', async () => {
    const wrong = new URL(server.url);
    wrong.password = 'a-wrong-password';
    for (const url of [wrong.href, urlOf(server.url, 'nowhere')]) {
      const error = await open({ url })
        .load(key)
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'store_failed', retryable: false });
      expect(String(error)).toMatch(/Check user, password and database/);
      expect(String(error)).not.toMatch(/a-wrong-password|a-secret-of-the-tests/);
    }
  });

  it('is not used any more after close, which lets what was begun through', async () => {
    const schema = newSchema();
    const backend = open({ schema });
    const appending = backend.append(key, turnOf('w.0'));
    await Promise.all([backend.close(), backend.close()]);
    await appending;
    await expect(backend.load(key)).rejects.toThrow(/closed/);
    expect((await open({ schema }).load(key)).records.length).toBe(2);
  });

  it('is used over a pool of your own, which stays yours', async () => {
    const schema = newSchema();
    // Parsers and formats of your own make no difference.
    const pool = new Pool({
      connectionString: server.url,
      types: { getTypeParser: () => () => 'parsed in another way' },
    });
    const backend = new PostgresHistoryBackend({ pool, schema });
    await backend.append({ ...key, actorId: 'kim' }, turnOf('w.0'));
    const { records, version } = await backend.load(key, { ids: ['w.0.user'] });
    expect(records.map(({ sequence, id }) => [sequence, id])).toEqual([
      [1, 'w.0.user'],
      [2, 'w.0.assistant'],
    ]);
    await backend.replace(key, records.slice(1), { version });
    expect((await Array.fromAsync(backend.list({ actorId: 'kim' }))).length).toBe(1);
    const listeners = pool.listenerCount('error');
    await backend.close();
    expect(pool.listenerCount('error')).toBe(listeners - 1);
    await expect(backend.load(key)).rejects.toThrow(/closed/);
    expect((await pool.query('SELECT 1')).rowCount).toBe(1);
    const again = new PostgresHistoryBackend({ pool, schema });
    await pool.end();
    await expect(again.load(key)).rejects.toMatchObject({ code: 'store_failed', retryable: false });
  });
});

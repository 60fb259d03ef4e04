import { forgettingFunctions } from './layout/forgetting-functions.js';
import { historyFunctions } from './layout/history-functions.js';
import { readFunctions } from './layout/read-functions.js';
import { tables } from './layout/tables.js';
import { writeFunctions } from './layout/write-functions.js';
import type { PostgresConnection, Send } from './postgres-connection.js';
import { newerLayout, wrongEncoding } from './postgres-failure.js';
import { checkSchema } from './postgres-history-options.js';

/** The layout of the tables and functions that this version makes and uses. */
const layout = 1;

/** The lock under which layouts are made, in any schema of a database: "Minne" in ASCII. */
const lockKey = 0x4d_69_6e_6e_65;

/** Options of {@link postgresHistorySql}. */
export interface PostgresHistorySqlOptions {
  /** The schema with the tables. Default `minne`. */
  readonly schema?: string;
}

/**
 * The SQL that makes the schema, for an administrator to run once, by `psql` or a tool for migrations, where
 * applications may not create anything. It is one transaction, and fails without a change when the tables
 * are there.
 *
 * @throws ConfigurationError when `schema` cannot be the name of a schema.
 */
export function postgresHistorySql({ schema = 'minne' }: PostgresHistorySqlOptions = {}): string {
  checkSchema(schema);
  return `BEGIN;\nCREATE SCHEMA IF NOT EXISTS ${quoted(schema)};\n${definition(quoted(schema))}\nCOMMIT;\n`;
}

/** A checked name as an identifier. */
export function quoted(schema: string): string {
  return `"${schema}"`;
}

/**
 * Makes the schema when it is missing. Many processes may do so at once.
 * @throws StoreError when a newer version made it.
 */
export async function openSchema(connection: PostgresConnection, schema: string): Promise<void> {
  await connection.transaction({ signal: undefined }, async (send) => {
    if (await isThere(send, schema)) return;
    // Read committed: what others made is seen once their lock is free.
    await send('BEGIN ISOLATION LEVEL READ COMMITTED');
    await send(`SET LOCAL lock_timeout = ${connection.lockTimeout}`);
    await send('SELECT pg_catalog.pg_advisory_xact_lock($1)', [lockKey]);
    if (!(await isThere(send, schema))) {
      // To say IF NOT EXISTS takes the right to create schemas even where it exists.
      const found = await send('SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1', [schema]);
      if (found.length === 0) await send(`CREATE SCHEMA ${quoted(schema)}`);
      await send(definition(quoted(schema)));
    }
    await send('COMMIT');
  });
}

async function isThere(send: Send, schema: string): Promise<boolean> {
  // Asked of the catalogue's tables: to_regclass may answer from what the connection has cached.
  const [[encoding, tables] = []] = await send(
    `SELECT pg_catalog.current_setting('server_encoding'), (SELECT pg_catalog.count(*) FROM pg_catalog.pg_tables
      WHERE schemaname = $1 AND tablename = 'history_meta')`,
    [schema],
  );
  if (encoding !== 'UTF8') throw wrongEncoding(String(encoding));
  if (tables === '0') return false;
  const [[value] = []] = await send(
    `SELECT value FROM ${quoted(schema)}.history_meta WHERE name = 'layout'`,
  );
  const found = Number(value);
  if (found > layout) throw newerLayout(schema, found, layout);
  return true;
}

/** What it names without a schema is PostgreSQL's own, whatever the connection would find first. */
function definition(schema: string): string {
  const parts = [tables, historyFunctions, forgettingFunctions, writeFunctions, readFunctions];
  return [
    'SET LOCAL search_path = pg_catalog, pg_temp;',
    ...parts.map((part) => part(schema)),
  ].join('\n');
}

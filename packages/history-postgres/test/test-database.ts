import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';

/** A new name for a schema. */
export function newSchema(): string {
  return `test_${randomUUID().replaceAll('-', '')}`;
}

/** A pool of the test's own, which survives what the test does to the server. */
export function poolOf(connectionString: string, max = 2): Pool {
  const pool = new Pool({ connectionString, max });
  pool.on('error', () => undefined);
  return pool;
}

/** The url of another database of the same server. */
export function urlOf(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

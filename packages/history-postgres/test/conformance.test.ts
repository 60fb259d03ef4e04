import { testHistoryBackend } from '@minne/conformance/history';
import {
  type PostgresServer,
  serverMissing,
  startPgBouncer,
  startPostgres,
} from '@minne/test-servers';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { PostgresHistoryBackend } from '../src/index.js';
import { newSchema, poolOf } from './test-database.js';

const missing = serverMissing('postgres') ?? serverMissing('pgbouncer');

describe.skipIf(missing !== undefined)(`PostgreSQL ${missing ?? ''}`, () => {
  let server: PostgresServer;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
  let administrator: Pool;

  beforeAll(async () => {
    server = await startPostgres({
      settings: { max_connections: '200', fsync: 'off', full_page_writes: 'off' },
    });
    bouncer = await startPgBouncer(server);
    administrator = poolOf(server.url);
  }, 60_000);

  afterAll(async () => {
    await administrator.end();
    await bouncer.remove();
    await server.remove();
  });

  const ways = {
    PostgresHistoryBackend: () => server.url,
    'PostgresHistoryBackend behind PgBouncer': () => bouncer.url,
  };
  for (const [name, url] of Object.entries(ways)) {
    testHistoryBackend({
      name,
      abilities: {
        replace: true,
        list: true,
        erase: true,
        durable: true,
        trimming: true,
        expiry: true,
        damage: true,
      },
      create() {
        const schema = newSchema();
        return {
          open: (options) =>
            new PostgresHistoryBackend({ connectionString: url(), schema, ...options }),
          async damage({ sessionId, sourceId }) {
            await administrator.query(
              `UPDATE ${schema}.history_record SET kind = 'nobody' WHERE (history, sequence) IN
                 (SELECT history, min(sequence) FROM ${schema}.history_record WHERE history =
                   (SELECT history FROM ${schema}.history_session
                     WHERE session_id = $1 AND source_id = $2) GROUP BY history)`,
              [sessionId, sourceId],
            );
          },
          async remove() {
            await administrator.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
          },
        };
      },
    });
  }
});

import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { PostgresStore } from '@mastra/pg';
import { PostgresHistoryBackend } from '@minne/history-postgres';
import pg from 'pg';
import { textIn } from './conversations.mjs';
import { langgraph } from './langchain.mjs';
import { mastra } from './mastra.mjs';
import { minne } from './minne.mjs';
import { startPostgres } from './servers.mjs';

async function raw(url) {
  const pool = new pg.Pool({ connectionString: url });
  await pool.query(
    `CREATE TABLE IF NOT EXISTS raw_messages (
       session text, sequence bigint GENERATED ALWAYS AS IDENTITY, payload text NOT NULL,
       PRIMARY KEY (session, sequence))`,
  );
  return {
    name: 'pg: one INSERT',
    append: (session, messages) =>
      pool.query({
        name: 'append',
        text: 'INSERT INTO raw_messages (session, payload) SELECT $1, unnest($2::text[])',
        values: [session, messages.map((message) => JSON.stringify(message))],
      }),
    load: async (session) => {
      const { rows } = await pool.query({
        name: 'load',
        text: 'SELECT payload FROM raw_messages WHERE session = $1 ORDER BY sequence',
        values: [session],
      });
      return rows.map(({ payload }) => JSON.parse(payload));
    },
    textIn,
    fillAtOnce: 10,
    close: () => pool.end(),
  };
}

async function checkpointer(url) {
  const saver = PostgresSaver.fromConnString(url, { schema: 'langgraph' });
  await saver.setup();
  return langgraph('LangGraph checkpoint-postgres', saver, () => saver.end());
}

/** Whether commits wait for the disk: they need not while the tables are filled. */
async function setDurable(url, isDurable) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`ALTER SYSTEM SET synchronous_commit = ${isDurable ? 'on' : 'off'}`);
  await client.query('SELECT pg_reload_conf()');
  if (isDurable) {
    // What was written without waiting is written now, and not while something is measured.
    await client.query('CHECKPOINT');
    await client.query('ANALYZE');
  }
  await client.end();
}

export const postgres = {
  name: 'PostgreSQL',
  setDurable,
  start: startPostgres,
  trimmers: 0,
  contestants: [
    (url, { maxMessages }) =>
      minne(
        'Minne',
        new PostgresHistoryBackend({ connectionString: url, schema: 'minne', maxMessages }),
      ),
    raw,
    checkpointer,
    (url) =>
      mastra(
        '@mastra/pg',
        new PostgresStore({ id: 'mastra', connectionString: url, schemaName: 'mastra' }),
      ),
  ],
};

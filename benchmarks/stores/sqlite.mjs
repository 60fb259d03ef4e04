import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LibSQLStore } from '@mastra/libsql';
import { SqliteHistoryBackend } from '@minne/history-sqlite';
import { textIn } from './conversations.mjs';
import { mastra } from './mastra.mjs';
import { minne } from './minne.mjs';
import { temporaryFolder } from './servers.mjs';

/** Opened as the contestant is, but nothing waits for the disk: to fill the file. */
function quickMinne(folder) {
  const database = new DatabaseSync(join(folder, 'minne.db'));
  const backend = new SqliteHistoryBackend({ database });
  database.exec('PRAGMA synchronous = OFF');
  const { append } = minne('', backend);
  return { append, close: () => database.close() };
}

function raw(folder, _, synchronous = 'FULL') {
  const database = new DatabaseSync(join(folder, 'raw.db'));
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous};
     CREATE TABLE IF NOT EXISTS messages (
       session TEXT, sequence INTEGER, payload TEXT NOT NULL, PRIMARY KEY (session, sequence)) WITHOUT ROWID`,
  );
  const last = database.prepare('SELECT max(sequence) AS last FROM messages WHERE session = ?');
  const insert = database.prepare('INSERT INTO messages VALUES (?, ?, ?)');
  const select = database.prepare(
    'SELECT payload FROM messages WHERE session = ? ORDER BY sequence',
  );
  return {
    name: 'node:sqlite: one transaction',
    append: async (session, messages) => {
      database.exec('BEGIN IMMEDIATE');
      let sequence = last.get(session).last ?? 0;
      for (const message of messages) {
        sequence += 1;
        insert.run(session, sequence, JSON.stringify(message));
      }
      database.exec('COMMIT');
    },
    load: async (session) => select.all(session).map(({ payload }) => JSON.parse(payload)),
    textIn,
    fillAtOnce: 1,
    filler: () => raw(folder, _, 'OFF'),
    close: () => database.close(),
  };
}

export const sqlite = {
  name: 'SQLite',
  trimmers: 0,
  start: async () => {
    const folder = temporaryFolder('sqlite');
    mkdirSync(folder, { recursive: true });
    return folder;
  },
  contestants: [
    (folder, { maxMessages }) => ({
      ...minne('Minne', new SqliteHistoryBackend({ path: join(folder, 'minne.db'), maxMessages })),
      fillAtOnce: 1,
      filler: () => quickMinne(folder),
    }),
    raw,
    (folder) =>
      mastra(
        '@mastra/libsql',
        new LibSQLStore({ id: 'mastra', url: `file:${join(folder, 'mastra.db')}` }),
      ),
  ],
};

import { DatabaseSync } from 'node:sqlite';
import { testHistoryBackend } from '@minne/conformance/history';
import { SqliteHistoryBackend } from '../src/index.js';
import { temporaryStore } from './temporary-store.js';

testHistoryBackend({
  name: 'SqliteHistoryBackend',
  abilities: { replace: true, list: true, durable: true, trimming: true, damage: true },
  create() {
    const { path, remove } = temporaryStore();
    return {
      open: (options) => new SqliteHistoryBackend({ path, ...options }),
      damage: ({ sessionId, sourceId }) => {
        const database = new DatabaseSync(path);
        const damage = database.prepare(
          `UPDATE minne_history_record SET kind = 'nobody' WHERE (history, sequence) IN
             (SELECT history, min(sequence) FROM minne_history_record WHERE history =
               (SELECT history FROM minne_history_session WHERE session_id = ? AND source_id = ?))`,
        );
        damage.run(sessionId, sourceId);
        database.close();
      },
      remove,
    };
  },
});

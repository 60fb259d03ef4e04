import { DatabaseSync } from 'node:sqlite';
import { testHistoryBackend } from '@minne/conformance/history';
import { SessionHistoryBackend } from '@minne/core';
import { SqliteHistoryBackend } from '@minne/history-sqlite';
import { EncryptedHistoryBackend } from '../src/index.js';
import { keys } from './keys.js';
import { temporaryStore } from './temporary-store.js';

const currentKeyId = 'k1';

testHistoryBackend({
  name: 'EncryptedHistoryBackend over SqliteHistoryBackend',
  abilities: {
    replace: true,
    list: true,
    erase: true,
    expiry: true,
    durable: true,
    trimming: true,
    damage: true,
  },
  create() {
    const { path, remove } = temporaryStore();
    return {
      open: (options) => {
        const backend = new SqliteHistoryBackend({ path, ...options });
        return new EncryptedHistoryBackend({ backend, keys, currentKeyId });
      },
      damage: ({ sessionId, sourceId }) => {
        const database = new DatabaseSync(path);
        // What a store does that cuts long texts.
        const damage = database.prepare(
          `UPDATE minne_history_record SET payload = substr(payload, 1, length(payload) - 4)
             WHERE (history, sequence) IN
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

testHistoryBackend({
  name: 'EncryptedHistoryBackend over SessionHistoryBackend',
  abilities: { replace: true, durable: true, trimming: true, damage: true },
  create: () => ({
    open: (options) => {
      const backend = new SessionHistoryBackend(options);
      return new EncryptedHistoryBackend({ backend, keys, currentKeyId });
    },
    damage: (_key, state) => {
      const history = JSON.stringify(state['history']);
      state['history'] = JSON.parse(history.replace('"kind":"user"', '"kind":"assistant"'));
    },
  }),
});

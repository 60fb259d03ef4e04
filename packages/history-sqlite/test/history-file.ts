import { DatabaseSync } from 'node:sqlite';
import type { HistorySuiteOptions } from '@minne/conformance/history';
import { SqliteHistoryBackend, type SqliteHistoryBackendOptions } from '../src/index.js';
import { movableClock } from './movable-clock.js';
import { temporaryStore } from './temporary-store.js';

/** What every backend of this package can do. */
export const abilities = {
  replace: true,
  list: true,
  erase: true,
  trimming: true,
  expiry: true,
} as const;

/** A file of its own for one case of the kit. */
export function fileStore(
  given: Pick<SqliteHistoryBackendOptions, 'worker'>,
): Awaited<ReturnType<HistorySuiteOptions['create']>> {
  const { path, remove } = temporaryStore();
  const { clock, advance } = movableClock();
  return {
    open: (options) => new SqliteHistoryBackend({ path, clock, ...given, ...options }),
    advance,
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
}

import type { HistoryBackend } from '../../packages/core/src/index.js';

/** A backend whose connections are its own. */
export interface OpenBackend extends HistoryBackend {
  close(): Promise<void>;
}

/** Longer than any call takes on a machine that is busy with other tests, in milliseconds. */
const patience = 60_000;

/** The kinds of store, by what one is opened with. Each is loaded when it is used: processes start sooner. */
const backends = {
  sqlite: async (path: string): Promise<OpenBackend> => {
    const { SqliteHistoryBackend } = await import('../../packages/history-sqlite/src/index.js');
    return new SqliteHistoryBackend({ path, busyTimeout: patience });
  },
  sqliteInWorker: async (path: string): Promise<OpenBackend> => {
    const { SqliteHistoryBackend } = await import('../../packages/history-sqlite/src/index.js');
    return new SqliteHistoryBackend({ path, busyTimeout: patience, worker: true });
  },
  redis: async (url: string): Promise<OpenBackend> => {
    const { RedisHistoryBackend } = await import('../../packages/history-redis/src/index.js');
    return new RedisHistoryBackend({ url, commandTimeout: patience });
  },
  postgres: async (connectionString: string): Promise<OpenBackend> => {
    const { PostgresHistoryBackend } = await import('../../packages/history-postgres/src/index.js');
    return new PostgresHistoryBackend({
      connectionString,
      connectionTimeout: patience,
      statementTimeout: patience,
    });
  },
} as const;

export type StoreKind = keyof typeof backends;

/** Opens a backend. @param kind - As text, for processes that are told it by the command line. */
export function openBackend(kind: string, address: string): Promise<OpenBackend> {
  if (!isKind(kind)) throw new Error(`There is no store ${kind}.`);
  return backends[kind](address);
}

function isKind(kind: string): kind is StoreKind {
  return Object.hasOwn(backends, kind);
}

import { ConfigurationError, MinneError } from '@minne/core';
import { SqliteHistoryProvider } from '@minne/history-sqlite';
import { type EngineStore, MemoryEngine, type Principal } from '@minne/memory-engine';
import { SqliteMemoryStorage } from '@minne/memory-sqlite';
import { Conversations } from './conversations.js';
import type { DataFolder } from './data-folder.js';

/** The one person on this machine. */
export const actorId = 'you';
/** The memory store of the playground, as the memory API names it. */
export const storeId = 'playground';
/** In whose name the memory store is made. */
export const owner: Principal = { name: 'local', isAdmin: true };

/** What is kept in the data folder. */
export interface Stores {
  readonly history: SqliteHistoryProvider;
  readonly conversations: Conversations;
  readonly engine: MemoryEngine;
  readonly memories: EngineStore;
  close(): Promise<void>;
}

/**
 * Opens the stores, and reads from each, so that a file that cannot be used is told at the start.
 * @throws ConfigurationError that says what to do.
 */
export async function openStores(folder: DataFolder): Promise<Stores> {
  const opened: { close(): Promise<void> }[] = [];
  try {
    const history = new SqliteHistoryProvider({ path: folder.historyPath });
    opened.push(history);
    const conversations = new Conversations(history, actorId);
    await conversations.list();
    const storage = new SqliteMemoryStorage({ path: folder.memoryPath });
    opened.push(storage);
    const engine = new MemoryEngine({ storage });
    const memories = await engine.openStore(storeId, {
      principal: owner,
      description: 'What the agent of the playground remembers.',
    });
    const close = async () => {
      await history.close();
      await storage.close();
    };
    return { history, conversations, engine, memories, close };
  } catch (error) {
    // A store that could not be opened may not close either; why it did not open is what counts.
    await Promise.allSettled(opened.map((store) => store.close()));
    throw MinneError.isInstance(error) ? unusable(folder.path, error) : error;
  }
}

function unusable(path: string, cause: Error): ConfigurationError {
  return new ConfigurationError(
    `The data in ${path} cannot be used (${cause.message}). Set MINNE_DATA_DIR to another folder, or mend this one: it may be read-only, or its files damaged.`,
    { packageName: '@minne/playground', field: 'MINNE_DATA_DIR', cause },
  );
}

import { parentPort, workerData } from 'node:worker_threads';
import type { DatabaseHistoryStoreOptions } from './database-history-store.js';
import { HistoryServer } from './history-server.js';

// What a thread of `worker: true` runs. It ends when it is told to close.
if (parentPort === null) {
  throw new Error('This module is run by SqliteHistoryBackend, in a thread of its own.');
}
const options: DatabaseHistoryStoreOptions = workerData;
new HistoryServer(parentPort, options).start();

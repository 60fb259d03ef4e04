import { afterAll, beforeAll, describe } from 'vitest';
import { type RunningStore, startSqliteFile } from './stores.js';
import { clientsAreKilled } from './suites/killed-clients.js';
import { manyProcessesWrite } from './suites/many-processes.js';

describe('history in SQLite', () => {
  let store: RunningStore;
  beforeAll(async () => {
    store = await startSqliteFile();
  });
  afterAll(() => store.remove());

  manyProcessesWrite(() => store);
  clientsAreKilled(() => store);
});

describe('history in SQLite, in a worker thread', () => {
  let store: RunningStore;
  beforeAll(async () => {
    store = await startSqliteFile('sqliteInWorker');
  });
  afterAll(() => store.remove());

  clientsAreKilled(() => store);
});

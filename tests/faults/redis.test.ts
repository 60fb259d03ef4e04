import { serverMissing } from '@minne/test-servers';
import { afterAll, beforeAll, describe } from 'vitest';
import { type RunningServer, startDurableRedis } from './stores.js';
import { connectionsAreCut } from './suites/cut-connections.js';
import { clientsAreKilled } from './suites/killed-clients.js';
import { serverIsKilled } from './suites/killed-servers.js';
import { manyProcessesWrite } from './suites/many-processes.js';

describe.skipIf(serverMissing('redis') !== undefined)('history in a durable Redis', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startDurableRedis();
  }, 60_000);
  afterAll(() => server.remove());

  manyProcessesWrite(() => server);
  clientsAreKilled(() => server);
  connectionsAreCut(() => server);
  serverIsKilled(() => server);
});

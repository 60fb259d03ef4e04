import { serverMissing } from '@minne/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCountingProxy } from './counting-proxy.js';
import { openBackend } from './open-backend.js';
import { type RunningServer, startDurablePostgres, startDurableRedis } from './stores.js';
import { faultSource, turnOf, turnsIn } from './turn.js';

const servers: readonly (readonly ['redis' | 'postgres', () => Promise<RunningServer>])[] = [
  ['redis', startDurableRedis],
  ['postgres', startDurablePostgres],
];

describe.each(servers)('history in %s', (name, start) => {
  it.skipIf(serverMissing(name) !== undefined)(
    'takes one round trip to append a turn, and one to load, as the bare client does',
    { timeout: 60_000 },
    async () => {
      const server = await start();
      onTestFinished(server.remove);
      const proxy = await startCountingProxy(server.port);
      const address = new URL(server.address);
      address.port = String(proxy.port);
      const backend = await openBackend(server.kind, address.href);
      onTestFinished(async () => {
        await backend.close();
        await proxy.close();
      });
      const key = { sessionId: 'session', sourceId: faultSource, actorId: 'kim' };
      // The first call connects, and brings what the server has not seen yet.
      await backend.append(key, turnOf('w.0'));
      await backend.load(key);
      expect(await proxy.during(() => backend.append(key, turnOf('w.1')))).toBe(1);
      expect(await proxy.during(() => backend.load(key))).toBe(1);
      const ids = ['w.0.question', 'w.9.question'];
      const newest = { limit: 4, ids };
      expect(await proxy.during(() => backend.load(key, newest))).toBe(1);
      expect(
        await proxy.during(() => backend.append({ ...key, sessionId: 'new' }, turnOf('w.2'))),
      ).toBe(1);
      expect(turnsIn(await backend.load(key))).toEqual(['w.0', 'w.1']);
    },
  );
});

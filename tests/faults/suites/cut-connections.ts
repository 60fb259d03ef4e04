import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startCuttingProxy } from '../cutting-proxy.js';
import { rounds, timeLimit } from '../rounds.js';
import { seededChance } from '../seeded.js';
import type { RunningServer } from '../stores.js';
import { startStubbornWriters } from './stubborn-writers.js';

/** What holds when connections are cut while they are used. @param store - Called when tests run. */
export function connectionsAreCut(store: () => RunningServer): void {
  const cuts = 2 * rounds;

  it(`loses its connections ${cuts} times, and calls that are repeated until they are acknowledged have worked once`, {
    timeout: timeLimit(120_000),
  }, async () => {
    const chance = seededChance();
    const server = store();
    // A session of its own for every hundred, so that it does not grow with the rounds.
    for (let done = 0; done < cuts; done += 100) {
      const proxy = await startCuttingProxy(server.port, chance);
      onTestFinished(() => proxy.close());
      const address = new URL(server.address);
      address.port = String(proxy.port);
      const writers = startStubbornWriters({
        store: server,
        address: address.href,
        name: `cut connections ${done}`,
        count: 4,
        pause: 0,
      });
      const wanted = Math.min(100, cuts - done);
      while (proxy.cuts() < wanted) await Promise.race([writers.allGetOn(), sleep(100)]);
      proxy.relent();
      await writers.allGetOn();
      await writers.end();
      expect(writers.acknowledged()).toBeGreaterThan(0);
    }
  });
}

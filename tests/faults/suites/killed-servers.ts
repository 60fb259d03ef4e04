import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { scaled, timeLimit } from '../rounds.js';
import { seededChance } from '../seeded.js';
import type { RunningServer } from '../stores.js';
import { startStubbornWriters } from './stubborn-writers.js';

/** What holds when the server of a store is killed while it works. @param store - Called when tests run. */
export function serverIsKilled(store: () => RunningServer): void {
  const kills = scaled(3, 60);

  it(`is killed ${kills} times under load and started again: each acknowledged turn is there once, in the order of its writer`, {
    timeout: timeLimit(120_000),
  }, async () => {
    const chance = seededChance();
    const server = store();
    for (let kill = 0; kill < kills; kill++) {
      const writers = startStubbornWriters({
        store: server,
        address: server.address,
        name: `killed server ${kill}`,
        count: 4,
        pause: 2,
      });
      await writers.allGetOn();
      await sleep(chance.number(300));
      await server.process.kill();
      await sleep(chance.number(300));
      await server.process.start();
      await writers.allGetOn();
      await writers.end();
      expect(writers.acknowledged()).toBeGreaterThan(5);
    }
  });
}

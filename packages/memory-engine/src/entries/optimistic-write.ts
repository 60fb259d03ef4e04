import type { MemoryCallOptions } from '@minne/core/memory';
import type { StoreScope } from '../engine-context.js';
import { engineError } from '../engine-error.js';
import { pause } from '../pause.js';

/** What an attempt gives when somebody else came in between. */
export const retry = Symbol('retry');

/** The longest pause before a write is tried again, in milliseconds. */
const longestPause = 50;

/**
 * Reads, decides and writes until nobody came in between. Within this process the writers of one key
 * take turns, so what is left is another process.
 * @param key - What is written: two writers of the same entry have the same.
 * @throws MemoryError `TEMPORARILY_UNAVAILABLE` when the engine's `writeTimeout` has passed.
 */
export async function writeOptimistically<T>(
  { context, store }: StoreScope,
  key: readonly (string | null)[],
  attempt: () => Promise<T | typeof retry>,
  options: MemoryCallOptions,
): Promise<T> {
  return context.writes.run(JSON.stringify([store.key, ...key]), async () => {
    const deadline = performance.now() + context.writeTimeout;
    for (let tries = 0; ; tries++) {
      options.signal?.throwIfAborted();
      const result = await attempt();
      if (result !== retry) return result;
      if (performance.now() > deadline) {
        throw engineError(
          'TEMPORARILY_UNAVAILABLE',
          `Others kept changing the entry for ${context.writeTimeout} ms. Try again.`,
        );
      }
      await pause(Math.random() * Math.min(longestPause, 2 ** tries));
    }
  });
}

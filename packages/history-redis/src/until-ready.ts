import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '@minne/core';
import { packageName } from './package-name.js';
import type { RedisClient } from './redis-client.js';

/** How often a client is asked whether it is connected, in milliseconds. */
const pause = 10;

/** When to stop waiting. */
export interface UntilReadyOptions {
  /** Throws when the caller waits no longer. */
  throwIfOver(): void;
  /** Why an attempt to connect failed since the waiting began, where that is known. */
  failure(): Error | undefined;
}

/**
 * Waits until a client would send a command at once. Clients keep commands for the time after a failure; one
 * that was kept longer than its caller waited must not be sent any more: a `clear` that failed minutes ago
 * would take away what was written since.
 *
 * It asks again and again, since a listener would change a client that is not ours.
 */
export async function untilReady(
  client: RedisClient,
  { throwIfOver, failure }: UntilReadyOptions,
): Promise<void> {
  while (!['ready', 'wait'].includes(client.status)) {
    if (client.status === 'end') {
      throw new StoreError('The client has ended. Connect it again, or pass another.', {
        packageName,
        field: 'client',
      });
    }
    const failed = failure();
    if (failed !== undefined) throw failed;
    await sleep(pause);
    throwIfOver();
  }
}

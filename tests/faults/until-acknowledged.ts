import { setTimeout as sleep } from 'node:timers/promises';
import { AfterRunError, StoreError } from '../../packages/core/src/index.js';

/** Milliseconds until a call that keeps failing is a failure of the test. */
const patience = 60_000;

/**
 * Makes the same call again until the store acknowledges it.
 *
 * @throws what the call throws, unless it is a StoreError that says the call may be repeated; that one
 * when it has come for a minute.
 */
export async function untilAcknowledged<T>(call: () => Promise<T>): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isRepeatable(error) || Date.now() > end) throw error;
    }
    await sleep(10);
  }
}

function isRepeatable(error: unknown): boolean {
  const errors = AfterRunError.isInstance(error) ? error.errors : [error];
  return errors.every((one) => StoreError.isInstance(one) && one.retryable);
}

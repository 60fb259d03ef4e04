import { StoreError } from '@minne/core';
import { packageName } from './package-name.js';

/** How often a call that a store failed at for a while is made. */
const storeAttempts = 3;

/** Milliseconds after which it is not made again: a store that keeps one waiting is not asked to do so thrice. */
const patience = 2_000;

/** How often a change is worked out when others write at the same time. */
const changeAttempts = 40;

/**
 * Makes a call that can be repeated, again when the store failed in a way that may pass, after 50 and then
 * 200 ms, as long as no two seconds have passed.
 */
export async function withRetries<T>(call: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const passes = StoreError.isInstance(error) && error.retryable;
      const isLate = performance.now() - begun > patience;
      if (!passes || isLate || attempt === storeAttempts) throw error;
      await pause(50 * 4 ** (attempt - 1));
    }
  }
}

/**
 * Makes a change again and again until nobody else was first.
 *
 * @param change - Gives its result, or `lost` when others were first.
 * @throws StoreError, `retryable`, when others are first each of 40 times.
 */
export async function untilFirst<T>(
  change: () => Promise<T | typeof lost>,
  sessionId: string,
): Promise<T> {
  for (let attempt = 1; attempt <= changeAttempts; attempt += 1) {
    const result = await change();
    if (result !== lost) return result;
    // Whoever lost waits for a random while, longer each time, so that not all meet again.
    await pause(Math.random() * Math.min(100, 2 ** attempt));
  }
  throw new StoreError(
    `Others changed session ${sessionId} each of the ${changeAttempts} times that it was to be changed. Try again when fewer write to it.`,
    { packageName, sessionId, retryable: true },
  );
}

/** A change came to nothing, since the history had changed meanwhile. */
export const lost: unique symbol = Symbol('lost');

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

import { setTimeout as delay } from 'node:timers/promises';
import { hasErrorCode } from '@minne/core';
import { expect } from 'vitest';

/** How a call ends, without throwing. */
export async function settle(call: Promise<unknown>): Promise<PromiseSettledResult<unknown>> {
  const [outcome] = await Promise.allSettled([call]);
  return outcome;
}

/** How a call ends, or `pending` when it has not ended after so many milliseconds. */
export async function settleWithin(
  call: Promise<unknown>,
  milliseconds: number,
): Promise<PromiseSettledResult<unknown> | 'pending'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<'pending'>((resolve) => {
    timer = setTimeout(() => resolve('pending'), milliseconds);
  });
  try {
    return await Promise.race([settle(call), patience]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until something is so. @throws AssertionError when it is not after so many milliseconds. */
export async function until(
  holds: () => boolean,
  what: string,
  milliseconds: number,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!holds()) {
    if (performance.now() > deadline)
      expect.fail(`Waited ${milliseconds} ms in vain until ${what}.`);
    await delay(5);
  }
}

/** Expects that a call rejects with an error of Minne of this kind. */
export async function expectRefused(
  call: Promise<unknown>,
  code: string,
  what = 'the call',
): Promise<void> {
  const outcome = await settle(call);
  expect(outcome.status, `${what} is refused with ${code}`).toBe('rejected');
  const reason: unknown = outcome.status === 'rejected' ? outcome.reason : undefined;
  expect(hasErrorCode(reason, code), `${what} is refused with ${code}, not with ${reason}`).toBe(
    true,
  );
}

/** Makes a change that a frozen value may refuse: frozen values are as good as copies. */
export function tryToChange(change: () => void): void {
  try {
    change();
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
  }
}

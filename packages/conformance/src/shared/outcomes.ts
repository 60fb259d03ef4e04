import { hasErrorCode } from '@minne/core';
import { expect } from 'vitest';

/** How a call ends, without throwing. */
export async function settle(call: Promise<unknown>): Promise<PromiseSettledResult<unknown>> {
  const [outcome] = await Promise.allSettled([call]);
  return outcome;
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

import type { Clock } from '@minne/core';

/** A clock that stands still until it is moved. */
export interface MovableClock {
  readonly clock: Clock;
  /** Moves it on by milliseconds. */
  readonly advance: (milliseconds: number) => void;
}

/** A clock at noon of a day in 2026. */
export function movableClock(): MovableClock {
  let now = Date.UTC(2026, 4, 1, 12);
  return {
    clock: () => new Date(now),
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}

import { invalidParameter } from '@minne/core/memory';

/** How much of an entry an answer holds: `BASIC` leaves the content out. */
export type MemoryView = 'BASIC' | 'FULL';

/**
 * Whether entries in this view have their content. Default `FULL`.
 * @throws MemoryError `INVALID_PARAMETER_VALUE`.
 */
export function hasContent(view: MemoryView | undefined): boolean {
  if (view === undefined || view === 'FULL') return true;
  if (view === 'BASIC') return false;
  throw invalidParameter('view', 'must be BASIC or FULL.');
}

import { ConfigurationError, InvalidInputError, type NewHistoryRecord } from '@minne/core';
import type { EncodedItem } from './item-record.js';

/** How many are remembered. */
const maximumCount = 16;

/**
 * Items whose append failed so that nobody knows whether the store has them. When the caller adds the same
 * items again, they go by the same record ids, so that the store writes them at most once.
 */
export class UnsettledBatches {
  readonly #batches = new Map<string, readonly NewHistoryRecord[]>();

  /** The records of the same items, if their append failed; they are forgotten here. */
  take(items: readonly EncodedItem[]): readonly NewHistoryRecord[] | undefined {
    const key = keyOf(items);
    const records = this.#batches.get(key);
    this.#batches.delete(key);
    return records;
  }

  /** An append has failed. What was refused before anything was written is no matter of doubt. */
  failed(
    items: readonly EncodedItem[],
    records: readonly NewHistoryRecord[],
    error: unknown,
  ): void {
    if (InvalidInputError.isInstance(error) || ConfigurationError.isInstance(error)) return;
    this.#batches.set(keyOf(items), records);
    const [oldest] = this.#batches.keys();
    if (this.#batches.size > maximumCount && oldest !== undefined) this.#batches.delete(oldest);
  }

  forgetAll(): void {
    this.#batches.clear();
  }
}

/** JSON holds no line break of its own, so that no two lists share a key. */
function keyOf(items: readonly EncodedItem[]): string {
  return items.map(({ payload }) => payload).join('\n');
}

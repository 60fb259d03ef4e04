import {
  groupsToDrop,
  type HistoryRecord,
  type NewHistoryRecord,
  type RecordKind,
  rememberedIdCount,
  type TrimmableRecord,
} from '@minne/core';
import type { SqliteTransaction } from '@minne/sqlite';
import { historySql as sql } from './history-sql.js';
import type { StoredHistory } from './stored-history.js';

/**
 * The records of one history, and the ids of those that it remembers, within one transaction. What changes
 * counts on in the row of the history, which is saved afterwards.
 */
export class HistoryRecords {
  readonly #transaction: SqliteTransaction;
  readonly #stored: StoredHistory;

  constructor(transaction: SqliteTransaction, stored: StoredHistory) {
    this.#transaction = transaction;
    this.#stored = stored;
  }

  /** Adds the records that are new and returns the ids of the others. */
  insertNew(records: readonly NewHistoryRecord[]): string[] {
    const duplicates: string[] = [];
    for (const record of records) {
      const sequence = this.#stored.lastSequence + 1;
      if (this.#isRemoved(record.id) || !this.#insert({ ...record, sequence })) {
        duplicates.push(record.id);
        continue;
      }
      this.#stored.lastSequence = sequence;
      this.#stored.recordCount += 1;
    }
    return duplicates;
  }

  /** Makes the history hold just these records. Rows that stay as they are are not written. */
  replaceAll(records: readonly HistoryRecord[]): void {
    const { history } = this.#stored;
    const wanted = new Map(records.map((record) => [record.sequence, record]));
    const ids = new Set(records.map(({ id }) => id));
    for (const row of this.#transaction.statement(sql.storedIds).all(history)) {
      const [sequence, id] = [Number(row['sequence']), String(row['id'])];
      const record = wanted.get(sequence);
      if (record !== undefined && this.#holds(record)) {
        wanted.delete(sequence);
        continue;
      }
      this.#transaction.statement(sql.deleteRecord).run(history, sequence);
      if (!ids.has(id)) {
        const { changes } = this.#transaction
          .statement(sql.rememberRemoved)
          .run(history, id, sequence);
        this.#stored.removedCount += Number(changes);
      }
    }
    for (const record of wanted.values()) {
      const { changes } = this.#transaction.statement(sql.forgetRemoved).run(history, record.id);
      this.#stored.removedCount -= Number(changes);
      this.#insert(record);
      this.#stored.lastSequence = Math.max(this.#stored.lastSequence, record.sequence);
    }
    this.#stored.recordCount = records.length;
  }

  /** Drops the oldest groups beyond `maxMessages`, and the oldest remembered ids beyond their bound. */
  trim(maxMessages: number | undefined): void {
    const { history } = this.#stored;
    if (maxMessages !== undefined && this.#stored.recordCount > maxMessages) {
      const newest = this.#transaction.statement(sql.newestGroup).get(history)?.['group'];
      const groups = groupsToDrop(this.#oldestFirst(), {
        total: this.#stored.recordCount,
        maxMessages,
        newestGroup: typeof newest === 'string' ? newest : undefined,
        sizeOf: (group) =>
          Number(this.#transaction.statement(sql.groupSize).get(history, group)?.['size'] ?? 0),
      });
      for (const group of groups) {
        const remembered = this.#transaction.statement(sql.rememberGroup).run(history, group);
        this.#stored.removedCount += Number(remembered.changes);
        this.#stored.recordCount -= Number(
          this.#transaction.statement(sql.deleteGroup).run(history, group).changes,
        );
      }
    }
    const excess = this.#stored.removedCount - rememberedIdCount;
    if (excess <= 0) return;
    const { changes } = this.#transaction.statement(sql.forgetOldestRemoved).run(history, excess);
    this.#stored.removedCount -= Number(changes);
  }

  /** Those of the ids that the history knows, each once. */
  knownAmong(ids: readonly string[]): string[] {
    const { history } = this.#stored;
    return [...new Set(ids)].filter(
      (id) =>
        this.#transaction.statement(sql.hasRecord).get(history, id) !== undefined ||
        this.#isRemoved(id),
    );
  }

  *#oldestFirst(): Generator<TrimmableRecord> {
    for (const row of this.#transaction
      .statement(sql.oldestTrimmable)
      .iterate(this.#stored.history)) {
      // Whatever the column holds: trimming asks only whether it is `system`.
      yield { kind: row['kind'] as RecordKind, group: String(row['group']) };
    }
  }

  #insert(record: HistoryRecord): boolean {
    const { sequence, v, id, group, kind, payload } = record;
    const { changes } = this.#transaction
      .statement(sql.insertRecord)
      .run(this.#stored.history, sequence, v, id, group, kind, payload);
    return changes > 0;
  }

  /** Whether the table holds just this record. */
  #holds(record: HistoryRecord): boolean {
    const { history } = this.#stored;
    const row = this.#transaction.statement(sql.recordAt).get(history, record.sequence);
    return (
      row?.['v'] === record.v &&
      row['id'] === record.id &&
      row['group'] === record.group &&
      row['kind'] === record.kind &&
      row['payload'] === record.payload
    );
  }

  #isRemoved(id: string): boolean {
    const { history, removedCount } = this.#stored;
    return (
      removedCount > 0 && this.#transaction.statement(sql.hasRemoved).get(history, id) !== undefined
    );
  }
}

import {
  groupsToDrop,
  type HistoryKey,
  type HistoryRecord,
  type NewHistoryRecord,
  type RecordKind,
  rememberedIdCount,
  type TrimmableRecord,
} from '@minne/core';
import type { SqliteTransaction } from '@minne/sqlite';
import { historySql as sql } from './history-sql.js';

/** The row of a history, changed in place while a transaction works on it and then saved. */
export interface StoredHistory {
  readonly history: number;
  version: number;
  lastSequence: number;
  recordCount: number;
  removedCount: number;
  actorId: string | null;
  activity: number;
}

/** What can be done to the tables within one transaction. */
export class HistoryTables {
  readonly #transaction: SqliteTransaction;

  constructor(transaction: SqliteTransaction) {
    this.#transaction = transaction;
  }

  /** The history of a key, if it was ever written since it was last cleared. */
  find({ sessionId, sourceId }: HistoryKey): StoredHistory | undefined {
    const row = this.#transaction.statement(sql.findHistory).get(sessionId, sourceId);
    if (row === undefined) return undefined;
    const actorId = row['actor_id'];
    return {
      history: Number(row['history']),
      version: Number(row['version']),
      lastSequence: Number(row['last_sequence']),
      recordCount: Number(row['record_count']),
      removedCount: Number(row['removed_count']),
      actorId: typeof actorId === 'string' ? actorId : null,
      activity: Number(row['activity']),
    };
  }

  /**
   * A new history. It counts on from where the highest cleared one ended, so that a cleared history
   * leaves nothing behind and yet no sequence or version of it comes again.
   */
  create({ sessionId, sourceId }: HistoryKey): StoredHistory {
    const floor = Number(this.#transaction.statement(sql.floor).get()?.['value'] ?? 0);
    const { lastInsertRowid } = this.#transaction
      .statement(sql.createHistory)
      .run(sessionId, sourceId, floor, floor);
    return {
      history: Number(lastInsertRowid),
      version: floor,
      lastSequence: floor,
      recordCount: 0,
      removedCount: 0,
      actorId: null,
      activity: 0,
    };
  }

  /** Adds the records that are new and returns the ids of the others. */
  insertNew(stored: StoredHistory, records: readonly NewHistoryRecord[]): string[] {
    const duplicates: string[] = [];
    for (const record of records) {
      const sequence = stored.lastSequence + 1;
      if (this.#isRemoved(stored, record.id) || !this.#insert(stored, { ...record, sequence })) {
        duplicates.push(record.id);
        continue;
      }
      stored.lastSequence = sequence;
      stored.recordCount += 1;
    }
    return duplicates;
  }

  /** Makes the history hold just these records. Rows that stay as they are are not written. */
  replaceAll(stored: StoredHistory, records: readonly HistoryRecord[]): void {
    const { history } = stored;
    const wanted = new Map(records.map((record) => [record.sequence, record]));
    const ids = new Set(records.map(({ id }) => id));
    for (const row of this.#transaction.statement(sql.storedIds).all(history)) {
      const [sequence, id] = [Number(row['sequence']), String(row['id'])];
      const record = wanted.get(sequence);
      if (record !== undefined && this.#holds(history, record)) {
        wanted.delete(sequence);
        continue;
      }
      this.#transaction.statement(sql.deleteRecord).run(history, sequence);
      if (!ids.has(id)) {
        const { changes } = this.#transaction
          .statement(sql.rememberRemoved)
          .run(history, id, sequence);
        stored.removedCount += Number(changes);
      }
    }
    for (const record of wanted.values()) {
      const { changes } = this.#transaction.statement(sql.forgetRemoved).run(history, record.id);
      stored.removedCount -= Number(changes);
      this.#insert(stored, record);
      stored.lastSequence = Math.max(stored.lastSequence, record.sequence);
    }
    stored.recordCount = records.length;
  }

  /** Drops the oldest groups beyond `maxMessages`, and the oldest remembered ids beyond their bound. */
  trim(stored: StoredHistory, maxMessages: number | undefined): void {
    const { history } = stored;
    if (maxMessages !== undefined && stored.recordCount > maxMessages) {
      const newest = this.#transaction.statement(sql.newestGroup).get(history)?.['group'];
      const groups = groupsToDrop(this.#oldestFirst(history), {
        total: stored.recordCount,
        maxMessages,
        newestGroup: typeof newest === 'string' ? newest : undefined,
        sizeOf: (group) =>
          Number(this.#transaction.statement(sql.groupSize).get(history, group)?.['size'] ?? 0),
      });
      for (const group of groups) {
        const remembered = this.#transaction.statement(sql.rememberGroup).run(history, group);
        stored.removedCount += Number(remembered.changes);
        stored.recordCount -= Number(
          this.#transaction.statement(sql.deleteGroup).run(history, group).changes,
        );
      }
    }
    const excess = stored.removedCount - rememberedIdCount;
    if (excess <= 0) return;
    const { changes } = this.#transaction.statement(sql.forgetOldestRemoved).run(history, excess);
    stored.removedCount -= Number(changes);
  }

  /** Counts the version up and writes the row of the history, which becomes its actor's most recent. */
  save(stored: StoredHistory, actorId: string | undefined, updatedAt: string): void {
    const owner = actorId ?? stored.actorId;
    const latest = owner === null ? 0 : this.#latestActivity(owner);
    const isLatest = owner === stored.actorId && stored.activity === latest;
    stored.version += 1;
    stored.actorId = owner;
    stored.activity = isLatest ? latest : latest + 1;
    this.#transaction
      .statement(sql.updateHistory)
      .run(
        stored.version,
        stored.lastSequence,
        stored.recordCount,
        stored.removedCount,
        stored.actorId,
        stored.activity,
        updatedAt,
        stored.history,
      );
  }

  /** Takes away everything of a history. */
  remove({
    history,
    version,
    lastSequence,
  }: Pick<StoredHistory, 'history' | 'version' | 'lastSequence'>): void {
    this.#transaction.statement(sql.deleteRecords).run(history);
    this.#transaction.statement(sql.deleteRemoved).run(history);
    this.#transaction.statement(sql.deleteHistory).run(history);
    this.#transaction.statement(sql.raiseFloor).run(Math.max(version, lastSequence));
  }

  /** Takes away everything of an actor and returns how many histories that were. */
  removeActor(actorId: string): number {
    const rows = this.#transaction.statement(sql.historiesOfActor).all(actorId);
    for (const row of rows) {
      this.remove({
        history: Number(row['history']),
        version: Number(row['version']),
        lastSequence: Number(row['last_sequence']),
      });
    }
    return rows.length;
  }

  /** Those of the ids that the history knows, each once. */
  knownAmong(stored: StoredHistory, ids: readonly string[]): string[] {
    const { history } = stored;
    return [...new Set(ids)].filter(
      (id) =>
        this.#transaction.statement(sql.hasRecord).get(history, id) !== undefined ||
        this.#isRemoved(stored, id),
    );
  }

  *#oldestFirst(history: number): Generator<TrimmableRecord> {
    for (const row of this.#transaction.statement(sql.oldestTrimmable).iterate(history)) {
      // Whatever the column holds: trimming asks only whether it is `system`.
      yield { kind: row['kind'] as RecordKind, group: String(row['group']) };
    }
  }

  #insert({ history }: StoredHistory, record: HistoryRecord): boolean {
    const { sequence, v, id, group, kind, payload } = record;
    const { changes } = this.#transaction
      .statement(sql.insertRecord)
      .run(history, sequence, v, id, group, kind, payload);
    return changes > 0;
  }

  /** Whether the table holds just this record. */
  #holds(history: number, record: HistoryRecord): boolean {
    const row = this.#transaction.statement(sql.recordAt).get(history, record.sequence);
    return (
      row?.['v'] === record.v &&
      row['id'] === record.id &&
      row['group'] === record.group &&
      row['kind'] === record.kind &&
      row['payload'] === record.payload
    );
  }

  #isRemoved({ history, removedCount }: StoredHistory, id: string): boolean {
    return (
      removedCount > 0 && this.#transaction.statement(sql.hasRemoved).get(history, id) !== undefined
    );
  }

  #latestActivity(actorId: string): number {
    return Number(this.#transaction.statement(sql.latestActivity).get(actorId)?.['activity'] ?? 0);
  }
}

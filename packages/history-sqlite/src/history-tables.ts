import type { SQLOutputValue } from 'node:sqlite';
import type { HistoryKey } from '@minne/core';
import type { SqliteTransaction } from '@minne/sqlite';
import { historySql as sql } from './history-sql.js';
import { hasExpired, type StoredHistory } from './stored-history.js';

/** Who writes a history, and when. */
export interface HistoryWrite {
  /** Absent: the history stays whose it is. */
  readonly actorId: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** When the history is to expire. */
  readonly expiresAt: number | null;
}

/** How many histories were taken away. */
export interface RemovedHistories {
  /** Those that had not expired. */
  readonly living: number;
  readonly all: number;
}

/** What can be done to histories as wholes within one transaction. */
export class HistoryTables {
  readonly #transaction: SqliteTransaction;

  constructor(transaction: SqliteTransaction) {
    this.#transaction = transaction;
  }

  /** The history of a key, if it was written since it was last cleared and has not expired. */
  findLiving(key: HistoryKey, now: number): StoredHistory | undefined {
    const stored = this.find(key);
    return stored === undefined || hasExpired(stored.expiresAt, now) ? undefined : stored;
  }

  /** The history of a key, if it was written since it was last cleared, expired or not. */
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
      beganAt: Number(row['began_at']),
      expiresAt: timeIn(row['expires_at']),
    };
  }

  /**
   * A new history. It counts on from where the highest cleared one ended, so that a cleared history
   * leaves nothing behind and yet no sequence or version of it comes again.
   */
  create({ sessionId, sourceId }: HistoryKey, now: number): StoredHistory {
    const floor = Number(this.#transaction.statement(sql.floor).get()?.['value'] ?? 0);
    const { lastInsertRowid } = this.#transaction
      .statement(sql.createHistory)
      .run(sessionId, sourceId, floor, floor, now);
    return {
      history: Number(lastInsertRowid),
      version: floor,
      lastSequence: floor,
      recordCount: 0,
      removedCount: 0,
      actorId: null,
      activity: 0,
      beganAt: now,
      expiresAt: null,
    };
  }

  /** Counts the version up and writes the row of the history, which becomes its actor's most recent. */
  save(stored: StoredHistory, { actorId, now, expiresAt }: HistoryWrite): void {
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
        stored.beganAt,
        expiresAt,
        new Date(now).toISOString(),
        stored.history,
      );
  }

  /** Sets when a history expires, and leaves the rest of it as it is. */
  setExpiry({ history }: StoredHistory, expiresAt: number | null): void {
    this.#transaction.statement(sql.setExpiry).run(expiresAt, history);
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

  /** Takes away everything of an actor. */
  removeActor(actorId: string, now: number): RemovedHistories {
    const rows = this.#transaction.statement(sql.historiesOfActor).all(actorId);
    let living = 0;
    for (const row of rows) {
      if (!hasExpired(timeIn(row['expires_at']), now)) living += 1;
      this.remove({
        history: Number(row['history']),
        version: Number(row['version']),
        lastSequence: Number(row['last_sequence']),
      });
    }
    return { living, all: rows.length };
  }

  #latestActivity(actorId: string): number {
    return Number(this.#transaction.statement(sql.latestActivity).get(actorId)?.['activity'] ?? 0);
  }
}

function timeIn(value: SQLOutputValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

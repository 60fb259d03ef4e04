import type { MemoryCallOptions } from '@minne/core/memory';
import type { StorePage, StoreRow, StoreTable } from '@minne/memory-engine';
import type { SqliteDatabase, SqliteTransaction } from '@minne/sqlite';
import { integerOf, mapOf, type Row, textOf, textOrNullOf } from './row-values.js';

const columns =
  'id, key, description, metadata, creator, create_time, update_time, delete_time, revision';

/** The stores in SQLite. */
export class SqliteStoreTable implements StoreTable {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  get(id: string, options?: MemoryCallOptions): Promise<StoreRow | undefined> {
    return this.#database.read(options, (transaction) => {
      const row = transaction
        .statement(`SELECT ${columns} FROM minne_memory_stores WHERE id = ?`)
        .get(id);
      return row === undefined ? undefined : toStoreRow(row);
    });
  }

  list({ after, limit }: StorePage, options?: MemoryCallOptions): Promise<readonly StoreRow[]> {
    return this.#database.read(options, (transaction) =>
      transaction
        .statement(
          `SELECT ${columns} FROM minne_memory_stores
             WHERE id > ? AND delete_time IS NULL ORDER BY id LIMIT ?`,
        )
        .all(after ?? '', limit)
        .map(toStoreRow),
    );
  }

  write(row: StoreRow, expected: number | null, options?: MemoryCallOptions): Promise<boolean> {
    return this.#database.write(options, (transaction) =>
      expected === null ? insert(transaction, row) : update(transaction, row, expected),
    );
  }
}

function insert(transaction: SqliteTransaction, row: StoreRow): boolean {
  const { changes } = transaction
    .statement(
      `INSERT INTO minne_memory_stores (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO NOTHING`,
    )
    .run(
      row.id,
      row.key,
      row.description,
      JSON.stringify(row.metadata),
      row.creator,
      row.createTime,
      row.updateTime,
      row.deleteTime,
      row.revision,
    );
  return changes === 1;
}

function update(transaction: SqliteTransaction, row: StoreRow, expected: number): boolean {
  const { changes } = transaction
    .statement(
      `UPDATE minne_memory_stores
       SET description = ?, metadata = ?, update_time = ?, delete_time = ?, revision = ?
       WHERE id = ? AND key = ? AND revision = ?`,
    )
    .run(
      row.description,
      JSON.stringify(row.metadata),
      row.updateTime,
      row.deleteTime,
      row.revision,
      row.id,
      row.key,
      expected,
    );
  return changes === 1;
}

function toStoreRow(row: Row): StoreRow {
  return {
    id: textOf(row, 'id'),
    key: textOf(row, 'key'),
    description: textOrNullOf(row, 'description'),
    metadata: mapOf(row, 'metadata'),
    creator: textOf(row, 'creator'),
    createTime: textOf(row, 'create_time'),
    updateTime: textOf(row, 'update_time'),
    deleteTime: textOrNullOf(row, 'delete_time'),
    revision: integerOf(row, 'revision'),
  };
}

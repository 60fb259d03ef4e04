import type { MemoryCallOptions } from '@minne/core/memory';
import type { StorePage, StoreRow, StoreTable } from '@minne/memory-engine';
import type { Connection } from './connection.js';
import type { Executor } from './executor.js';
import { integerOf, mapOf, type Row, textOf, textOrNullOf } from './row-values.js';

const columns =
  'id, key, description, metadata, creator, create_time, update_time, delete_time, revision';

/** The stores in SQLite. */
export class SqliteStoreTable implements StoreTable {
  readonly #executor: Executor;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  get(id: string, options?: MemoryCallOptions): Promise<StoreRow | undefined> {
    return this.#executor.run((connection) => {
      const row = connection
        .statement(`SELECT ${columns} FROM minne_memory_stores WHERE id = ?`)
        .get(id);
      return row === undefined ? undefined : toStoreRow(row);
    }, options);
  }

  list({ after, limit }: StorePage, options?: MemoryCallOptions): Promise<readonly StoreRow[]> {
    return this.#executor.run(
      (connection) =>
        connection
          .statement(
            `SELECT ${columns} FROM minne_memory_stores
             WHERE id > ? AND delete_time IS NULL ORDER BY id LIMIT ?`,
          )
          .all(after ?? '', limit)
          .map(toStoreRow),
      options,
    );
  }

  write(row: StoreRow, expected: number | null, options?: MemoryCallOptions): Promise<boolean> {
    return this.#executor.run(
      (connection) =>
        expected === null ? insert(connection, row) : update(connection, row, expected),
      options,
    );
  }
}

function insert(connection: Connection, row: StoreRow): boolean {
  const { changes } = connection
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

function update(connection: Connection, row: StoreRow, expected: number): boolean {
  const { changes } = connection
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

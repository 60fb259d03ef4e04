import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** A statement that gives rows as objects and integers as numbers, however the application's database is set. */
export function prepareStatement(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReturnArrays(false);
  statement.setReadBigInts(false);
  return statement;
}

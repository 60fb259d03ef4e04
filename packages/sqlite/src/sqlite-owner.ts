import type { SqliteFailure } from './sqlite-failure.js';
import type { SqliteSchema } from './sqlite-schema.js';

/** What a package says of itself and of the tables that it keeps in a database. */
export interface SqliteOwner {
  /** The package that errors name, such as `@minne/history-sqlite`. */
  readonly packageName: string;
  /** How errors call what uses the database, such as `history store`. */
  readonly what: string;
  readonly schema: SqliteSchema;
  /** The error to raise for a failure. Default: a `StoreError`. */
  readonly toError?: (failure: SqliteFailure) => Error;
}

import type { DatabaseSync } from 'node:sqlite';
import { prepareStatement } from './prepare-statement.js';

/** The tables of a package, and the layout that they have. */
export interface SqliteSchema {
  /** The layout that this version of the package makes and reads, 1 or more. */
  readonly version: number;
  /** A table that is there exactly when all the tables are. */
  readonly table: string;
  /** Selects the layout of the tables that are there, as `version`, from a row that the definition made. */
  readonly selectVersion: string;
  /** Makes the tables and their version's row. Other tables in the file, and `user_version`, are others'. */
  readonly definition: string;
  /**
   * For each older layout, statements that bring its tables and their version's row to the next one. They run
   * in the transaction that looked at the layout: all of them or none. Default: older layouts are refused.
   */
  readonly migrations?: ReadonlyMap<number, string>;
}

/** The layout of the tables that are there; `undefined` when there are none, `null` when it is not told. */
export function foundLayout(database: DatabaseSync, schema: SqliteSchema): unknown {
  const table = prepareStatement(
    database,
    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?",
  ).get(schema.table);
  if (table === undefined) return undefined;
  return prepareStatement(database, schema.selectVersion).get()?.['version'] ?? null;
}

/** The statements that bring tables from a layout to the one of `schema`, in order; `undefined` when no way leads there. */
export function migrationsFrom(layout: unknown, schema: SqliteSchema): string[] | undefined {
  if (typeof layout !== 'number') return undefined;
  const steps: string[] = [];
  for (let from = layout; from !== schema.version; from++) {
    const step = schema.migrations?.get(from);
    if (step === undefined) return undefined;
    steps.push(step);
  }
  return steps;
}

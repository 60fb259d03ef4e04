export { isCorrupt } from './result-code.js';
export type { SqliteTransaction } from './sqlite-connection.js';
export { type SqliteCallOptions, SqliteDatabase } from './sqlite-database.js';
export type { SqliteFailure } from './sqlite-failure.js';
export {
  type CheckedSqliteOptions,
  checkSqliteOptions,
  type SqliteLocation,
  type SqliteOptions,
} from './sqlite-options.js';
export type { SqliteOwner } from './sqlite-owner.js';
export type { SqliteSchema } from './sqlite-schema.js';

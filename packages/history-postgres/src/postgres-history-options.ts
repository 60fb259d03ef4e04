import {
  ConfigurationError,
  checkExpiry,
  checkMaxMessages,
  type HistoryExpiryOptions,
} from '@minne/core';
import { packageName } from './package-name.js';
import type { PostgresPool } from './postgres-api.js';

/** What holds with either kind of connection. */
export interface PostgresHistoryCommonOptions extends HistoryExpiryOptions {
  /**
   * The schema with the tables: a letter or `_`, then letters, digits and `_`, at most 63. It is made when
   * it is missing. Several stores in one database take a schema each. Default `minne`.
   */
  readonly schema?: string;
  /**
   * The most messages that a session keeps; the oldest groups go first. System messages count and
   * stay, and so does the newest group, even when that makes more. Default: no limit.
   */
  readonly maxMessages?: number;
  /** How long a call waits for a connection, in milliseconds, 1 or more. Default 5,000. */
  readonly connectionTimeout?: number;
  /**
   * How long a call waits for the answer, in milliseconds, 1 or more. For another writer of the same session
   * the server waits nine tenths of it. Default 15,000.
   */
  readonly statementTimeout?: number;
}

/** Options of {@link PostgresHistoryBackend}. Exactly one of `connectionString` and `pool` is needed. */
export type PostgresHistoryBackendOptions = PostgresHistoryCommonOptions &
  (
    | {
        /** The server and database, as `postgres://user:password@host:5432/database?sslmode=verify-full`. */
        readonly connectionString: string;
        readonly pool?: never;
      }
    | {
        /** A `Pool` of `pg` of your own. It stays yours: you end it. */
        readonly pool: PostgresPool;
        readonly connectionString?: never;
      }
  );

/** The longest wait of a timer: it would end at once otherwise. */
const longestTimeout = 2 ** 31 - 1;

/** @throws ConfigurationError naming the option that cannot work. */
export function checkOptions(options: PostgresHistoryBackendOptions): void {
  checkMaxMessages(options.maxMessages, packageName);
  checkExpiry(options, packageName);
  checkSchema(options.schema);
  for (const field of ['connectionTimeout', 'statementTimeout'] as const) {
    const value = options[field];
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < 1 || value > longestTimeout) {
      throw wrong(
        field,
        `${field} is ${String(value)}. Give it whole milliseconds from 1 to ${longestTimeout}.`,
      );
    }
  }
  const { connectionString, pool } = options;
  if ((connectionString === undefined) === (pool === undefined)) {
    throw wrong(
      'connectionString',
      connectionString === undefined
        ? 'There is no database. Give either connectionString or pool.'
        : 'There are two databases. Give either connectionString or pool, not both.',
    );
  }
  if (connectionString !== undefined && !isConnectionString(connectionString)) {
    // The value is not told: it may hold a password.
    throw wrong(
      'connectionString',
      'connectionString is no address of a PostgreSQL. Write it as postgres://user:password@host:5432/database, with special characters of the password as %XX.',
    );
  }
  if (pool !== undefined && typeof pool?.connect !== 'function') {
    throw wrong('pool', 'pool is no Pool of pg. Make it by new Pool(…) of pg.');
  }
}

/** @throws ConfigurationError unless `schema` can be the name of a schema, or is absent. */
export function checkSchema(schema: string | undefined): void {
  if (schema === undefined) return;
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(schema) || /^pg_/i.test(schema)) {
    throw wrong(
      'schema',
      `schema is ${JSON.stringify(schema)}. Give it letters, digits and _, at most 63, no digit first and not pg_.`,
    );
  }
}

function isConnectionString(text: unknown): boolean {
  if (typeof text !== 'string' || !/^postgres(?:ql)?:\/\//.test(text)) return false;
  // A socket is named in the query, and no host then.
  return URL.canParse(text) || URL.canParse(text.replace('@/', '@localhost/'));
}

function wrong(field: string, text: string): ConfigurationError {
  return new ConfigurationError(text, { packageName, field });
}

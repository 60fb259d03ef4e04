import { emitWarning } from 'node:process';
import {
  type Clock,
  ConflictError,
  checkId,
  checkSerializedSession,
  type SerializedSession,
  type SessionFilter,
  type SessionListing,
  type SessionStore,
  type SessionStoreCallOptions,
  type SetSessionOptions,
  type StoredSession,
  StoreError,
  systemClock,
  type Warning,
} from '@minne/core';
import { SqliteDatabase } from '@minne/sqlite';
import { packageName } from './package-name.js';
import { listingOf, readSession, stampOf } from './session-row.js';
import { sessionSchema } from './session-schema.js';
import { sessionSql as sql } from './session-sql.js';
import type { SqliteSessionStoreOptions } from './sqlite-session-store-options.js';

/**
 * Keeps sessions in a SQLite file, on the SQLite that is built into Node.
 *
 * Several processes may use one file: of writers under one version exactly one wins. What `set` resolved
 * for is on the disk (`synchronous=FULL`) and survives a kill of the process and a loss of power.
 * Queries block the event loop while they run; waiting for another process does not.
 *
 * Every method throws InvalidInputError for input that cannot be stored and StoreError, `retryable`
 * when another process was in the way, for what SQLite refuses.
 */
export class SqliteSessionStore implements SessionStore {
  readonly specificationVersion = 'v1' as const;
  readonly #database: SqliteDatabase;
  readonly #clock: Clock;
  readonly #onDiagnostic: (warning: Warning) => void;

  /** Opens nothing yet. @throws ConfigurationError for options that cannot work. */
  constructor(options: SqliteSessionStoreOptions) {
    this.#database = new SqliteDatabase(options, {
      packageName,
      what: 'session store',
      schema: sessionSchema,
    });
    this.#clock = options.clock ?? systemClock;
    this.#onDiagnostic = options.onDiagnostic ?? warnProcess;
  }

  async get(
    sessionId: string,
    { signal }: SessionStoreCallOptions = {},
  ): Promise<StoredSession | undefined> {
    checkId(sessionId, 'sessionId', { packageName });
    for (;;) {
      const row = await this.#database.read({ sessionId, signal }, (transaction) =>
        transaction.statement(sql.find).get(sessionId),
      );
      if (row === undefined) return undefined;
      const found = readSession(row, sessionId);
      if ('session' in found) return { session: found.session, ...stampOf(row) };
      const { version = null } = row;
      const { problem } = found;
      const aside = await this.#database.write({ sessionId, signal }, (transaction) => {
        transaction.statement(sql.setAside).run(problem, version);
        return transaction.statement(sql.removeVersion).run(version).changes;
      });
      // When the row was replaced in the meantime, the new one is to be read.
      if (aside === 0) continue;
      this.#onDiagnostic({
        code: 'damaged_session',
        message: `The session ${sessionId} could not be read and was moved to the table minne_damaged_sessions: ${problem}.`,
      });
      return undefined;
    }
  }

  async set(session: SerializedSession, options: SetSessionOptions = {}): Promise<SessionListing> {
    const { signal, version } = options;
    const own = checkSerializedSession(session, { packageName });
    const { sessionId, actorId = null } = own;
    const text = JSON.stringify(own);
    return this.#database.write({ sessionId, signal }, (transaction) => {
      const stored = transaction.statement(sql.stamp).get(sessionId);
      const found = stored === undefined ? null : String(stored['version']);
      if (version !== undefined && version !== found) throw conflict(sessionId, version);
      const time = Math.max(this.#clock().getTime(), Number(stored?.['updated_at'] ?? 0) + 1);
      const row = transaction.statement(sql.write).get(sessionId, actorId, time, text);
      if (row === undefined) throw new StoreError('SQLite wrote no row.', { packageName });
      return listingOf(row);
    });
  }

  /** Forgets a session, and what was set aside of it. */
  async delete(sessionId: string, { signal }: SessionStoreCallOptions = {}): Promise<boolean> {
    checkId(sessionId, 'sessionId', { packageName });
    const removed = await this.#database.write({ sessionId, signal }, (transaction) => {
      transaction.statement(sql.removeDamaged).run(sessionId);
      return transaction.statement(sql.remove).run(sessionId).changes;
    });
    this.#database.emptyLog();
    return removed !== 0;
  }

  /**
   * All listings are read at once, so that they are of one state. A damaged session is among them until
   * it is read.
   */
  async *list(
    { actorId }: SessionFilter = {},
    { signal }: SessionStoreCallOptions = {},
  ): AsyncGenerator<SessionListing, void> {
    if (actorId !== undefined) checkId(actorId, 'actorId', { packageName });
    const rows = await this.#database.read({ signal }, (transaction) =>
      actorId === undefined
        ? transaction.statement(sql.listAll).all()
        : transaction.statement(sql.listActor).all(actorId),
    );
    for (const row of rows) {
      signal?.throwIfAborted();
      yield listingOf(row);
    }
  }

  /** Waits for what was begun and closes the file. A `database` of your own stays open. */
  async close(): Promise<void> {
    await this.#database.close();
  }
}

function conflict(sessionId: string, given: string | null): ConflictError {
  return new ConflictError(
    given === null
      ? `The session ${sessionId} is there already. Read it, and write under its version.`
      : `The session ${sessionId} is not stored under version ${given} any more. Read it again, and write what is to change under the version that it has now.`,
    { packageName, field: 'version', sessionId },
  );
}

function warnProcess({ code, message }: Warning): void {
  emitWarning(message, { type: 'MinneWarning', code });
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnPostgresPool, PostgresPool, PostgresPoolClient } from './postgres-api.js';
import { closedStore, missingPackage, tooLate, toStoreError } from './postgres-failure.js';
import type { PostgresHistoryBackendOptions } from './postgres-history-options.js';
import { isAnswer, isRolledBack } from './sql-state.js';
import { within } from './within.js';

/** A row: its columns, as the text that the server sent. */
export type Row = readonly (string | null)[];

/** For whom something is done. */
export interface UseOptions {
  readonly signal: AbortSignal | undefined;
  /** The session that errors name. */
  readonly sessionId?: string;
}

/** Sends one statement to the server, with values for `$1`, `$2` and so on. */
export type Send = (text: string, values?: unknown[]) => Promise<readonly Row[]>;

/** How often a statement is made again that the server rolled back in favour of another. */
const attempts = 10;

const asText = { getTypeParser: () => String };

/** Sends statements over connections of a pool, each within a bound of time. */
export class PostgresConnection {
  readonly connectionTimeout: number;
  readonly statementTimeout: number;
  /** How long the server waits for another writer, in milliseconds: it gives up before this side does. */
  readonly lockTimeout: number;
  readonly #options: PostgresHistoryBackendOptions;
  readonly #begun = new Set<Promise<unknown>>();
  #pool: PostgresPool | undefined;
  #own: Promise<OwnPostgresPool> | undefined;
  #closing: Promise<void> | undefined;

  /** @param options - Already checked. */
  constructor(options: PostgresHistoryBackendOptions) {
    this.#options = options;
    this.connectionTimeout = options.connectionTimeout ?? 5000;
    this.statementTimeout = options.statementTimeout ?? 15_000;
    this.lockTimeout = Math.ceil(this.statementTimeout * 0.9);
    this.#pool = options.pool;
    this.#pool?.on('error', passOver);
  }

  /** Does what needs connections. One that was begun, `close` waits for. @throws StoreError when it is closed. */
  async begin<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closing !== undefined) throw closedStore();
    const begun = work();
    this.#begun.add(begun);
    try {
      return await begun;
    } finally {
      this.#begun.delete(begun);
    }
  }

  /**
   * Sends one statement, which is a transaction of its own. One that was rolled back in favour of another
   * is sent again.
   * @throws StoreError, or the reason of `signal`: then it is not known whether the statement was done.
   */
  query(text: string, values: unknown[], options: UseOptions): Promise<readonly Row[]> {
    return this.#use(options, isAnswer, async (send) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await send(text, values);
        } catch (error) {
          if (!isRolledBack(error) || attempt === attempts) throw error;
        }
        await sleep(Math.random() * 5 * 2 ** attempt);
        options.signal?.throwIfAborted();
      }
    });
  }

  /**
   * Sends several statements over one connection. What `work` begins it has to commit; when it fails, the
   * connection is closed, which rolls back.
   * @throws StoreError, or the reason of `signal`.
   */
  transaction<Result>(options: UseOptions, work: (send: Send) => Promise<Result>): Promise<Result> {
    return this.#use(options, () => false, work);
  }

  async #use<Result>(
    { signal, sessionId }: UseOptions,
    isSoundAfter: (error: unknown) => boolean,
    work: (send: Send) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    try {
      return await this.#lend(signal, isSoundAfter, work);
    } catch (error) {
      signal?.throwIfAborted();
      throw toStoreError(error, sessionId);
    }
  }

  /** Waits for what was begun, and ends the pool if it was made here. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#begun);
    this.#options.pool?.removeListener('error', passOver);
    const own = await this.#own?.catch(() => undefined);
    if (own === undefined) return;
    // A server that hangs says no goodbye; its connections are then left to the system.
    const parting = Promise.withResolvers<void>();
    const timer = setTimeout(parting.resolve, this.connectionTimeout);
    await Promise.race([own.end(), parting.promise]);
    clearTimeout(timer);
  }

  /** A connection that may still be at work, or in a transaction, is closed rather than given back. */
  async #lend<Result>(
    signal: AbortSignal | undefined,
    isSoundAfter: (error: unknown) => boolean,
    work: (send: Send) => Promise<Result>,
  ): Promise<Result> {
    const client = await this.#connect(signal);
    const end = performance.now() + this.statementTimeout;
    let isSound = false;
    try {
      const result = await work(async (text, values) => {
        signal?.throwIfAborted();
        const answer = client.query({
          text,
          rowMode: 'array',
          types: asText,
          ...(values && { values }),
        });
        const timeout = Math.max(1, end - performance.now());
        const late = () => tooLate('did not answer', 'statementTimeout', this.statementTimeout);
        return rowsOf(await within(answer, { timeout, signal, late }));
      });
      isSound = true;
      return result;
    } catch (error) {
      isSound = signal?.aborted !== true && isSoundAfter(error);
      throw error;
    } finally {
      client.release(!isSound);
      // One that is closed may still fail: passed over, too.
      if (isSound) client.removeListener('error', passOver);
    }
  }

  async #connect(signal: AbortSignal | undefined): Promise<PostgresPoolClient> {
    const pool = this.#pool ?? (await this.#open());
    const timeout = this.connectionTimeout;
    const connecting = checkOut(pool);
    try {
      const late = () => tooLate('gave no connection', 'connectionTimeout', timeout);
      return await within(connecting, { timeout, signal, late });
    } catch (error) {
      // It may still come, for nobody.
      connecting.then(
        (client) => {
          client.release();
          client.removeListener('error', passOver);
        },
        () => undefined,
      );
      throw error;
    }
  }

  #open(): Promise<OwnPostgresPool> {
    this.#own ??= makePool(this.#options.connectionString ?? '', this.connectionTimeout);
    return this.#own;
  }
}

/** `pg` is loaded when it is first needed: who brings a pool has loaded it, or something like it. */
async function makePool(connectionString: string, timeout: number): Promise<OwnPostgresPool> {
  const { default: pg } = await import('pg').catch((error: unknown) => {
    throw missingPackage(error);
  });
  const pool = new pg.Pool({
    connectionString,
    connectionTimeoutMillis: timeout,
    keepAlive: true,
    allowExitOnIdle: true,
  });
  pool.on('error', passOver);
  return pool;
}

/**
 * Listens for errors before anything else can happen: a server that is going down may speak of it in one
 * breath with its greeting.
 */
function checkOut(pool: PostgresPool): Promise<PostgresPoolClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client === undefined) return reject(error);
      client.on('error', passOver);
      resolve(client);
    });
  });
}

/**
 * A connection broke that nobody is waiting for. The pool has dropped it, and the next call takes or makes
 * another and says what is wrong, if it still is. Without a listener the event would end the process.
 */
function passOver(): void {}

function rowsOf(result: object): readonly Row[] {
  // Of several statements that were sent as one there are several results.
  return 'rows' in result && Array.isArray(result.rows) ? result.rows : [];
}

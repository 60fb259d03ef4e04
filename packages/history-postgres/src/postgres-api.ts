/** One statement, as `pg` takes it. */
export interface PostgresStatement {
  readonly text: string;
  readonly values?: unknown[];
  /** Rows come as arrays of columns. */
  readonly rowMode: 'array';
  /** Every value comes as the text that the server sent, whatever parsers the pool has. */
  readonly types: { getTypeParser(): (value: string) => string };
}

/** What this package needs of a `PoolClient` of `pg`. */
export interface PostgresPoolClient {
  query(statement: PostgresStatement): Promise<object>;
  /** Gives the connection back; with true it is closed instead. */
  release(destroy?: boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
}

/** What this package needs of a `Pool` of `pg`, 8.11 or newer. */
export interface PostgresPool {
  /** Hands over a connection, or an error. The promise that `pg` offers, too, comes a moment too late. */
  connect(
    callback: (error: Error | undefined, client: PostgresPoolClient | undefined) => void,
  ): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
}

/** A pool that this package made, and ends. */
export interface OwnPostgresPool extends PostgresPool {
  end(): Promise<void>;
}

/**
 * What is needed of a client: the `Redis` and the `Cluster` of `ioredis` 5 and 6 fit.
 *
 * Nothing of it is changed: no command is defined on it, no listener added, no option set.
 */
export interface RedisClient {
  /** Whether keys lie on several servers. */
  readonly isCluster: boolean;
  /** `ready` when commands are sent at once; `wait` before the first of a client that connects lazily. */
  readonly status: string;
  /** Sends any command. Its values come as an array: a call can hand over only so many one by one. */
  call(command: string, values: string[]): Promise<unknown>;
  /** Collects commands, by their names in small letters, to be sent between MULTI and EXEC in one write. */
  multi(commands: string[][]): RedisTransaction;
}

/** Commands that a client has collected. */
export interface RedisTransaction {
  /** The error or the reply of each command; null when the server dropped the transaction. */
  exec(): Promise<(readonly [error: Error | null, reply: unknown])[] | null>;
}

/** A client that the backend made itself. */
export interface OwnRedisClient extends RedisClient {
  /** Closes the connection at once. */
  disconnect(): void;
}

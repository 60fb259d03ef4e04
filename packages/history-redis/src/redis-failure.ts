import { StoreError } from '@minne/core';
import { packageName } from './package-name.js';

/** What to do about an error that the server names. */
interface Remedy {
  readonly retryable: boolean;
  readonly text: string;
}

const later = (text: string): Remedy => ({ retryable: true, text });
const never = (text: string): Remedy => ({ retryable: false, text });

/** By what names an error of Redis, mostly its first word (https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors). */
const remedies: Readonly<Record<string, Remedy>> = {
  OOM: later('It is full (maxmemory). Give it more memory, or let sessions expire with ttl.'),
  READONLY: later(
    'It is a read-only replica. Connect to the primary; after a failover, try again.',
  ),
  LOADING: later('It is loading its data after a start. Try again in a moment.'),
  CLUSTERDOWN: later('The Cluster does not serve every slot. Try again when it does.'),
  TRYAGAIN: later('The Cluster is moving these keys. Try again in a moment.'),
  MASTERDOWN: later(
    'The replica has lost its primary. Connect to the primary, or try again later.',
  ),
  NOREPLICAS: later(
    'Fewer replicas are connected than min-replicas-to-write asks for. Try again later.',
  ),
  MISCONF: later(
    'It cannot write its data to the disk and refuses changes. Make room, or mend the disk.',
  ),
  BUSY: later('It is busy with a script of somebody. Try again later.'),
  NOAUTH: never('It wants a password. Put user and password into the url, or into your client.'),
  WRONGPASS: never(
    'It does not accept user and password. Correct them in the url, or in your client.',
  ),
  NOPERM: never(
    'The user may not run these commands. Allow it @scripting, @transaction and the keys under keyPrefix.',
  ),
  'DB index is out of range': never(
    'The url names a database that the server does not have. Correct its number, or raise databases on the server.',
  ),
  CROSSSLOT: never('It is a Cluster, and the client is none. Pass a Cluster of ioredis as client.'),
  MOVED: never('It is a Cluster, and the client is none. Pass a Cluster of ioredis as client.'),
};

/** Finds that name, also where Redis before 7 hides it in the error of a script: `… -OOM command not allowed`. */
const named = new RegExp(`(?:^|[\\s-])(${Object.keys(remedies).join('|')}|WRONGTYPE|NOSCRIPT)\\b`);

/** Errors of `ioredis` for a connection that is not there. */
const lost =
  /ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|Socket timeout|Connection is closed|connection close|max retries per request|isn't writeable|Failed to refresh slots|Cluster isn't ready|All sentinels|None of startup nodes|Too many Cluster redirections/i;

/** What an error is told about. */
export interface FailureContext {
  readonly sessionId?: string | undefined;
  /** Texts that no error may tell. */
  readonly secrets: readonly string[];
  /** Why the connection was lost, where the error itself does not say. */
  readonly connectionError?: Error | undefined;
}

/** What Redis names an error by, or `undefined`. */
export function redisErrorCode(error: unknown): string | undefined {
  return named.exec(innermost(error).message)?.[1];
}

/** The error of a client as a StoreError. Neither it nor its cause holds what was sent: messages, or a password. */
export function redisFailure(error: unknown, context: FailureContext): StoreError {
  const { sessionId, secrets } = context;
  const inner = innermost(error);
  const isLost = lost.test(`${inner.name} ${inner.message}`);
  const shown = isLost ? (context.connectionError ?? inner) : inner;
  const cause = withoutSecrets(shown, secrets);
  const code = redisErrorCode(shown);
  const remedy = code === undefined ? undefined : remedies[code];
  const options = { packageName, cause, ...(sessionId === undefined ? {} : { sessionId }) };
  if (remedy !== undefined) {
    return new StoreError(`Redis refused: ${code}. ${remedy.text}`, {
      ...options,
      retryable: remedy.retryable,
    });
  }
  if (isLost) {
    return new StoreError(
      `Redis cannot be reached: ${cause.message.replace(/\.$/, '')}. The connection is made again by itself; what was sent may have been done, and the same call may be made again.`,
      { ...options, retryable: true },
    );
  }
  return new StoreError(
    `Redis failed: ${cause.message}. See the cause; the server must be Redis 6.2 or newer, or Valkey.`,
    options,
  );
}

/** The first of the errors that ended a transaction or a Cluster call, or the error itself. */
function innermost(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { previousErrors = [], lastNodeError } = error as Error & {
    readonly previousErrors?: readonly unknown[];
    readonly lastNodeError?: unknown;
  };
  // One level: a client that gives up all its commands hangs an error on itself.
  const inner = [...previousErrors, lastNodeError].find((each) => each instanceof Error);
  return inner ?? error;
}

/** Message, name and code of an error, without what clients hang on it: the command and its arguments. */
function withoutSecrets(error: Error, secrets: readonly string[]): Error {
  let { message } = error;
  if (message === '' && error instanceof AggregateError) {
    message = error.errors.map((each) => String(each?.message)).join(', ');
  }
  for (const secret of secrets) message = message.replaceAll(secret, '***');
  const clean = new Error(message);
  clean.name = error.name;
  if ('code' in error && typeof error.code === 'string') Object.assign(clean, { code: error.code });
  return clean;
}

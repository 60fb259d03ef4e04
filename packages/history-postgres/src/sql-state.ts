/** Codes of errors by which PostgreSQL, or the way to it, says that the same call may succeed later. */
const passing: readonly RegExp[] = [
  // Connection, transaction rolled back, resources, shutting down:
  // https://www.postgresql.org/docs/current/errcodes-appendix.html
  /^(?:08|40|53|57P)...?$/,
  // Cancelled, by a time limit of the server or by an administrator; a lock that was not to be had in time.
  /^(?:57014|55P03)$/,
  /^(?:ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EAI_AGAIN|ENOENT)$/,
];

/** What `pg` says of a connection that ended, without a code. */
const lostConnection =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client (?:was closed|has encountered))/;

/** What `pg` says of itself when it refuses a pool that was ended. */
const endedPool = /after calling end on the pool/;

/** The code of an error: a SQLSTATE of the server, or a code of the system. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Whether the server answered with this error, so that the connection is as good as before. */
export function isAnswer(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !/^(?:08|57P)/.test(code);
}

/** Whether the transaction was rolled back in favour of another, and is to be made again. */
export function isRolledBack(error: unknown): boolean {
  return /^(?:40001|40P01)$/.test(codeOf(error) ?? '');
}

/** Whether the same call may succeed later. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return passing.some((pattern) => pattern.test(code));
  return error instanceof Error && lostConnection.test(error.message);
}

/** What helps against an error. */
export function remedyFor(error: unknown): string {
  const code = codeOf(error) ?? '';
  if (/^(?:28|3D)/.test(code)) return 'Check user, password and database.';
  if (code === '42501') {
    return 'Grant the user what the README lists, or have an owner run the SQL of postgresHistorySql.';
  }
  if (code === '25006') return 'Connect to the primary server: this one only reads.';
  if (/^53[12]/.test(code)) return 'Make room on the server, then try again.';
  if (code === '53300') return 'Use fewer connections or a pooler, then try again.';
  if (/^(?:42P01|42883|3F000)$/.test(code)) {
    return 'Tables or functions of the schema are missing: restore them, or drop the schema to begin anew.';
  }
  if (code.startsWith('XX')) return 'The server found damaged data: see its log.';
  if (isPassing(error))
    return 'Try again; when it lasts, check that the server runs and can be reached.';
  if (error instanceof Error && endedPool.test(error.message)) {
    return 'End the pool only when nothing uses it any more.';
  }
  return 'See the cause.';
}

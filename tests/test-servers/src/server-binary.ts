import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The variable that names each binary, as `npm test` sets it, and its names on the PATH. */
const servers = {
  redis: { variable: 'MINNE_TEST_REDIS', binaries: ['redis-server', 'valkey-server'] },
  postgres: { variable: 'MINNE_TEST_POSTGRES', binaries: ['postgres'] },
  pgbouncer: { variable: 'MINNE_TEST_PGBOUNCER', binaries: ['pgbouncer'] },
} as const;

/** A server that tests run on. */
export type ServerName = keyof typeof servers;

function find(name: ServerName): string | undefined {
  const { variable, binaries } = servers[name];
  const named = process.env[variable];
  if (named !== undefined) return existsSync(named) ? named : undefined;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders
    .flatMap((folder) => binaries.map((binary) => join(folder, binary)))
    .find((candidate) => existsSync(candidate));
}

/**
 * Why the tests on a server cannot run, for `describe.skipIf`; `undefined` when they can. `npm test`
 * says it loudly, and in CI it is a failure.
 */
export function serverMissing(name: ServerName): string | undefined {
  if (find(name) !== undefined) return undefined;
  const { variable, binaries } = servers[name];
  return `There is no ${binaries.join(' or ')} on the PATH, and ${variable} names none.`;
}

/** The binary of a server. @throws Error when there is none. */
export function serverBinary(name: ServerName): string {
  const found = find(name);
  if (found === undefined) throw new Error(serverMissing(name));
  return found;
}

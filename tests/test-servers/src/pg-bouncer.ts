import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import type { PostgresServer } from './postgres-server.js';
import { serverBinary } from './server-binary.js';
import { removeFolder, serverFolder } from './server-folder.js';
import { ServerProcess } from './server-process.js';
import { unprivilegedUser } from './unprivileged-user.js';

/** A pooler in front of a PostgreSQL: each transaction may be on another connection to it. */
export interface PgBouncer {
  /** Like that of the server, through the pooler. */
  readonly url: string;
  readonly process: ServerProcess;
  remove(): Promise<void>;
}

/** Starts a PgBouncer that pools transactions. @throws Error when there is none: ask `serverMissing('pgbouncer')` before. */
export async function startPgBouncer(server: PostgresServer): Promise<PgBouncer> {
  const runAs = unprivilegedUser();
  const folder = serverFolder('pgbouncer', runAs);
  const port = await freePort();
  const users = join(folder, 'users');
  writeFileSync(users, `"${server.user}" "${server.password}"\n`);
  const configuration = join(folder, 'pgbouncer.ini');
  writeFileSync(
    configuration,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
`,
  );
  const process = new ServerProcess({
    binary: serverBinary('pgbouncer'),
    values: [configuration],
    ready: /process up/,
    stopSignal: 'SIGINT',
    ...(runAs === undefined ? {} : { user: runAs }),
  });
  const remove = async () => {
    await process.kill();
    removeFolder(folder);
  };
  try {
    await process.start();
  } catch (error) {
    await remove();
    throw error;
  }
  const url = new URL(server.url);
  url.port = String(port);
  return { url: url.href, process, remove };
}

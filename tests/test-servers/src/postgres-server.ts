import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';
import { serverBinary } from './server-binary.js';
import { removeFolder, serverFolder } from './server-folder.js';
import { ServerProcess } from './server-process.js';
import { unprivilegedUser } from './unprivileged-user.js';

const execute = promisify(execFile);

/** A password, so that tests can see that no error tells it. */
const password = 'a-secret-of-the-tests';

/** Options of {@link startPostgres}. */
export interface StartPostgresOptions {
  /** Settings of `postgresql.conf`, such as `{ max_connections: '200' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A PostgreSQL of its own. */
export interface PostgresServer {
  /** The address of its database `postgres`, with user and password. */
  readonly url: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly process: ServerProcess;
  /** Where its data are. */
  readonly directory: string;
  /** Kills it and takes its data away. */
  remove(): Promise<void>;
}

/** Starts a PostgreSQL. @throws Error when there is none on this machine: ask `serverMissing('postgres')` before. */
export async function startPostgres({
  settings = {},
}: StartPostgresOptions = {}): Promise<PostgresServer> {
  const binary = serverBinary('postgres');
  const runAs = unprivilegedUser();
  const folder = serverFolder('postgres', runAs);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  const port = await freePort();
  const values = Object.entries({
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const process = new ServerProcess({
    binary,
    values: ['-D', data, ...values],
    ready: /ready to accept connections/,
    // After a kill its children take a moment to see that it is gone.
    startAgain: /shared memory block|lock file/,
    // Fast shutdown: it does not wait for its clients.
    stopSignal: 'SIGINT',
    ...(runAs === undefined ? {} : { user: runAs }),
  });
  const remove = async () => {
    await process.kill();
    removeFolder(folder);
  };
  try {
    await execute(
      join(dirname(binary), 'initdb'),
      [
        ...['-D', data, '--username=minne', `--pwfile=${passwordFile}`],
        ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'],
      ],
      { ...runAs },
    );
    await process.start();
  } catch (error) {
    await remove();
    throw error;
  }
  const url = `postgres://minne:${password}@127.0.0.1:${port}/postgres`;
  return { url, port, user: 'minne', password, process, directory: data, remove };
}

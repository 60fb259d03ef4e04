// A Redis and a PostgreSQL of this benchmark's own, in folders that go with it.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const ends = [];
/** Ends what was started. */
export const endServers = () => {
  for (const end of ends.splice(0)) end();
};
process.once('exit', endServers);

export function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `minne-benchmark-${name}-`));
  ends.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function freePort() {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function binary(name, variable) {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => b - a) : [];
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const found =
    process.env[variable] ?? folders.map((folder) => join(folder, name)).find(existsSync);
  if (found === undefined) throw new Error(`There is no ${name}. Install it, or set ${variable}.`);
  return found;
}

function start(command, values, ready, user = {}) {
  const child = spawn(command, values, { stdio: ['ignore', 'pipe', 'pipe'], ...user });
  ends.unshift(() => child.kill('SIGKILL'));
  let output = '';
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (bytes) => {
        output = `${output}${bytes}`.slice(-5_000);
        if (ready.test(output)) resolve();
      });
    }
    child.once('exit', () => reject(new Error(`${command} ended:\n${output}`)));
  });
}

/** With an append-only file, synchronised once a second: what most run. */
export async function startRedis() {
  const port = await freePort();
  await start(
    binary('redis-server', 'MINNE_TEST_REDIS'),
    [
      ...['--port', port, '--bind', '127.0.0.1', '--dir', temporaryFolder('redis')],
      ...['--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec'],
    ].map(String),
    /Ready to accept connections/,
  );
  return `redis://127.0.0.1:${port}`;
}

/** As it is when it is installed: each commit is synchronised with the disk. */
export async function startPostgres() {
  const server = binary('postgres', 'MINNE_TEST_POSTGRES');
  const folder = temporaryFolder('postgres');
  const user = {};
  if (process.getuid?.() === 0) {
    // It refuses to be run by root.
    const [, , uid, gid] = /^(?:postgres|nobody):.*$/m
      .exec(readFileSync('/etc/passwd', 'utf8'))[0]
      .split(':');
    Object.assign(user, { uid: Number(uid), gid: Number(gid) });
    chownSync(folder, user.uid, user.gid);
  }
  const data = join(folder, 'data');
  const values = ['-D', data, '--username=minne', '--auth=trust', '--encoding=UTF8', '--locale=C'];
  execFileSync(join(server, '..', 'initdb'), values, { stdio: 'pipe', ...user });
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '' };
  await start(
    server,
    [
      '-D',
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    /ready to accept connections/,
    user,
  );
  return `postgres://minne@127.0.0.1:${port}/postgres`;
}

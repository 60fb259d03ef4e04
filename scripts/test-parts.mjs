import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { outputOf, runQuietly, SetUpError, step } from './processes.mjs';
import { root } from './toolchain.mjs';

/**
 * What tests need of the system beside Node: the binaries that will do, where they may lie when they
 * are not on the PATH, the Debian package that brings them, and the variable with the address of a
 * server that runs already, which spares all but the tests that stop it.
 */
const testParts = [
  {
    name: 'Chromium',
    tests: 'the tests in a browser',
    variable: 'MINNE_TEST_CHROMIUM',
    binaries: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    folders: () => [],
    otherwise: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    package: 'chromium',
  },
  {
    name: 'Redis',
    tests: 'the tests on Redis',
    variable: 'MINNE_TEST_REDIS',
    address: 'MINNE_TEST_REDIS_URL',
    binaries: ['redis-server', 'valkey-server'],
    folders: () => [],
    package: 'redis-server',
  },
  {
    name: 'PostgreSQL',
    tests: 'the tests on PostgreSQL',
    variable: 'MINNE_TEST_POSTGRES',
    address: 'MINNE_TEST_POSTGRES_URL',
    binaries: ['postgres'],
    folders: postgresFolders,
    package: 'postgresql',
  },
  {
    name: 'PgBouncer',
    tests: 'the tests behind a connection pooler',
    variable: 'MINNE_TEST_PGBOUNCER',
    binaries: ['pgbouncer'],
    folders: () => ['/usr/sbin'],
    package: 'pgbouncer',
  },
];

/**
 * Finds every part: in the variable that names its binary, on the PATH, or in the system's packages.
 * These are installed by root without a terminal or with `MINNE_TEST_SETUP=1`, and at a terminal after
 * a yes.
 *
 * @returns `variables`, the binary of each part that is there, and `missing`, the tests of each that is
 * not, with the reason.
 */
export async function findTestParts({ environment, mayAsk, parts = testParts }) {
  const variables = {};
  const missing = [];
  const absent = [];
  for (const part of parts) {
    const { tests, variable } = part;
    const named = process.env[variable];
    const binary = named ?? findBinary(part);
    if (binary === undefined) {
      if (!hasAddress(part)) absent.push(part);
    } else if (existsSync(binary)) variables[variable] = binary;
    else {
      missing.push({ tests, reason: `${variable} names a file that does not exist: ${binary}` });
    }
  }
  const failure = absent.length === 0 ? undefined : await install(absent, { environment, mayAsk });
  for (const part of absent) {
    const binary = findBinary(part);
    if (binary !== undefined) variables[part.variable] = binary;
    else missing.push({ tests: part.tests, reason: failure ?? notBrought(part) });
  }
  return { variables, missing };
}

/** In CI every test must run, also those that need a server of their own. */
function hasAddress({ address }) {
  return address !== undefined && process.env[address] !== undefined && process.env.CI !== 'true';
}

function findBinary({ binaries, folders, otherwise }) {
  const places = [...(process.env.PATH ?? '').split(delimiter), ...folders()];
  const candidates = places.flatMap((place) => binaries.map((name) => join(place, name)));
  if (otherwise !== undefined) candidates.push(otherwise);
  return candidates.find((candidate) => existsSync(candidate));
}

/** Debian keeps the servers of PostgreSQL off the PATH, one folder a version. The newest comes first. */
function postgresFolders() {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return [];
  return readdirSync(versions)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(versions, version, 'bin'));
}

/** @returns why nothing was installed, or `undefined` when it was. */
async function install(parts, { environment, mayAsk }) {
  const options = { environment, directory: root };
  const names = parts.map(({ name }) => name).join(', ');
  const packages = parts.map((part) => part.package);
  const variables = parts.map(({ variable }) => variable).join(', ');
  if ((await outputOf('apt-get', ['--version'], options)) === undefined) {
    return `Install ${names}, or name the binaries in ${variables}.`;
  }
  if (!(await mayInstall(mayAsk, names))) {
    return `Install ${names} (as root: apt-get install ${packages.join(' ')}), name the binaries in ${variables}, or run the tests with MINNE_TEST_SETUP=1.`;
  }
  try {
    await step(`Installing ${names} from the system's packages`, () =>
      aptInstall(packages, options),
    );
    return undefined;
  } catch (error) {
    if (error instanceof SetUpError) return error.message;
    throw error;
  }
}

function notBrought(part) {
  return `The package ${part.package} is installed, but none of its binaries was found: ${part.binaries.join(', ')}. Name one in ${part.variable}.`;
}

async function mayInstall(mayAsk, names) {
  if (process.env.MINNE_TEST_SETUP === '1') return true;
  if (!process.stdin.isTTY) return process.getuid?.() === 0;
  if (!mayAsk) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`Install ${names} for the tests? [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

async function aptInstall(packages, { environment, directory }) {
  const options = {
    environment: { ...environment, DEBIAN_FRONTEND: 'noninteractive' },
    directory,
  };
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo'];
  for (const apt of [['update'], ['install', '--yes', '--no-install-recommends', ...packages]]) {
    const [command, ...rest] = [...asRoot, 'apt-get', ...apt];
    await runQuietly(command, rest, options);
  }
}

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { outputOf, runQuietly, SetUpError, step } from './processes.mjs';
import { root } from './toolchain.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macPath = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * The browser for the end-to-end tests, as `{ binary }`, or `{ reason }` when there is none.
 *
 * Looked for in `MINNE_TEST_CHROMIUM`, on the PATH, and in the system's packages: these are
 * installed by root without a terminal or with `MINNE_TEST_SETUP=1`, and at a terminal after a yes.
 */
export async function chromiumOrReason({ environment, mayAsk }) {
  const named = process.env.MINNE_TEST_CHROMIUM;
  if (named !== undefined) {
    if (existsSync(named)) return { binary: named };
    return { reason: `MINNE_TEST_CHROMIUM names a file that does not exist: ${named}` };
  }
  const found = findChromium();
  if (found !== undefined) return { binary: found };
  const options = { environment, directory: root };
  if ((await outputOf('apt-get', ['--version'], options)) === undefined) {
    return { reason: 'Install Chromium or Chrome, or name its binary in MINNE_TEST_CHROMIUM.' };
  }
  if (!(await mayInstall(mayAsk))) {
    return {
      reason:
        'Install Chromium (as root: apt-get install chromium), name its binary in MINNE_TEST_CHROMIUM, or run the tests with MINNE_TEST_SETUP=1.',
    };
  }
  try {
    await step('Installing Chromium from the system packages', () => installChromium(options));
  } catch (error) {
    if (error instanceof SetUpError) return { reason: error.message };
    throw error;
  }
  const installed = findChromium();
  return installed === undefined
    ? { reason: 'The package chromium is installed, but none of its binaries is on the PATH.' }
    : { binary: installed };
}

function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...candidates, macPath].find((candidate) => existsSync(candidate));
}

async function mayInstall(mayAsk) {
  if (process.env.MINNE_TEST_SETUP === '1') return true;
  if (!process.stdin.isTTY) return process.getuid?.() === 0;
  if (!mayAsk) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question('Install Chromium for the tests in a browser? [y/N] ');
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

async function installChromium({ environment, directory }) {
  const options = {
    environment: { ...environment, DEBIAN_FRONTEND: 'noninteractive' },
    directory,
  };
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo'];
  for (const apt of [['update'], ['install', '--yes', '--no-install-recommends', 'chromium']]) {
    const [command, ...rest] = [...asRoot, 'apt-get', ...apt];
    await runQuietly(command, rest, options);
  }
}

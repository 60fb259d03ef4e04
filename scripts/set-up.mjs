import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly, step } from './processes.mjs';
import { explainFailure, prepareToolchain, root } from './toolchain.mjs';

/**
 * Brings the tools, installs the dependencies when the lockfile is not what is installed, and builds
 * what has changed. Returns the environment to run the result in.
 */
export async function setUp() {
  const environment = await prepareToolchain();
  const options = { environment, directory: root };
  if (!isInstalled()) {
    await step('Installing dependencies', () =>
      runQuietly('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], {
        ...options,
        explain: explainFailure,
      }),
    );
  }
  await step('Building', () =>
    runQuietly(
      'node',
      [tool('turbo/bin/turbo'), 'run', 'build', '--output-logs=errors-only'],
      options,
    ),
  );
  return environment;
}

/** The script of an installed development tool, to be run by `node`. */
export function tool(path) {
  return join(root, 'node_modules', path);
}

/** pnpm writes the lockfile that it has finished installing into `node_modules`. */
function isInstalled() {
  const installed = join(root, 'node_modules', '.pnpm', 'lock.yaml');
  if (!existsSync(installed)) return false;
  return readFileSync(installed, 'utf8') === readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
}

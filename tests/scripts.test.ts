import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from './support/repository.js';

let tools: string;

beforeEach(async () => {
  // All that is on the PATH: what a test puts there, and node.
  tools = await mkdtemp(join(tmpdir(), 'minne-tools-'));
  await symlink(process.execPath, join(tools, 'node'));
});

afterEach(() => rm(tools, { recursive: true }));

async function tool(name: string, script: string): Promise<string> {
  const path = join(tools, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

function start(code: string, environment: Readonly<Record<string, string>> = {}) {
  return spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
    env: { PATH: tools, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs a module that may import the scripts, as their commands do, with nothing else on the PATH. */
async function run(code: string, environment: Readonly<Record<string, string>> = {}) {
  const child = start(code, environment);
  const [output, errorOutput] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, output, errorOutput };
}

describe.skipIf(process.platform === 'win32')('scripts/processes.mjs', () => {
  const imports = `import { main, runAttached, runQuietly } from './scripts/processes.mjs';
    const options = { environment: process.env, directory: '.' };`;

  it('shows the output of a tool only when it fails', async () => {
    await tool('works', 'echo silence');
    await tool('breaks', 'echo "what is wrong"; exit 3');
    const code = (name: string) =>
      `${imports} await main(async () => { await runQuietly('${name}', [], options); return 0; });`;
    expect(await run(code('works'))).toEqual({ code: 0, output: '', errorOutput: '' });
    expect(await run(code('breaks'))).toEqual({
      code: 1,
      output: '',
      errorOutput: '\nwhat is wrong\n',
    });
    expect((await run(code('absent'))).errorOutput).toContain('absent');
  });

  it('ends with the exit code of the program that it ran', async () => {
    await tool('program', 'exit 7');
    const { code } = await run(`${imports} await main(() => runAttached('program', [], options));`);
    expect(code).toBe(7);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'passes %s on and lets the program end in order',
    async (signal) => {
      await tool(
        'program',
        `exec node -e "process.once('${signal}', () => { console.log('closed'); process.exit(5); });
        console.log('ready'); setInterval(() => {}, 1000)"`,
      );
      const child = start(`${imports} await main(() => runAttached('program', [], options));`);
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
        if (chunk.includes('ready')) child.kill(signal);
      });
      await once(child, 'close');
      expect({ code: child.exitCode, output }).toEqual({ code: 5, output: 'ready\nclosed\n' });
    },
  );

  it('dies of the signal that the program died of', async () => {
    await tool('program', 'kill -TERM $$');
    const child = start(`${imports} await main(() => runAttached('program', [], options));`);
    await once(child, 'close');
    expect(child.signalCode).toBe('SIGTERM');
  });
});

describe('scripts/toolchain.mjs', () => {
  const explain = (output: string) =>
    run(`import { explainFailure } from './scripts/toolchain.mjs';
      process.stdout.write(explainFailure(${JSON.stringify(output)}));`);

  it('says what to do when there is no network', async () => {
    const { output } = await explain(
      'WARN a\nrequest failed: getaddrinfo EAI_AGAIN example.org\nb',
    );
    expect(output).toMatch(/^request failed: getaddrinfo EAI_AGAIN example.org\nThe npm registry/);
    expect(output).toContain('Connect to the network');
  });

  it('leaves any other failure as it is', async () => {
    expect((await explain('error: lockfile\nis broken')).output).toBe('error: lockfile\nis broken');
  });
});

describe.runIf(process.platform === 'linux')('scripts/test-parts.mjs', () => {
  const parts = `[
    { name: 'Browser', tests: 'the tests in a browser', variable: 'TEST_BROWSER',
      binaries: ['browser', 'another-browser'], folders: () => [], package: 'browser' },
    { name: 'Store', tests: 'the tests on a store', variable: 'TEST_STORE', address: 'TEST_STORE_URL',
      binaries: ['store'], folders: () => [process.env.STORE_FOLDER ?? ''], package: 'store-server' },
  ]`;
  const find = (environment: Readonly<Record<string, string>> = {}) =>
    run(
      `import { findTestParts } from './scripts/test-parts.mjs';
      const options = { environment: process.env, mayAsk: true, parts: ${parts} };
      process.stdout.write(JSON.stringify(await findTestParts(options)));`,
      environment,
    ).then(({ output }) => JSON.parse(output));

  it('takes the binary that the environment names, before the one on the PATH', async () => {
    const named = await tool('named', '');
    await tool('browser', '');
    const store = await tool('store', '');
    expect(await find({ TEST_BROWSER: named })).toEqual({
      variables: { TEST_BROWSER: named, TEST_STORE: store },
      missing: [],
    });
    expect((await find({ TEST_BROWSER: `${named}-absent` })).missing).toEqual([
      {
        tests: 'the tests in a browser',
        reason: `TEST_BROWSER names a file that does not exist: ${named}-absent`,
      },
    ]);
  });

  it('finds a binary by any of its names, and in folders that are not on the PATH', async () => {
    const browser = await tool('another-browser', '');
    const folder = await mkdtemp(join(tools, 'folder-'));
    await tool(join(basename(folder), 'store'), '');
    expect(await find({ STORE_FOLDER: folder })).toEqual({
      variables: { TEST_BROWSER: browser, TEST_STORE: join(folder, 'store') },
      missing: [],
    });
  });

  it('needs no binary where a server runs already, but in CI', async () => {
    const environment = { TEST_BROWSER: await tool('browser', ''), TEST_STORE_URL: 'store://host' };
    expect((await find(environment)).missing).toEqual([]);
    expect((await find({ ...environment, CI: 'true' })).missing).toHaveLength(1);
  });

  it('installs what is absent in one step where it may, and takes what was installed', async () => {
    await tool(
      'apt-get',
      `case $1 in install) echo "$@" > ${tools}/asked; for name in browser store; do
        echo '#!/bin/sh' > ${tools}/$name; /bin/chmod +x ${tools}/$name; done;; esac`,
    );
    // Where the tests are not run by root.
    await tool('sudo', 'exec "$@"');
    expect(await find({ MINNE_TEST_SETUP: '1' })).toEqual({
      variables: { TEST_BROWSER: join(tools, 'browser'), TEST_STORE: join(tools, 'store') },
      missing: [],
    });
    expect(await readFile(join(tools, 'asked'), 'utf8')).toContain('browser store-server');
  });

  it('says why there is none', async () => {
    const reasons = async (environment?: Readonly<Record<string, string>>) =>
      (await find(environment)).missing.map(({ reason }: { reason: string }) => reason);
    expect(await reasons()).toEqual(Array(2).fill(expect.stringContaining('TEST_STORE')));
    await tool('apt-get', '[ "$1" = --version ] || { echo "no mirror"; exit 100; }');
    await tool('sudo', 'exec "$@"');
    expect(await reasons({ MINNE_TEST_SETUP: '1' })).toEqual(['no mirror', 'no mirror']);
  });
});

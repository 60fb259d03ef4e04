// The checks beside the tests, and the sum of both: `node scripts/checks.mjs EXIT_CODE REPORT`,
// where the two are what vitest ended with and the file of its JSON reporter.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { main, runQuietly, SetUpError, step } from './processes.mjs';
import { setUp, tool } from './set-up.mjs';
import { root } from './toolchain.mjs';

const checks = [
  { title: 'Format and lint (biome)', command: ['node', tool('@biomejs/biome/bin/biome'), 'ci'] },
  {
    title: 'Types (tsc)',
    command: ['node', tool('typescript/bin/tsc'), '--project', 'tsconfig.json'],
  },
  { title: 'Build (turbo)', command: ['node', tool('turbo/bin/turbo'), 'run', 'build'] },
  {
    title: 'Published packages (publint, attw)',
    command: [
      'node',
      tool('turbo/bin/turbo'),
      'run',
      'check:package',
      '--continue',
      '--output-logs=errors-only',
    ],
  },
  {
    title: 'Unused code and dependencies (knip)',
    command: ['node', tool('knip/bin/knip.js'), '--treat-config-hints-as-errors'],
  },
];

await main(async () => {
  const [exitCode, report] = process.argv.slice(2);
  const sum = countTests(Number(exitCode), report);
  for (const passed of await runChecks()) {
    if (passed) sum.passed += 1;
    else sum.failed += 1;
  }
  const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${skipped}\n`);
  return sum.failed === 0 ? 0 : 1;
});

/** Whether each check passed; without the tools none can be tried, which is one failure. */
async function runChecks() {
  let environment;
  const ready = await passes(async () => {
    environment = await setUp();
  });
  if (!ready) return [false];
  const results = [];
  for (const { title, command } of checks) {
    const [name, ...commandArguments] = command;
    const run = () => runQuietly(name, commandArguments, { environment, directory: root });
    results.push(await passes(() => step(title, run)));
  }
  return results;
}

async function passes(work) {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return false;
  }
}

/** A run that failed without a failed test (a file that did not load, no browser) is one failure. */
function countTests(exitCode, report) {
  const text = readFileSync(report, 'utf8');
  const result = text === '' ? {} : JSON.parse(text);
  const {
    numPassedTests: passed = 0,
    numFailedTests: failed = 0,
    numPendingTests: skipped = 0,
  } = result;
  return { passed, skipped, failed: exitCode !== 0 && failed === 0 ? 1 : failed };
}

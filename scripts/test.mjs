// `npm test`: every test, or those that the arguments name (`npm test -- packages/core`).
import { main, runAttached } from './processes.mjs';
import { setUp, tool } from './set-up.mjs';
import { findTestParts } from './test-parts.mjs';
import { root } from './toolchain.mjs';

await main(async () => {
  const testArguments = process.argv.slice(2);
  const environment = await setUp();
  const { variables, missing } = await findTestParts({
    environment,
    mayAsk: testArguments.length === 0,
  });
  const code = await runAttached('node', [tool('vitest/vitest.mjs'), 'run', ...testArguments], {
    environment: { ...environment, ...variables },
    directory: root,
  });
  for (const { tests, reason } of missing) {
    process.stderr.write(`\nSKIPPED: ${tests}. ${reason}\n`);
  }
  return missing.length > 0 && process.env.CI === 'true' ? 1 : code;
});

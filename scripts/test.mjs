// `npm test`: every test, or those that the arguments name (`npm test -- packages/core`).
import { chromiumOrReason } from './chromium.mjs';
import { main, runAttached } from './processes.mjs';
import { setUp, tool } from './set-up.mjs';
import { root } from './toolchain.mjs';

await main(async () => {
  const testArguments = process.argv.slice(2);
  const environment = await setUp();
  const chromium = await chromiumOrReason({ environment, mayAsk: testArguments.length === 0 });
  if (chromium.binary !== undefined) environment.MINNE_TEST_CHROMIUM = chromium.binary;
  const code = await runAttached('node', [tool('vitest/vitest.mjs'), 'run', ...testArguments], {
    environment,
    directory: root,
  });
  if (chromium.binary !== undefined) return code;
  process.stderr.write(`\nSKIPPED: the tests in a browser. ${chromium.reason}\n`);
  return process.env.CI === 'true' ? 1 : code;
});

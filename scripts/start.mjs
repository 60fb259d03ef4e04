// `npm start`: the playground, on any machine with Node 20 or newer and npm.
import { main, runAttached } from './processes.mjs';
import { setUp } from './set-up.mjs';
import { root } from './toolchain.mjs';

await main(async () => {
  const environment = await setUp();
  return runAttached('node', ['apps/playground/dist/main.js', ...process.argv.slice(2)], {
    environment,
    directory: root,
  });
});

// `npm run test:faults`: the long form of the tests that break stores while they are used. How often each
// fault is made is `MINNE_FAULT_ROUNDS`, here 1,000 unless it is set, in `npm test` 20.
import process from 'node:process';

process.env.MINNE_FAULT_ROUNDS ??= '1000';
process.argv.push('tests/faults');
await import('./test.mjs');

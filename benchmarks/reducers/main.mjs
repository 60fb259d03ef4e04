// What reducing a long history costs, how much is tokenised again, how much of what is sent stays the same
// from turn to turn, and how many results a strict service would refuse. `node main.mjs time` measures one of them.
import { measurePrefix } from './prefix.mjs';
import { measureTime } from './time.mjs';
import { measureTokenising } from './tokenising.mjs';
import { measureValidity } from './validity.mjs';

const parts = {
  time: measureTime,
  tokenising: measureTokenising,
  prefix: measurePrefix,
  validity: measureValidity,
};
const [only] = process.argv.slice(2);
for (const [name, measure] of Object.entries(parts)) {
  if (only === undefined || only === name) await measure();
}

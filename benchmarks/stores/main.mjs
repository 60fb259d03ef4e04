// What it costs to append a turn to a stored session and to load it, beside the raw client doing the least that
// gives the same promise, and beside what a user would pick instead. `main.mjs redis` measures one store;
// OTHERS=1,10 says how many other sessions there are.
import { plainTurn, toolTurn } from './conversations.mjs';
import { measureInTurns } from './measure.mjs';
import { printStore } from './report.mjs';
import { countRoundTrips } from './round-trips.mjs';
import { endServers } from './servers.mjs';
import { addOthers, appendedTo, lengths, write, writeSessions } from './sessions.mjs';

/** Above every length, so that nothing is trimmed but where that is measured. */
const roomy = 1_000_000;
const others = (process.env.OTHERS ?? '1,10,100000').split(',').map(Number);
const asked = process.argv.slice(2);

/** One operation each, on sessions that `writeSessions` has written. */
const operations = [
  {
    name: 'append a turn',
    of:
      (one, turn = plainTurn()) =>
      () =>
        one.append('appended to', turn),
  },
  {
    name: 'append a turn with a tool',
    of:
      (one, turn = toolTurn()) =>
      () =>
        one.append('appended to with tools', turn),
  },
  ...lengths.map((length) => ({
    name: `load ${length.toLocaleString('en')}`,
    of: (one) => () => one.load(`of ${length}`),
  })),
];
const trimming = {
  name: 'append a turn, one goes',
  of:
    (one, turn = plainTurn()) =>
    () =>
      one.append('trimmed', turn),
};

let isAsAsserted = true;
for (const name of ['redis', 'postgres', 'sqlite']) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const store = (await import(`./${name}.mjs`))[name];
  await measureStore(store);
}
endServers();
process.exit(isAsAsserted ? 0 : 1);

async function measureStore(store) {
  const address = await store.start();
  const open = async (makers, maxMessages) => {
    const opened = [];
    for (const make of makers) opened.push(await make(address, { maxMessages }));
    return opened;
  };
  const contestants = await open(store.contestants, roomy);
  for (const contestant of contestants) await writeSessions(contestant);
  // Ours and the raw client: no other one trims.
  const trimmers = await open(store.contestants.slice(0, store.trimmers), appendedTo);
  for (const contestant of trimmers) await write(contestant, 'trimmed', appendedTo);

  const rows = [];
  let present = 0;
  for (const count of others) {
    await store.setDurable?.(address, false);
    for (const contestant of contestants) await addOthers(contestant, present, count);
    await store.setDurable?.(address, true);
    present = count;
    for (const { name, of } of operations) {
      rows.push({ name, others: count, results: await measureInTurns(contestants, of) });
    }
    if (trimmers.length > 1) {
      const { name, of } = trimming;
      rows.push({ name, others: count, results: await measureInTurns(trimmers, of) });
    }
  }
  for (const contestant of [...contestants, ...trimmers]) await contestant.close();
  const names = contestants.map(({ name }) => name);
  const roundTrips = address.includes('://')
    ? await countRoundTrips(store, address, operations)
    : [];
  printStore(store.name, names, rows, roundTrips);
  for (const { name, counts } of roundTrips) {
    const [ours, raw] = names.map((contestant) => counts.get(contestant));
    if (ours <= raw) continue;
    isAsAsserted = false;
    console.error(`${store.name}, ${name}: ${ours} round trips, and the raw client needs ${raw}.`);
  }
}

// Milliseconds and memory by length. At each length the contestants take turns, a round at a time.
import { contestants } from './contestants.mjs';
import { longHistory } from './histories.mjs';
import { figure, median, printTable } from './table.mjs';

const lengths = [1_000, 10_000, 100_000];
/** Rounds of each, and how many of them warm up. */
const [rounds, warmUp] = [12, 3];

/** New objects, so that nothing about them was counted before. */
const renewed = (messages) =>
  messages.map((message) => ({
    ...message,
    contents: message.contents.map((content) => ({ ...content })),
  }));

const heap = () => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

async function round({ run, fresh }, shared) {
  const messages = fresh ? renewed(shared) : shared;
  globalThis.gc();
  const before = heap();
  const start = performance.now();
  const left = await run(messages);
  const time = performance.now() - start;
  const allocated = heap() - before;
  globalThis.gc();
  const kept = heap() - before;
  return { time, allocated, kept, left: left.length };
}

/** What each contestant took, by length. The least time is what other programs on the machine disturb least. */
async function resultsByLength() {
  const results = new Map(contestants.map((contestant) => [contestant, []]));
  for (const length of lengths) {
    const taking = contestants.filter(({ most = length }) => length <= most);
    const source = longHistory(length + 1);
    const inputs = new Map();
    for (const { dialect } of taking) {
      if (!inputs.has(dialect)) inputs.set(dialect, dialect.from(source));
    }
    const measured = new Map(taking.map((contestant) => [contestant, []]));
    for (let number = 0; number < rounds; number += 1) {
      for (const contestant of taking) {
        const one = await round(contestant, inputs.get(contestant.dialect));
        if (number >= warmUp) measured.get(contestant).push(one);
      }
    }
    for (const [contestant, list] of measured) {
      const of = (member) => median(list.map((one) => one[member]));
      results.get(contestant).push({
        time: Math.min(...list.map(({ time }) => time)),
        median: of('time'),
        allocated: of('allocated'),
        kept: of('kept'),
        left: list[0].left,
      });
    }
  }
  return results;
}

export async function measureTime() {
  const results = await resultsByLength();
  const perLength = (list, write) =>
    lengths.map((_, index) => (list[index] === undefined ? '–' : write(list[index])));
  const times = ({ time, median: middle }) => `${figure(time)} (${figure(middle)})`;
  const growth = (list, member, index) =>
    list[index] === undefined
      ? '–'
      : (list[index][member] / list[index - 1][member] / 10).toFixed(2);
  const mebibytes = (bytes) => (bytes / 1048576).toFixed(2);
  const ours = [...results.values()][0];
  const againstOurs = (list, index) =>
    list[index] === undefined ? '–' : figure(list[index].time / ours[index].time);
  printTable(
    'Milliseconds by number of messages, least (median). Growth of the least: ten times the messages, divided by ten (1 is linear). Ratio: to the first row',
    ['', '1,000', '10,000', '100,000', 'growth', 'growth', 'ratio at 10,000', 'messages left'],
    [...results].map(([{ name }, list]) => [
      name,
      ...perLength(list, times),
      growth(list, 'time', 1),
      growth(list, 'time', 2),
      againstOurs(list, 1),
      list.at(-1).left.toLocaleString('en'),
    ]),
  );
  printTable(
    'MiB that a reduction allocates, its growth, and MiB still there when it is done (result and caches)',
    ['', '1,000', '10,000', '100,000', 'growth', 'growth', 'still there'],
    [...results].map(([{ name }, list]) => [
      name,
      ...perLength(list, ({ allocated }) => mebibytes(allocated)),
      growth(list, 'allocated', 1),
      growth(list, 'allocated', 2),
      mebibytes(list.at(-1).kept),
    ]),
  );
}

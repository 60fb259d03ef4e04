/** Turns of each contestant, those that warm it up, and operations in a turn. */
const rounds = Number(process.env.ROUNDS ?? 40);
const warmingUp = Math.ceil(rounds / 4);
const operationsInTurn = 10;
/** Milliseconds after which a slow contestant gives its turns up, when it has had at least two. */
const patience = 2_000;

/**
 * Measures one operation of all contestants, which take turns.
 *
 * @param prepare - Makes the operation of one contestant ready; what it does is not measured.
 * @returns microseconds of each operation after warming up, by contestant.
 */
export async function measureInTurns(contestants, prepare) {
  const measured = contestants.map((contestant) => ({ contestant, times: [], spent: 0, turns: 0 }));
  for (let round = 0; round < rounds; round += 1) {
    for (let offset = 0; offset < measured.length; offset += 1) {
      // Another one begins each time.
      const one = measured[(round + offset) % measured.length];
      if (one.spent > patience && one.turns > 1) continue;
      for (let count = 0; count < operationsInTurn; count += 1) {
        const operation = await prepare(one.contestant);
        const start = process.hrtime.bigint();
        await operation();
        const time = Number(process.hrtime.bigint() - start) / 1000;
        one.spent += time / 1000;
        if (round >= warmingUp || one.spent > patience / 2) one.times.push(time);
        if (one.spent > patience && one.times.length >= 5) break;
      }
      one.turns += 1;
    }
  }
  return new Map(measured.map(({ contestant, times }) => [contestant.name, summaryOf(times)]));
}

function summaryOf(times) {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { median: at(0.5), p95: at(0.95) };
}

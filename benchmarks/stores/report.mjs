import { figure, printTable } from '../reducers/table.mjs';

const cell = (result) =>
  result === undefined ? '–' : `${figure(result.median)} (${figure(result.p95)})`;

/** Prints what was measured of a store. The first contestant is ours, the second the raw client. */
export function printStore(store, names, rows, roundTrips) {
  const [ours, raw, ...peers] = names;
  printTable(
    `${store}: microseconds, median (95th percentile); to raw, to the best peer: our median divided by theirs`,
    ['', 'other sessions', ...names, 'to raw', 'to the best peer'],
    rows.map(({ name, others, results }) => {
      const medianOf = (contestant) => results.get(contestant)?.median ?? Number.POSITIVE_INFINITY;
      const best = Math.min(...peers.map(medianOf));
      return [
        name,
        others.toLocaleString('en'),
        ...names.map((contestant) => cell(results.get(contestant))),
        figure(medianOf(ours) / medianOf(raw)),
        Number.isFinite(best) ? figure(medianOf(ours) / best) : '–',
      ];
    }),
  );
  const counts = [...new Set(rows.map(({ others }) => others))];
  const [few, many] = [counts[0], counts.at(-1)];
  if (few !== many) {
    const rowOf = (name, others) => rows.find((row) => row.name === name && row.others === others);
    printTable(
      `${store}: the median with ${many.toLocaleString('en')} other sessions divided by that with ${few}`,
      ['', ...names],
      [...new Set(rows.map(({ name }) => name))].map((name) => [
        name,
        ...names.map((contestant) => {
          const [before, after] = [few, many].map(
            (others) => rowOf(name, others).results.get(contestant)?.median,
          );
          return before === undefined ? '–' : figure(after / before);
        }),
      ]),
    );
  }
  if (roundTrips.length === 0) return;
  printTable(
    `${store}: round trips`,
    ['', ...names],
    roundTrips.map(({ name, counts: trips }) => [name, ...names.map((one) => trips.get(one))]),
  );
}

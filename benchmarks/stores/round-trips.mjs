import { startCountingProxy } from './counting-proxy.mjs';

/** Round trips of each operation of each contestant, once its connection is open and it has done the same before. */
export async function countRoundTrips({ contestants }, address, operations) {
  const proxy = await startCountingProxy(address);
  const counted = operations.map(({ name }) => ({ name, counts: new Map() }));
  for (const make of contestants) {
    const contestant = await make(proxy.url, { maxMessages: 1_000_000 });
    for (const [index, { of }] of operations.entries()) {
      await of(contestant)();
      const operation = of(contestant);
      counted[index].counts.set(contestant.name, await proxy.during(operation));
    }
    await contestant.close();
  }
  proxy.close();
  return counted;
}

import { expect } from 'vitest';
import { settle } from '../../shared/outcomes.js';
import type { HistoryBackendCase } from '../history-backend-case.js';
import type { HistoryTestContext, OpenedHistory } from '../history-test-context.js';
import {
  expectAscending,
  idsIn,
  idsUpTo,
  keyOf,
  payloadOf,
  recordOf,
  recordsOf,
} from '../sample-records.js';

const writerCount = 10;

/** How often two calls are made at once that must not mix. */
const rounds = 10;

/** Two calls at once, of which each is done before or after the other. */
export const raceCases: readonly HistoryBackendCase[] = [
  {
    name: 'lets ten write the first message of a session at once',
    async run(context) {
      const history = await context.open();
      await writeFirst(Array.from({ length: writerCount }, () => history));
    },
  },
  {
    name: 'lets ten backends write the first message of a session at once',
    needs: ['durable'],
    async run(context) {
      await writeFirst(await openMany(context, writerCount));
    },
  },
  {
    name: 'writes an id once when several backends append it at once',
    needs: ['durable'],
    async run(context) {
      const histories = await openMany(context, 5);
      for (const id of idsUpTo(rounds)) {
        const key = keyOf(`session of ${id}`);
        const results = await Promise.all(
          histories.map((history) => history.append(key, recordsOf(id, `${id} too`))),
        );
        const wrote = results.filter(({ duplicates }) => duplicates.length === 0);
        expect(wrote.length, 'one of the appends wrote').toBe(1);
        for (const history of histories) {
          expect(idsIn(await history.load(key))).toEqual([id, `${id} too`]);
        }
      }
    },
  },
  {
    name: 'loses nothing when a replacement and an append are made at once',
    needs: ['replace'],
    async run(context) {
      const history = await context.open();
      for (let round = 0; round < rounds; round++) {
        const key = keyOf(`session ${round}`);
        const { version } = await history.append(key, recordsOf('m1', 'm2'));
        const edited = recordOf('m3', { payload: payloadOf('m3', 'in place of m1 and m2') });
        const replace = () => settle(history.replace(key, [edited], { version }));
        const append = () => history.append(key, recordsOf('m4'));
        const [replaced] = await atOnce(round, replace, append);
        const loaded = await history.load(key);
        const won = replaced.status === 'fulfilled';
        expect(idsIn(loaded)).toEqual(won ? ['m3', 'm4'] : ['m1', 'm2', 'm4']);
        expectAscending(loaded);
      }
    },
  },
  {
    name: 'does either before the other when a history is cleared and appended to at once',
    async run(context) {
      const history = await context.open();
      for (let round = 0; round < rounds; round++) {
        const key = keyOf(`session ${round}`);
        await history.append(key, recordsOf('m1', 'm2'));
        const clear = () => history.clear(key);
        const append = () => history.append(key, recordsOf('m3', 'm4'));
        await atOnce(round, clear, append);
        const loaded = await history.load(key, { ids: idsUpTo(4) });
        const ids = idsIn(loaded);
        expect(['', 'm3,m4'], 'all of the append is there, or nothing').toContain(ids.join());
        expect([...loaded.knownIds].sort(), 'just what is there is known').toEqual(ids);
      }
    },
  },
];

function openMany(context: HistoryTestContext, count: number): Promise<OpenedHistory[]> {
  return Promise.all(Array.from({ length: count }, () => context.open()));
}

/** Every history writes one message, all at once, into a session that was never written. */
async function writeFirst(histories: readonly OpenedHistory[]): Promise<void> {
  const ids = idsUpTo(histories.length);
  const outcomes = await Promise.all(
    histories.map((history, index) => settle(history.append(keyOf(), recordsOf(ids[index] ?? '')))),
  );
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused, 'appends that were refused').toEqual([]);
  for (const history of histories.slice(0, 1)) {
    const loaded = await history.load(keyOf());
    expect(idsIn(loaded).sort()).toEqual(ids.sort());
    expectAscending(loaded);
  }
}

/** Makes two calls at once: by turns both now, or one of them when the other has begun. */
function atOnce<One, Other>(
  round: number,
  one: () => Promise<One>,
  other: () => Promise<Other>,
): Promise<[One, Other]> {
  const order = round % 3;
  return Promise.all([order === 1 ? later(one) : one(), order === 2 ? later(other) : other()]);
}

async function later<Result>(call: () => Promise<Result>): Promise<Result> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  return call();
}

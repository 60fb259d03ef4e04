import { expect } from 'vitest';
import type { HistoryBackendCase } from '../history-backend-case.js';
import type { OpenedHistory } from '../history-test-context.js';
import { expectAscending, idsIn, idsUpTo, keyOf, recordOf, recordsOf } from '../sample-records.js';

const writerCount = 8;
const appendsPerWriter = 8;

/** Many at once. */
export const concurrencyCases: readonly HistoryBackendCase[] = [
  {
    name: 'loses nothing when many write to one session at once',
    async run(context) {
      const history = await context.open();
      await writeAtOnce(Array.from({ length: writerCount }, () => history));
      await expectComplete(history);
    },
  },
  {
    name: 'loses nothing when many backends write to one session of a fresh store at once',
    needs: ['durable'],
    async run(context) {
      const opening = Array.from({ length: writerCount }, () => context.open());
      const histories = await Promise.all(opening);
      await writeAtOnce(histories);
      await expectComplete(await context.open());
    },
  },
  {
    name: 'writes an id once when the same append is made many times at once',
    async run(context) {
      const history = await context.open();
      const results = await Promise.all(
        Array.from({ length: writerCount }, () => history.append(keyOf(), recordsOf('m1', 'm2'))),
      );
      const loaded = await history.load(keyOf());
      expect(idsIn(loaded)).toEqual(['m1', 'm2']);
      const wrote = results.filter(({ duplicates }) => duplicates.length === 0);
      expect(wrote.length, 'one of the appends wrote').toBe(1);
    },
  },
  {
    name: 'never shows a part of an append to a reader',
    async run(context) {
      const history = await context.open();
      const size = 5;
      const writing = (async () => {
        for (let turn = 0; turn < 20; turn++) {
          await history.append(keyOf(), recordsOf(...idsUpTo(size, `turn${turn}.`)));
        }
      })();
      const seen: number[] = [];
      const reading = (async () => {
        for (let read = 0; read < 20; read++) {
          seen.push((await history.load(keyOf())).records.length);
        }
      })();
      await Promise.all([writing, reading]);
      expect(seen.filter((count) => count % size !== 0)).toEqual([]);
      expect((await history.load(keyOf())).records.length).toBe(20 * size);
    },
  },
  {
    name: 'keeps sessions apart that are written at once',
    async run(context) {
      const history = await context.open();
      const sessions = idsUpTo(20, 'session');
      await Promise.all(
        sessions.map(async (session) => {
          await history.append(keyOf(session), [recordOf(`${session}.1`)]);
          await history.append(keyOf(session), [recordOf(`${session}.2`)]);
        }),
      );
      for (const session of sessions) {
        const ids = idsIn(await history.load(keyOf(session)));
        expect(ids).toEqual([`${session}.1`, `${session}.2`]);
      }
    },
  },
];

/** Every history is a writer that appends turn after turn, two records each. */
async function writeAtOnce(histories: readonly OpenedHistory[]): Promise<void> {
  await Promise.all(
    histories.map(async (history, writer) => {
      for (let turn = 0; turn < appendsPerWriter; turn++) {
        const name = `writer${writer}.turn${turn}`;
        await history.append(keyOf(), recordsOf(`${name}.a`, `${name}.b`));
      }
    }),
  );
}

async function expectComplete(history: OpenedHistory): Promise<void> {
  const loaded = await history.load(keyOf());
  expectAscending(loaded);
  const ids = idsIn(loaded);
  expect(ids.length, 'every record is there once').toBe(writerCount * appendsPerWriter * 2);
  for (let writer = 0; writer < writerCount; writer++) {
    const own = ids.filter((id) => id.startsWith(`writer${writer}.`));
    const expected = Array.from({ length: appendsPerWriter }, (_, turn) => [
      `writer${writer}.turn${turn}.a`,
      `writer${writer}.turn${turn}.b`,
    ]);
    expect(own, 'each writer finds its own in order').toEqual(expected.flat());
  }
  for (const [index, id] of ids.entries()) {
    if (id.endsWith('.a')) {
      expect(ids[index + 1], 'an append stays together').toBe(id.replace(/a$/, 'b'));
    }
  }
}

import { expect } from 'vitest';
import type { HistoryBackendCase } from '../history-backend-case.js';
import type { OpenedHistory } from '../history-test-context.js';
import { idsIn, idsUpTo, keyOf, recordOf, recordsOf } from '../sample-records.js';

const writerCount = 6;
const appendsPerWriter = 10;
const pageSize = 7;

/** What a reader sees while others write. */
export const visibilityCases: readonly HistoryBackendCase[] = [
  {
    name: 'never shows a message to a reader before the messages that precede it',
    async run(context) {
      const history = await context.open();
      await expectInOrder(
        Array.from({ length: writerCount }, () => history),
        history,
      );
    },
  },
  {
    name: 'never shows a message before the messages that precede it, whichever backend wrote them',
    needs: ['durable'],
    async run(context) {
      const writers = await Promise.all(Array.from({ length: writerCount }, () => context.open()));
      await expectInOrder(writers, await context.open());
    },
  },
  {
    name: 'pages backwards without a gap or a repeat while others write',
    async run(context) {
      const history = await context.open();
      const ids = idsUpTo(60);
      await history.append(keyOf(), recordsOf(...ids));
      const writing = writeOneByOne(history, 'later');
      const pages: string[][] = [];
      let before: number | undefined;
      for (;;) {
        const options = before === undefined ? {} : { before };
        const { records } = await history.load(keyOf(), { limit: pageSize, ...options });
        if (records.length === 0 || pages.length > ids.length) break;
        pages.push(idsIn({ records }));
        before = records[0]?.sequence;
      }
      await writing;
      // The first page may begin with what was written before it was read.
      const read = pages.reverse().flat();
      expect(read.slice(0, ids.length)).toEqual(ids);
      expect(read.slice(ids.length)).toEqual(idsUpTo(read.length - ids.length, 'later'));
    },
  },
];

/** Reads again and again while all write: what was read once is the beginning of all that is read later. */
async function expectInOrder(
  writers: readonly OpenedHistory[],
  reader: OpenedHistory,
): Promise<void> {
  let unfinished = writers.length;
  const writing = writers.map(async (history, index) => {
    try {
      await writeOneByOne(history, `writer${index}.`);
    } finally {
      unfinished -= 1;
    }
  });
  const reading = (async () => {
    let seen: readonly string[] = [];
    while (unfinished > 0) {
      const now = idsIn(await reader.load(keyOf()));
      expect(now.slice(0, seen.length), 'nothing came before what was seen').toEqual(seen);
      seen = now;
      // Lets a backend write that answers without waiting for anything.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return seen;
  })();
  await Promise.all([...writing, reading]);
  const all = idsIn(await reader.load(keyOf()));
  expect(all.length).toBe(writers.length * appendsPerWriter);
  expect(all.slice(0, (await reading).length)).toEqual(await reading);
}

async function writeOneByOne(history: OpenedHistory, prefix: string): Promise<void> {
  for (const id of idsUpTo(appendsPerWriter, prefix)) {
    await history.append(keyOf(), [recordOf(id)]);
  }
}

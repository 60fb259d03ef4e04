import type { ChatMessage } from '@minne/core';
import { expect } from 'vitest';
import { settle } from '../../shared/outcomes.js';
import type { ChatReducerCase } from '../reducer-case.js';
import { plainTurns } from '../sample-histories.js';

const reason = new Error('Never mind.');

/** How a reduction runs. */
export const runningCases: readonly ChatReducerCase[] = [
  {
    name: 'rejects with the reason of a signal that has aborted before',
    async run(context) {
      const reducer = await context.open();
      const reducing = reducer.reduce(plainTurns(40), { signal: AbortSignal.abort(reason) });
      expect(await settle(reducing)).toEqual({ status: 'rejected', reason });
    },
  },
  {
    name: 'keeps reductions apart that run at once, and nothing of one for the next',
    async run(context) {
      const shared = await context.open();
      const histories = [40, 35, 30].map((turns) => plainTurns(turns));
      const together = await Promise.all(histories.map((history) => shared.reduce(history)));
      for (const [index, history] of histories.entries()) {
        const alone = await context.reduce(history);
        const ids = ({ removed }: typeof alone): string[] => removed.map(({ id }) => id);
        expect(ids(together[index] ?? alone)).toEqual(ids(alone));
        expect(together[index]?.messages.length).toBe(alone.messages.length);
      }
    },
  },
  {
    name: 'looks at messages in proportion to their number',
    async run(context) {
      const readsOf = async (turns: number): Promise<number> => {
        const counted = countReads(plainTurns(turns));
        await context.reduce(counted.messages);
        return counted.reads();
      };
      const [short, long] = [await readsOf(250), await readsOf(1000)];
      // Four times as many when the cost is linear, sixteen times when it is quadratic.
      expect(long, `4 times the messages after ${short} looks`).toBeLessThan(short * 7);
    },
  },
];

/** The messages, and how often a member of any of them was read. */
function countReads(history: readonly ChatMessage[]) {
  let reads = 0;
  const messages = history.map(
    (message) =>
      new Proxy(message, {
        get(target, property, receiver) {
          reads += 1;
          return Reflect.get(target, property, receiver);
        },
      }),
  );
  return { messages: Object.freeze(messages), reads: () => reads };
}

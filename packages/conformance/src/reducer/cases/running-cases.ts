import { expect } from 'vitest';
import { settle } from '../../shared/outcomes.js';
import type { ChatReducerCase } from '../reducer-case.js';
import { HistoryMaker, plainTurns } from '../sample-histories.js';

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
    name: 'takes time in proportion to the messages',
    async run(context) {
      const reducer = await context.open();
      const timeOf = async (turns: number): Promise<number> => {
        const history = plainTurns(turns);
        const start = performance.now();
        await reducer.reduce(history);
        return performance.now() - start;
      };
      await timeOf(500);
      const short = Math.min(await timeOf(1000), await timeOf(1000));
      const long = Math.min(await timeOf(8000), await timeOf(8000));
      // Quadratic cost would be 64 times; the constant lets a busy machine be slow.
      expect(long, `8 times the messages take ${long} ms after ${short} ms`).toBeLessThan(
        short * 30 + 150,
      );
    },
  },
  {
    name: 'leaves less when more of the budget is taken, and the least that is valid with a warning',
    needs: ['fixedTokens'],
    async run(context) {
      const history = plainTurns(40);
      const { messages } = await context.reduce(history);
      const least = await context.reduce(history, { fixedTokens: 10_000_000 });
      expect(least.messages.length).toBeLessThan(messages.length);
      expect(least.messages.length).toBeGreaterThan(0);
      expect(least.warnings.length, 'there is a warning').toBeGreaterThan(0);
      const maker = new HistoryMaker();
      const only = maker.say('user', 'Hi');
      const tight = await context.reduce(maker.messages, { fixedTokens: 10_000_000 });
      expect(tight.messages).toEqual([only]);
    },
  },
];

import { expect } from 'vitest';
import type { ChatReducerCase } from '../reducer-case.js';
import { expectReduced } from '../reducer-test-context.js';
import { HistoryMaker, plainTurns } from '../sample-histories.js';

/** What a reduction gives. */
export const resultCases: readonly ChatReducerCase[] = [
  {
    name: 'names the version of the contract it keeps, and its kind',
    async run(context) {
      const [one, other] = [await context.open(), await context.open()];
      expect(one.specificationVersion).toBe('v1');
      expect(one.id).toMatch(/^\w+$/);
      expect(other.id, 'the id is the same in every instance').toBe(one.id);
    },
  },
  {
    name: 'reduces a long history, and accounts for every message of it',
    async run(context) {
      const result = await context.reduceLawfully(plainTurns(40));
      expectReduced(result);
      const { kept, dropped, summarised } = result.reports.at(-1) ?? {};
      expect(
        (kept ?? 0) + (dropped ?? 0) + (summarised ?? 0),
        'the report adds up',
      ).toBeGreaterThan(0);
    },
  },
  {
    name: 'gives back the very array when there is nothing to reduce',
    async run(context) {
      for (const count of [0, 1]) {
        const maker = new HistoryMaker();
        if (count === 1) maker.say('user', 'Hello');
        const result = await context.reduce(maker.messages);
        expect(result.messages).toBe(maker.messages);
        expect(result).toMatchObject({ removed: [], warnings: [] });
        expect(result.summary).toBeUndefined();
      }
    },
  },
  {
    name: 'changes nothing more when it reduces what it has left',
    async run(context) {
      const reducer = await context.open();
      const first = await reducer.reduce(plainTurns(40));
      expectReduced(first);
      const second = await reducer.reduce(first.messages);
      expect(second.messages).toBe(first.messages);
      expect(second.removed).toEqual([]);
    },
  },
  {
    name: 'keeps every system message, in its place',
    async run(context) {
      const maker = new HistoryMaker();
      maker.say('system', 'Be brief.');
      plainTurns(20, maker);
      maker.say('developer', 'Be kind.');
      plainTurns(20, maker);
      const result = await context.reduceLawfully(maker.messages);
      expectReduced(result);
      expect(result.messages[0]).toBe(maker.messages[0]);
    },
  },
  {
    name: 'keeps the newest message',
    async run(context) {
      const maker = new HistoryMaker();
      plainTurns(40, maker);
      const question = maker.say('user', 'And now?');
      const { messages } = await context.reduceLawfully(maker.messages);
      expect(messages.at(-1)).toBe(question);
    },
  },
];

import { expect } from 'vitest';
import type { ChatReducerCase } from '../reducer-case.js';
import { HistoryMaker, plainTurns } from '../sample-histories.js';

/** Going by tokens. */
export const tokenCases: readonly ChatReducerCase[] = [
  {
    name: 'leaves less when more of the budget is taken',
    needs: ['fixedTokens'],
    async run(context) {
      const history = plainTurns(40);
      const { messages } = await context.reduce(history);
      const tight = await context.reduce(history, { fixedTokens: 10_000_000 });
      expect(tight.messages.length).toBeLessThan(messages.length);
    },
  },
  {
    name: 'leaves the least that is valid, with a warning, when the budget cannot be met',
    needs: ['fixedTokens'],
    async run(context) {
      const fixedTokens = 10_000_000;
      await context.reduceLawfully(plainTurns(40), { fixedTokens });
      const maker = new HistoryMaker();
      maker.say('system', 'Be brief.');
      const question = maker.say('user', 'Hi');
      const { messages, warnings } = await context.reduceLawfully(maker.messages, { fixedTokens });
      expect(messages).toContain(question);
      expect(warnings.length, 'there is a warning').toBeGreaterThan(0);
    },
  },
  {
    name: 'says what it counts tokens with, so that what is sent beside the history counts alike',
    needs: ['fixedTokens'],
    async run(context) {
      const { tokenCounter } = await context.open();
      expect(tokenCounter?.specificationVersion, '`tokenCounter` of the reducer').toBe('v1');
    },
  },
  {
    name: 'counts a content once, however often the history is reduced',
    needs: ['tokenCounter'],
    async run(context) {
      const reducer = await context.open();
      const maker = new HistoryMaker();
      plainTurns(40, maker);
      for (const text of ['And now?', 'And then?']) {
        await reducer.reduce([...maker.messages]);
        maker.say('user', text);
      }
      const times = maker.messages.flatMap(({ contents }) =>
        contents.map((content) => context.tokenCounter.timesOf(content)),
      );
      expect(Math.max(...times), 'how often the same content was counted').toBe(1);
    },
  },
];

import { expect } from 'vitest';
import { expectLawful } from '../laws.js';
import type { ChatReducerCase } from '../reducer-case.js';
import { callOf, HistoryMaker, oddHistories, plainTurns } from '../sample-histories.js';

/** Calls and results, however they lie. Each history is taken at many lengths, so that a cut meets all of it. */
export const groupCases: readonly ChatReducerCase[] = [
  ...Object.keys(oddHistories()).map(
    (name): ChatReducerCase => ({
      name: `keeps every law on histories with ${name}`,
      async run(context) {
        const history = oddHistories()[name] ?? [];
        const reducer = await context.open();
        for (
          let length = history.length;
          length > 0;
          length -= history.length - length < 40 ? 1 : 7
        ) {
          const part = history.slice(0, length);
          const result = await reducer.reduce(part);
          expectLawful(part, result);
          if (length % 8 > 0) continue;
          const again = await reducer.reduce(result.messages);
          const same = again.messages === result.messages;
          expect(same, 'a second time changes nothing').toBe(true);
        }
      },
    }),
  ),
  {
    name: 'keeps a call that waits for approval, whatever was called beside it',
    async run(context) {
      const maker = new HistoryMaker();
      plainTurns(30, maker);
      maker.say('user', 'Pay the bill.');
      const toolCall = callOf('pay');
      if (toolCall.type !== 'tool_call') return;
      const request = { type: 'approval_request', id: 'consent', toolCall } as const;
      const waiting = maker.add('assistant', [toolCall, request]);
      for (let index = 0; index < 30; index += 1) {
        maker.call(`other${index}`);
        maker.answer(`other${index}`);
      }
      const { messages } = await context.reduceLawfully(maker.messages);
      expect(messages.map(({ id }) => id)).toContain(waiting.id);
    },
  },
  {
    name: 'never begins with a result when the history does',
    async run(context) {
      for (const turns of [1, 40]) {
        const maker = new HistoryMaker();
        maker.say('system', 'Be brief.');
        maker.answer('lost');
        plainTurns(turns, maker);
        await context.reduceLawfully(maker.messages);
      }
    },
  },
  {
    name: 'leaves something of a history of nothing but lost results, and of one group alone',
    async run(context) {
      const lost = new HistoryMaker();
      for (let index = 0; index < 200; index += 1) lost.answer(`lost${index}`);
      await context.reduceLawfully(lost.messages);
      const huge = new HistoryMaker();
      const ids = Array.from({ length: 100 }, (_, index) => `c${index}`);
      huge.call(...ids);
      for (const id of ids) huge.answer(id);
      const { messages } = await context.reduceLawfully(huge.messages);
      expect(messages).toHaveLength(huge.messages.length);
    },
  },
];

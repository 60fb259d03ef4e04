import { type ChatMessage, isSystem } from '@minne/core';
import { expect } from 'vitest';
import { isOpener } from '../message-kinds.js';
import type { ChatReducerCase } from '../reducer-case.js';
import { expectReduced } from '../reducer-test-context.js';
import { HistoryMaker, oddHistories, plainTurns } from '../sample-histories.js';

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
      expectReduced(await context.reduceLawfully(plainTurns(40)));
    },
  },
  {
    name: 'gives back the very array when there is nothing to reduce',
    async run(context) {
      for (const count of [0, 1]) {
        const maker = new HistoryMaker();
        if (count === 1) maker.say('user', 'Hello');
        const result = await context.reduce(maker.messages);
        expect(result.messages === maker.messages, 'it gives back the very array').toBe(true);
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
      expect(idsOf(second.removed), 'removed the second time').toEqual([]);
      expect(second.messages === first.messages, 'it gives back the very array').toBe(true);
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
      expect(messages.at(-1)?.id).toBe(question.id);
    },
  },
  {
    name: 'keeps the newest question of the user, however much follows it',
    async run(context) {
      const maker = new HistoryMaker();
      plainTurns(10, maker);
      const question = maker.say('user', 'Find every river.');
      for (let index = 0; index < 60; index += 1) {
        maker.call(`river${index}`);
        maker.answer(`river${index}`);
      }
      const { messages } = await context.reduceLawfully(maker.messages);
      expect(idsOf(messages)).toContain(question.id);
    },
  },
  {
    name: 'begins with a message of the user when the history does',
    async run(context) {
      const reducer = await context.open();
      for (const history of [plainTurns(40), ...Object.values(oddHistories())]) {
        for (let length = history.length; length > 0; length -= 7) {
          const { messages } = await reducer.reduce(history.slice(0, length));
          const first = messages.find((message) => !isSystem(message));
          expect(first && isOpener(first), `${first?.id} opens a conversation`).toBe(true);
        }
      }
    },
  },
];

function idsOf(messages: readonly ChatMessage[]): readonly string[] {
  return messages.map(({ id }) => id);
}

import type { ChatMessage } from '@minne/core';
import { expect } from 'vitest';
import { awkwardTexts } from '../../shared/sample-texts.js';
import type { ChatReducerCase } from '../reducer-case.js';
import { expectReduced } from '../reducer-test-context.js';
import { HistoryMaker, laterTurns, plainTurns } from '../sample-histories.js';

/** What a reducer is given. */
export const inputCases: readonly ChatReducerCase[] = [
  {
    name: 'changes neither the messages nor the array it is given, nor what it has given out',
    async run(context) {
      const messages = plainTurns(40);
      const before = structuredClone(messages);
      const reducer = await context.open();
      const result = await reducer.reduce(messages);
      expectReduced(result);
      expect(messages).toEqual(before);
      const given = structuredClone(result.messages);
      await reducer.reduce([...result.messages, ...laterTurns(40)]);
      expect(result.messages).toEqual(given);
    },
  },
  {
    name: 'takes messages that are frozen',
    async run(context) {
      const messages: readonly ChatMessage[] = frozen(plainTurns(40));
      expectReduced(await context.reduceLawfully(messages));
    },
  },
  {
    name: 'takes an empty history, and one of system messages alone, which stays',
    async run(context) {
      await context.reduceLawfully([]);
      const maker = new HistoryMaker();
      for (let index = 0; index < 300; index += 1) maker.say('system', `Rule ${index}`);
      const { messages } = await context.reduce(maker.messages);
      expect(messages).toEqual(maker.messages);
    },
  },
  {
    name: 'takes text in every script, and files',
    async run(context) {
      const maker = new HistoryMaker();
      for (let round = 0; round < 8; round += 1) {
        for (const text of Object.values(awkwardTexts)) {
          maker.say('user', text);
          maker.call('c');
          maker.answer('c', text.repeat(50));
        }
        maker.add('user', [
          { type: 'data', data: 'AAAA'.repeat(1000), mediaType: 'application/pdf' },
          { type: 'uri', uri: 'https://example.org/a.png', mediaType: 'image/png' },
        ]);
      }
      expectReduced(await context.reduceLawfully(maker.messages));
    },
  },
  {
    name: 'takes what users say twice for said twice',
    async run(context) {
      const maker = new HistoryMaker();
      plainTurns(40, maker);
      const first = maker.say('user', 'yes');
      maker.say('assistant', 'Really?');
      const second = maker.say('user', 'yes');
      const { messages } = await context.reduceLawfully(maker.messages);
      expect(messages.at(-1)).toBe(second);
      const left = messages.filter((message) => message === first || message === second);
      expect(new Set(left).size).toBe(left.length);
    },
  },
];

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) frozen(member);
    Object.freeze(value);
  }
  return value;
}

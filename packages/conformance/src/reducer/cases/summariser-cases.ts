import { type ChatMessage, messageText } from '@minne/core';
import { expect } from 'vitest';
import { settleWithin, until } from '../../shared/outcomes.js';
import { expectLawful } from '../laws.js';
import type { ChatReducerCase } from '../reducer-case.js';
import type { ReducerTestContext } from '../reducer-test-context.js';
import { HistoryMaker, plainTurns } from '../sample-histories.js';
import type { SummariserReply } from '../scripted-summariser.js';

const failures: readonly (readonly [string, SummariserReply])[] = [
  ['fails', { kind: 'error' }],
  ['refuses', { kind: 'refusal' }],
  ['says nothing', { kind: 'nothing' }],
  ['is cut off', { kind: 'cut' }],
];

/** Having summaries written by a model that may fail. */
export const summariserCases: readonly ChatReducerCase[] = [
  ...failures.map(
    ([how, reply]): ChatReducerCase => ({
      name: `leaves everything as it is and warns when the summariser ${how}`,
      needs: ['summarises'],
      async run(context) {
        context.summariser.reply = reply;
        await expectNothingChanged(context);
      },
    }),
  ),
  {
    name: 'gives up on a summariser that does not answer, leaves everything as it is and warns',
    needs: ['summarises', 'summaryTimeout'],
    async run(context) {
      context.summariser.reply = { kind: 'stall' };
      await expectNothingChanged(context);
    },
  },
  {
    name: 'stops waiting for the summariser when the signal aborts, with the reason',
    needs: ['summarises'],
    async run(context) {
      context.summariser.reply = { kind: 'stall' };
      const reducer = await context.open();
      const controller = new AbortController();
      const reducing = reducer.reduce(plainTurns(40), { signal: controller.signal });
      await until(() => context.summariser.calls > 0, 'the summariser was asked', 2000);
      const reason = new Error('Never mind.');
      controller.abort(reason);
      expect(await settleWithin(reducing, 2000)).toEqual({ status: 'rejected', reason });
    },
  },
  {
    name: 'asks for no summary when there is nothing to reduce',
    needs: ['summarises'],
    async run(context) {
      const maker = new HistoryMaker();
      maker.say('user', 'Hello');
      await context.reduce(maker.messages);
      expect(context.summariser.calls, 'calls for a history of one message').toBe(0);
      const reducer = await context.open();
      const { messages } = await reducer.reduce(plainTurns(40));
      const { calls } = context.summariser;
      await reducer.reduce(messages);
      expect(context.summariser.calls, 'calls after the same history again').toBe(calls);
    },
  },
  {
    name: 'removes nothing that the summariser was not told',
    needs: ['summarises'],
    async run(context) {
      await expectTold(context, longTalk());
    },
  },
  {
    name: 'removes nothing that was told only in a call that failed',
    needs: ['summarises'],
    async run(context) {
      for (const fails of [2, 3]) {
        context.summariser.failsAt = (call) => call % fails === 0;
        await expectTold(context, longTalk());
      }
    },
  },
  {
    name: 'removes nothing that was more than the summariser could read',
    needs: ['summarises'],
    async run(context) {
      for (const accepts of [1000, 8000, 30_000]) {
        context.summariser.reply = { kind: 'summary', accepts };
        await expectTold(context, longTalk());
      }
    },
  },
];

/** Messages by which one can tell which of them a summariser has read. */
function longTalk(): readonly ChatMessage[] {
  const maker = new HistoryMaker();
  for (let turn = 1; turn <= 60; turn += 1) {
    maker.say('user', `question-${turn}- ${'about rivers '.repeat(40)}`);
    maker.say('assistant', `answer-${turn}- ${'about seas '.repeat(40)}`);
  }
  return maker.messages;
}

async function expectTold(
  context: ReducerTestContext,
  history: readonly ChatMessage[],
): Promise<void> {
  const read = context.summariser.read.length;
  const result = await context.reduce(history);
  expectLawful(history, result);
  const told = context.summariser.read.slice(read).join('\n');
  const untold = result.removed.filter(
    (message) => !told.includes(messageText(message).split(' ')[0] ?? ''),
  );
  expect(
    untold.map(({ id }) => id),
    'removed, and in no call that went well',
  ).toEqual([]);
}

async function expectNothingChanged(context: ReducerTestContext): Promise<void> {
  const history = plainTurns(40);
  const reducing = context.reduce(history);
  const outcome = await settleWithin(reducing, 7000);
  if (outcome === 'pending') return expect.fail('It has not ended after 7 seconds.');
  const { messages, removed, summary, warnings } = await reducing;
  expect(messages === history, 'it gives back the very array').toBe(true);
  expect(removed).toEqual([]);
  expect(summary).toBeUndefined();
  expect(warnings.length, 'there is a warning').toBeGreaterThan(0);
}

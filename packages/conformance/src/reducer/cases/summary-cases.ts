import type { ChatMessage } from '@minne/core';
import { expect } from 'vitest';
import { settleWithin, until } from '../../shared/outcomes.js';
import type { ChatReducerCase } from '../reducer-case.js';
import { HistoryMaker, plainTurns } from '../sample-histories.js';
import type { SummariserReply } from '../scripted-summariser.js';

const summaryKey = 'minne.summary';

const failures: readonly (readonly [string, SummariserReply['kind']])[] = [
  ['fails', 'error'],
  ['refuses', 'refusal'],
  ['says nothing', 'nothing'],
  ['is cut off', 'cut'],
];

/** Having summaries written. */
export const summaryCases: readonly ChatReducerCase[] = [
  {
    name: 'puts a summary where the last message was that it stands for, quoted by the user',
    needs: ['summarises'],
    async run(context) {
      const history = plainTurns(40);
      const { messages, summary, removed } = await context.reduceLawfully(history);
      expect(summary).toMatchObject({ role: 'user', metadata: { [summaryKey]: {} } });
      expect(textOf(summary)).toContain('They spoke of rivers.');
      const last = history.findLastIndex((message) => removed.includes(message));
      const before = history.slice(0, last).filter((message) => messages.includes(message));
      expect(summary && messages.indexOf(summary)).toBe(before.length);
    },
  },
  {
    name: 'removes nothing that the summariser was not told',
    needs: ['summarises'],
    async run(context) {
      const maker = new HistoryMaker();
      for (let turn = 1; turn <= 60; turn += 1) {
        maker.say('user', `question-${turn}- ${'about rivers '.repeat(40)}`);
        maker.say('assistant', `answer-${turn}- ${'about seas '.repeat(40)}`);
      }
      const { removed } = await context.reduceLawfully(maker.messages);
      const read = context.summariser.read.join('\n');
      for (const message of removed) expect(read).toContain(textOf(message).split(' ')[0] ?? '');
    },
  },
  {
    name: 'asks for no summary when there is nothing to reduce',
    needs: ['summarises'],
    async run(context) {
      await context.reduce(plainTurns(0));
      const reducer = await context.open();
      const { messages } = await reducer.reduce(plainTurns(40));
      const { calls } = context.summariser;
      await reducer.reduce(messages);
      expect(context.summariser.calls).toBe(calls);
    },
  },
  {
    name: 'folds an earlier summary into the new one',
    needs: ['summarises'],
    async run(context) {
      const reducer = await context.open();
      context.summariser.reply = { kind: 'summary', text: 'The river is the Glomma.' };
      const first = await reducer.reduce(plainTurns(40));
      const later = plainTurns(40).map((message) => ({ ...message, id: `later-${message.id}` }));
      context.summariser.reply = { kind: 'summary', text: 'They spoke on.' };
      const second = await reducer.reduce([...first.messages, ...later]);
      expect(context.summariser.read.at(-1), 'the earlier summary is told').toBeDefined();
      expect(context.summariser.read.join('\n')).toContain('The river is the Glomma.');
      const summaries = second.messages.filter(({ metadata }) => metadata?.[summaryKey]);
      expect(summaries).toEqual([second.summary]);
    },
  },
  ...failures.map(
    ([how, kind]): ChatReducerCase => ({
      name: `leaves everything as it is and warns when the summariser ${how}`,
      needs: ['summarises'],
      async run(context) {
        context.summariser.reply = { kind } as SummariserReply;
        const history = plainTurns(40);
        const result = await context.reduce(history);
        expect(result.messages).toBe(history);
        expect(result.removed).toEqual([]);
        expect(result.summary).toBeUndefined();
        expect(result.warnings.length, 'there is a warning').toBeGreaterThan(0);
      },
    }),
  ),
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
];

function textOf(message: ChatMessage | undefined): string {
  return (message?.contents ?? [])
    .map((content) => (content.type === 'text' ? content.text : JSON.stringify(content)))
    .join('');
}

import type { ChatClient, ChatResponseUpdate } from '@minne/core';
import { expect } from 'vitest';
import { settle, settleWithin } from '../../shared/outcomes.js';
import { askStreamed, askWhole, said, textOf, ways } from '../answers.js';
import type { ChatClientCase } from '../chat-client-case.js';
import { patience } from '../chat-client-test-context.js';

const story = { kind: 'stall', text: 'Once upon a time there was a very long story.' } as const;
const reason = new Error('stopped by the caller');

/** Ending when told to, and when left. */
export const endingCases: readonly ChatClientCase[] = [
  {
    name: 'asks nothing when the signal has aborted, and gives its reason',
    async run(context) {
      const client = await context.scripted({ kind: 'answer', text: 'Too late.' });
      const signal = AbortSignal.abort(reason);
      for (const [way, ask] of Object.entries(ways)) {
        const outcome = await settle(ask(client, [said('Tell me.')], { signal }));
        expect(outcome, way).toEqual({ status: 'rejected', reason });
      }
      expect(context.received).toBe(0);
    },
  },
  {
    name: 'ends the request when the signal aborts before the answer, and gives its reason',
    async run(context) {
      const client = await context.scripted(story);
      const controller = new AbortController();
      const asking = askWhole(client, [said('Tell me.')], { signal: controller.signal });
      const outcome = settleWithin(asking, patience * 2);
      await context.untilReceived(1);
      controller.abort(reason);
      expect(await outcome).toEqual({ status: 'rejected', reason });
      await context.expectIdle();
    },
  },
  {
    name: 'ends the request when the signal aborts in the middle of a stream, and gives its reason',
    async run(context) {
      const client = await context.scripted(story);
      const controller = new AbortController();
      const { signal } = controller;
      const reading = (async () => {
        for await (const update of client.getStreamingResponse([said('Tell me.')], { signal })) {
          if (hasText(update)) controller.abort(reason);
        }
      })();
      expect(await settleWithin(reading, patience * 2)).toEqual({ status: 'rejected', reason });
      await context.expectIdle();
    },
  },
  {
    name: 'ends the request when the stream is left',
    async run(context) {
      const client = await context.scripted(story);
      const leaving = settleWithin(leaveAtFirstText(client), patience * 2);
      expect(await leaving, 'it can be left').toMatchObject({ status: 'fulfilled' });
      await context.expectIdle();
    },
  },
  {
    name: 'answers again after an error, an abort and a stream that was left',
    async run(context) {
      const client = await context.scripted(
        { kind: 'error', retryable: true },
        story,
        story,
        { kind: 'answer', text: 'The end.' },
        { kind: 'answer', text: 'The end.' },
      );
      expect((await settle(askWhole(client, [said('Tell me.')]))).status).toBe('rejected');
      const controller = new AbortController();
      const { signal } = controller;
      const asking = askStreamed(client, [said('Tell me.')], { signal });
      const aborted = settleWithin(asking, patience * 2);
      await context.untilReceived(2);
      controller.abort(reason);
      expect(await aborted).toEqual({ status: 'rejected', reason });
      const left = await settleWithin(leaveAtFirstText(client), patience);
      expect(left).toMatchObject({ status: 'fulfilled' });
      for (const [way, ask] of Object.entries(ways)) {
        expect(textOf(await ask(client, [said('How does it end?')])), way).toBe('The end.');
      }
    },
  },
  {
    name: 'keeps calls apart that are made at once',
    async run(context) {
      const texts = ['the first one', 'another', 'yet another'];
      const answers = texts.map((text) => ({ kind: 'answer', text }) as const);
      const client = await context.scripted(...answers, ...answers);
      for (const [way, ask] of Object.entries(ways)) {
        const asking = texts.map(() => ask(client, [said('Which one?')]));
        // Which request comes in first is nobody's promise.
        const answered = (await Promise.all(asking)).map(textOf);
        expect(answered.toSorted(), way).toEqual(texts.toSorted());
      }
    },
  },
];

async function leaveAtFirstText(client: ChatClient): Promise<void> {
  for await (const update of client.getStreamingResponse([said('Tell me.')])) {
    if (hasText(update)) break;
  }
}

function hasText({ contents }: ChatResponseUpdate): boolean {
  return contents.some((content) => content.type === 'text' && content.text !== '');
}

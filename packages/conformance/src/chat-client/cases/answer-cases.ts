import { expect } from 'vitest';
import { settleWithin } from '../../shared/outcomes.js';
import { awkwardTexts } from '../../shared/sample-texts.js';
import { askStreamed, askWhole, said, textOf, ways } from '../answers.js';
import type { ChatClientCase } from '../chat-client-case.js';
import { patience } from '../chat-client-test-context.js';

/** What a client makes of an answer. */
export const answerCases: readonly ChatClientCase[] = [
  {
    name: 'names the version of the contract it keeps',
    async run(context) {
      expect((await context.open()).specificationVersion).toBe('v1');
    },
  },
  {
    name: 'answers with one message of the assistant, whole and streamed alike',
    async run(context) {
      const answer = { kind: 'answer', text: 'It is a fine day in Umeå.' } as const;
      const client = await context.scripted(answer, answer);
      const whole = await askWhole(client, [said('How is the day?')]);
      expect(whole.messages).toEqual([
        { role: 'assistant', contents: [{ type: 'text', text: answer.text }] },
      ]);
      expect(whole.finishReason).toBe('stop');
      expect(await askStreamed(client, [said('How is the day?')])).toEqual(whole);
    },
  },
  {
    name: 'hands out the pieces of a stream as they come',
    async run(context) {
      const text = 'Once upon a time there was a very long story.';
      const client = await context.scripted({ kind: 'stall', text });
      let first = '';
      const reading = (async () => {
        for await (const { contents } of client.getStreamingResponse([said('Tell me.')])) {
          for (const content of contents) if (content.type === 'text') first += content.text;
          if (first !== '') return;
        }
      })();
      expect(await settleWithin(reading, patience), 'a piece comes').not.toBe('pending');
      expect(first).not.toBe('');
      expect(text.startsWith(first), `${first} is how it begins`).toBe(true);
    },
  },
  {
    name: 'gives every character of an answer',
    async run(context) {
      const client = await context.open();
      for (const [name, text] of Object.entries(awkwardTexts)) {
        // What is no valid Unicode need not come through every service.
        if (text === '' || !text.isWellFormed()) continue;
        for (const [way, ask] of Object.entries(ways)) {
          await context.script({ kind: 'answer', text });
          expect(textOf(await ask(client, [said('Say it.')])), `${name}, ${way}`).toBe(text);
        }
      }
    },
  },
  {
    name: 'gives a long answer whole',
    async run(context) {
      const text = Array.from({ length: 2_000 }, (_, line) => `Line ${line} 🙂 é.`).join('\n');
      const client = await context.scripted({ kind: 'answer', text }, { kind: 'answer', text });
      for (const [way, ask] of Object.entries(ways)) {
        expect(textOf(await ask(client, [said('Write.')])) === text, way).toBe(true);
      }
    },
  },
  {
    name: 'takes an answer without a word for one, and not for an error',
    async run(context) {
      const client = await context.scripted({ kind: 'answer' }, { kind: 'answer' });
      for (const ask of Object.values(ways)) {
        const { messages, finishReason } = await ask(client, [said('Say nothing.')]);
        expect(messages).toEqual([]);
        expect(finishReason).toBe('stop');
      }
    },
  },
  {
    name: 'says when an answer was cut for its length',
    async run(context) {
      const answer = { kind: 'answer', text: 'Once upon', finishReason: 'length' } as const;
      const client = await context.scripted(answer, answer);
      for (const ask of Object.values(ways)) {
        expect((await ask(client, [said('Tell me.')])).finishReason).toBe('length');
      }
    },
  },
  {
    name: 'says what a call has cost, whole and streamed alike',
    needs: ['usage'],
    async run(context) {
      const usage = { inputTokens: 1_234, outputTokens: 56 };
      const answer = { kind: 'answer', text: 'Not much.', usage } as const;
      const client = await context.scripted(answer, answer);
      const whole = await askWhole(client, [said('What does it cost?')]);
      expect(whole.usage).toMatchObject(usage);
      const { totalTokens = 1_290 } = whole.usage ?? {};
      expect(totalTokens).toBe(1_290);
      expect((await askStreamed(client, [said('What does it cost?')])).usage).toEqual(whole.usage);
    },
  },
  {
    name: 'keeps what the model thought apart from what it says, whole and streamed alike',
    needs: ['reasoning'],
    async run(context) {
      const answer = {
        kind: 'answer',
        reasoning: 'They ask.\nSo I answer.',
        text: 'Yes.',
      } as const;
      const client = await context.scripted(answer, answer);
      const whole = await askWhole(client, [said('Is it so?')]);
      expect(textOf(whole)).toBe('Yes.');
      const contents = whole.messages.flatMap((message) => message.contents);
      const thoughts = contents.flatMap((content) =>
        content.type === 'reasoning' ? [content.text] : [],
      );
      expect(thoughts.join('')).toBe(answer.reasoning);
      expect(await askStreamed(client, [said('Is it so?')])).toEqual(whole);
    },
  },
];

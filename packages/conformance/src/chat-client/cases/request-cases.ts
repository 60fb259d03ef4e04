import type { ChatMessage, ChatOptions, Content } from '@minne/core';
import { MinneError } from '@minne/core';
import { expect } from 'vitest';
import { settle } from '../../shared/outcomes.js';
import { awkwardTexts } from '../../shared/sample-texts.js';
import { messageOf, said, textOf, ways } from '../answers.js';
import type { ChatClientCase } from '../chat-client-case.js';

const done = { kind: 'answer', text: 'Done.' } as const;

/** A content of a later version, as it may come out of a store. */
const unknown = JSON.parse('{"type":"hologram","beam":[1,2]}') as Content;

const plainOptions: ChatOptions = {
  instructions: 'Be brief.',
  temperature: 0.5,
  maxOutputTokens: 100,
  stop: ['END'],
};

/** Taking what it is given, and leaving it as it is. */
export const requestCases: readonly ChatClientCase[] = [
  {
    name: 'changes neither the messages nor the options it is given',
    async run(context) {
      const client = await context.open();
      for (const [way, ask] of Object.entries(ways)) {
        const messages = [
          messageOf({ role: 'system', contents: 'Be kind.' }),
          said('Do it.', image),
        ];
        const options = { ...plainOptions, stop: ['END'] };
        const before = structuredClone({ messages, options });
        await context.script(done, done);
        await ask(client, messages, options);
        expect({ messages, options }, way).toEqual(before);
        // Whoever writes into a frozen value gets a TypeError.
        await ask(client, freeze(messages), freeze(options));
      }
    },
  },
  {
    name: 'changes none of the tools it is given',
    needs: ['toolCalls'],
    async run(context) {
      const client = await context.open();
      const options = (): ChatOptions => ({
        tools: [
          {
            name: 'get_weather',
            description: 'Tells the weather.',
            parameters: {
              type: 'object',
              properties: { city: { type: 'object', properties: { name: { type: 'string' } } } },
            },
          },
        ],
        toolChoice: 'auto',
      });
      for (const [way, ask] of Object.entries(ways)) {
        const given = options();
        await context.script(done, done);
        await ask(client, [said('Do it.')], given);
        expect(given, way).toEqual(options());
        await ask(client, [said('Do it.')], freeze(options()));
      }
    },
  },
  {
    name: 'takes a conversation with messages of every role, and contents that nobody knows',
    async run(context) {
      const client = await context.open();
      const messages = [
        messageOf({ role: 'system', contents: 'Be kind.' }),
        messageOf({ role: 'developer', contents: 'Be brief.' }),
        said('Look at this.', image, unknown),
        messageOf({
          role: 'assistant',
          contents: [{ type: 'reasoning', text: 'hm' }, text('Ah.')],
        }),
        said('And then?'),
      ];
      await expectDone(context.script.bind(context, done), client, messages);
    },
  },
  {
    name: 'takes a conversation with calls of tools and their results',
    needs: ['toolCalls'],
    async run(context) {
      const client = await context.open();
      const call = { type: 'tool_call', name: 'get_weather' } as const;
      const messages = [
        said('The weather?'),
        messageOf({
          role: 'assistant',
          contents: [
            text('I will look.'),
            { ...call, callId: 'call_1', arguments: '{"city":"Lund"}' },
            { ...call, callId: 'call_2', arguments: '{}' },
          ],
        }),
        toolResult({ callId: 'call_1', result: { rain: [0.5, null, 'é'] } }),
        toolResult({ callId: 'call_2', result: null, error: 'No city was named.' }),
        messageOf({ role: 'assistant', contents: 'Rain.' }),
        said('And tomorrow?'),
      ];
      await expectDone(context.script.bind(context, done), client, messages);
    },
  },
  {
    name: 'takes text in every script',
    async run(context) {
      const client = await context.open();
      const messages = Object.values(awkwardTexts).map((item) => said(`about ${item}`));
      await expectDone(context.script.bind(context, done), client, messages);
    },
  },
  {
    name: 'takes no messages, and messages without contents, or refuses them with an error of Minne',
    async run(context) {
      const client = await context.open();
      for (const messages of [[], [said()], [said('')], [said(), said('Well?')]]) {
        for (const [way, ask] of Object.entries(ways)) {
          await context.script(done);
          const before = context.received;
          const outcome = await settle(ask(client, messages));
          if (outcome.status === 'fulfilled') continue;
          expect(MinneError.isInstance(outcome.reason), `${way}: ${outcome.reason}`).toBe(true);
          // What was refused before it was sent has left the script as it was.
          if (context.received === before) await ask(client, [said('Well?')]);
        }
      }
    },
  },
];

const image: Content = { type: 'data', data: 'iVBORw0KGgo=', mediaType: 'image/png' };

async function expectDone(
  script: () => Promise<void>,
  client: Parameters<(typeof ways)['whole']>[0],
  messages: readonly ChatMessage[],
): Promise<void> {
  for (const [way, ask] of Object.entries(ways)) {
    await script();
    expect(textOf(await ask(client, messages)), way).toBe('Done.');
  }
}

function text(value: string): Content {
  return { type: 'text', text: value };
}

function toolResult(result: { callId: string; result: unknown; error?: string }): ChatMessage {
  return messageOf({ role: 'tool', contents: [{ type: 'tool_result', ...result } as Content] });
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) freeze(member);
    Object.freeze(value);
  }
  return value;
}

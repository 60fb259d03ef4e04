import type { ChatMessage, ChatOptions } from '@minne/core';
import { expect } from 'vitest';
import { messageOf, said, ways } from '../answers.js';
import type { ChatClientCase } from '../chat-client-case.js';
import type { ChatClientTestContext } from '../chat-client-test-context.js';

const weather = {
  name: 'get_weather',
  description: 'Tells of clouds and sunshine.',
  parameters: { type: 'object', properties: { harbour: { type: 'string' } } },
};

/** What the service is told. Words of ASCII are found in the body, however it is laid out. */
export const sendingCases: readonly ChatClientCase[] = [
  {
    name: 'sends the instructions, and every message once and in its order',
    needs: ['requests'],
    async run(context) {
      const messages = [
        said('firstQuestion'),
        messageOf({ role: 'assistant', contents: 'firstAnswer' }),
        said('secondQuestion', 'besideIt'),
      ];
      for (const [way, body] of await bodiesOf(context, messages, { instructions: 'kindWords' })) {
        expect(countsOf(body, ['kindWords']), way).toEqual([['kindWords', 1]]);
        const words = ['firstQuestion', 'firstAnswer', 'secondQuestion', 'besideIt'];
        expect(countsOf(body, words), way).toEqual(words.map((word) => [word, 1]));
        const places = words.map((word) => body.indexOf(word));
        expect(places, `${way}: the order of the messages`).toEqual(places.toSorted(upwards));
      }
    },
  },
  {
    name: 'sends the name, the description and the parameters of a tool',
    needs: ['requests', 'toolCalls'],
    async run(context) {
      for (const [way, body] of await bodiesOf(context, [said('Well?')], { tools: [weather] })) {
        for (const word of [weather.name, weather.description, 'harbour']) {
          expect(body, way).toContain(word);
        }
      }
    },
  },
  {
    name: 'sends each call with its arguments, and each result with the id of its own call',
    needs: ['requests', 'toolCalls'],
    async run(context) {
      const call = { type: 'tool_call', name: weather.name } as const;
      const messages = [
        said('Well?'),
        messageOf({
          role: 'assistant',
          contents: [
            { ...call, callId: 'call_one', arguments: '{"harbour":"Visby"}' },
            { ...call, callId: 'call_two', arguments: '{"harbour":"Lund"}' },
          ],
        }),
        messageOf({
          role: 'tool',
          contents: [
            { type: 'tool_result', callId: 'call_one', result: 'rainInVisby' },
            { type: 'tool_result', callId: 'call_two', result: null, error: 'noHarbourInLund' },
          ],
        }),
      ];
      for (const [way, body] of await bodiesOf(context, messages, { tools: [weather] })) {
        const once = ['rainInVisby', 'noHarbourInLund'];
        expect(countsOf(body, once), way).toEqual(once.map((word) => [word, 1]));
        expect(body, way).toMatch(/harbour\W+Visby.*harbour\W+Lund/s);
        // A service that has no ids goes by the order alone.
        const first = ['call_one', 'rainInVisby'].map((word) => body.lastIndexOf(word));
        const second = ['call_two', 'noHarbourInLund'].map((word) => body.lastIndexOf(word));
        expect(
          Math.max(...first) < Math.min(...second.filter((found) => found >= 0)),
          `${way}: rainInVisby stands with call_one, noHarbourInLund with call_two, in:\n${body}`,
        ).toBe(true);
      }
    },
  },
];

async function bodiesOf(
  context: ChatClientTestContext,
  messages: readonly ChatMessage[],
  options: ChatOptions,
): Promise<readonly (readonly [string, string])[]> {
  const client = await context.open();
  const bodies: (readonly [string, string])[] = [];
  for (const [way, ask] of Object.entries(ways)) {
    await context.script({ kind: 'answer', text: 'Done.' });
    await ask(client, messages, options);
    bodies.push([way, context.sent]);
  }
  return bodies;
}

/** How often each word stands in the body. */
function countsOf(body: string, words: readonly string[]) {
  return words.map((word) => [word, body.split(word).length - 1] as const);
}

function upwards(one: number, other: number): number {
  return one - other;
}

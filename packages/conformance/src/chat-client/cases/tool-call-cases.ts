import type { ChatOptions, ToolDefinition } from '@minne/core';
import { expect } from 'vitest';
import { askStreamed, askWhole, type PlainAnswer, said, textOf, ways } from '../answers.js';
import type { ChatClientCase } from '../chat-client-case.js';

const weather: ToolDefinition = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};

const options: ChatOptions = { tools: [weather] };

/** What models write for arguments. */
const argumentTexts = [
  '{"city":"Umeå"}',
  '{ "city" :\n  "Ume\\u00e5",  "n": 1.0, "n": 1e3 }',
  '{"city":"将棋 🙂 \\"quoted\\" \\\\ </tool_call>"}',
  '{"city":"cut off here',
  'no JSON at all',
  '{}',
];

/** Calls of tools. */
export const toolCallCases: readonly ChatClientCase[] = [
  {
    name: 'gives a tool call with its id, its name and its arguments letter by letter',
    needs: ['toolCalls'],
    async run(context) {
      const client = await context.open();
      for (const [index, text] of argumentTexts.entries()) {
        const call = { callId: `call_${index}`, name: 'get_weather', arguments: text };
        for (const [way, ask] of Object.entries(ways)) {
          await context.script({ kind: 'answer', toolCalls: [call] });
          const answer = await ask(client, [said('And the weather?')], options);
          expect(callsOf(answer), way).toEqual([{ type: 'tool_call', ...call }]);
          expect(answer.finishReason, way).toBe('tool_calls');
        }
      }
    },
  },
  {
    name: 'gives parallel calls in their order, each with its own arguments',
    needs: ['toolCalls'],
    async run(context) {
      const toolCalls = ['Umeå', 'Lund', 'Visby'].map((city, index) => ({
        callId: `call_${'abc'.charAt(index)}`,
        name: 'get_weather',
        arguments: JSON.stringify({ city }),
      }));
      const answer = { kind: 'answer', toolCalls } as const;
      const client = await context.scripted(answer, answer);
      const whole = await askWhole(client, [said('And the weather?')], options);
      expect(callsOf(whole)).toEqual(toolCalls.map((call) => ({ type: 'tool_call', ...call })));
      expect(await askStreamed(client, [said('And the weather?')], options)).toEqual(whole);
    },
  },
  {
    name: 'puts the pieces of parallel calls together that come in turns',
    needs: ['toolCalls', 'interleavedToolCalls'],
    async run(context) {
      const toolCalls = ['Umeå', 'a city with a very long name', 'Lund'].map((city, index) => ({
        callId: `call_${index}`,
        name: 'get_weather',
        arguments: JSON.stringify({ city, days: index }),
      }));
      const client = await context.scripted({ kind: 'answer', toolCalls, interleaved: true });
      const answer = await askStreamed(client, [said('And the weather?')], options);
      expect(callsOf(answer)).toEqual(toolCalls.map((call) => ({ type: 'tool_call', ...call })));
    },
  },
  {
    name: 'gives text and calls of one answer',
    needs: ['toolCalls'],
    async run(context) {
      const call = { callId: 'call_1', name: 'get_weather', arguments: '{"city":"Lund"}' };
      const answer = { kind: 'answer', text: 'I will look.', toolCalls: [call] } as const;
      const client = await context.scripted(answer, answer);
      const whole = await askWhole(client, [said('And the weather?')], options);
      expect(textOf(whole)).toBe('I will look.');
      expect(callsOf(whole)).toEqual([{ type: 'tool_call', ...call }]);
      expect(await askStreamed(client, [said('And the weather?')], options)).toEqual(whole);
    },
  },
];

function callsOf({ messages }: PlainAnswer) {
  return messages.flatMap(({ contents }) => contents.filter(({ type }) => type === 'tool_call'));
}

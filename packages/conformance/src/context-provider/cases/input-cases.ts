import type { ChatMessageInit, Content, MessageInput } from '@minne/core';
import { expect } from 'vitest';
import { awkwardTexts } from '../../shared/sample-texts.js';
import type { ContextProviderCase } from '../context-provider-case.js';
import { converse } from '../provider-test-context.js';

const image: Content = { type: 'data', data: 'iVBORw0KGgo=', mediaType: 'image/png' };

/** A content of a later version, as it may come out of a store. */
const unknown = JSON.parse('{"type":"hologram","beam":[1,2]}') as Content;

const call: Content = { type: 'tool_call', callId: 'c1', name: 'look', arguments: '{"at":' };

/** What may be said to an agent. */
const inputs: Readonly<Record<string, MessageInput>> = {
  'nothing at all': { role: 'user', contents: [] },
  'an empty text': '',
  'only white space': ' \n\u200b\t ',
  'an image without text': { role: 'user', contents: [image] },
  'a content that nobody knows': { role: 'user', contents: [unknown] },
  'several messages': ['one', 'two', { role: 'user', contents: 'three', authorName: 'Kim' }],
  'no message': [],
  'a whole transcript, with a call that was cut': [
    { role: 'system', contents: 'Be brief.' },
    { role: 'user', contents: 'Look!' },
    { role: 'assistant', contents: [{ type: 'reasoning', text: 'hm' }, call] },
    { role: 'tool', contents: [{ type: 'tool_result', callId: 'c1', result: { seen: [null] } }] },
    { role: 'user', contents: 'And?' },
  ],
  'a text of 64 KiB': `${'word wörter 将棋 '.repeat(4_096)}`.slice(0, 65_536),
  punctuation: `@@@ *** () "" --- ' OR 1=1; {{x}} </notes> <|im_end|> \\`,
};

/** Taking whatever is said. */
export const inputCases: readonly ContextProviderCase[] = [
  {
    name: 'takes input of every shape, and input after it',
    async run(context) {
      for (const [name, input] of Object.entries(inputs)) {
        const world = await context.world();
        const { agent, warnings } = await world.agent();
        const session = agent.createSession({ sessionId: 'session', actorId: 'kim' });
        await converse(agent, session, [input, 'What did I say?']);
        expect(warnings, name).toEqual([]);
        const [first, second] = world.model.requests;
        for (const text of textsOf(input)) {
          expect(JSON.stringify(first?.messages), name).toContain(JSON.stringify(text));
        }
        expect(JSON.stringify(second?.messages), name).toContain('What did I say?');
      }
    },
  },
  {
    name: 'takes text in every script, and hands it to the model unchanged',
    async run(context) {
      const world = await context.world();
      const { agent, warnings } = await world.agent();
      const session = agent.createSession({ sessionId: 'session', actorId: 'kim' });
      for (const [name, text] of Object.entries(awkwardTexts)) {
        await converse(agent, session, [`about ${text}`]);
        const sent = JSON.stringify(world.model.requests.at(-1)?.messages);
        expect(sent, name).toContain(JSON.stringify(`about ${text}`));
      }
      expect(warnings).toEqual([]);
    },
  },
];

function textsOf(input: MessageInput): string[] {
  const items: readonly (string | ChatMessageInit)[] = Array.isArray(input) ? input : [input];
  return items.flatMap((item) => {
    const contents = typeof item === 'string' ? item : item.contents;
    if (typeof contents === 'string') return [contents];
    return contents.flatMap((content) => (content.type === 'text' ? [content.text] : []));
  });
}

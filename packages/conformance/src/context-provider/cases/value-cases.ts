import { type ChatMessage, defineTool, sourceMetadataKey } from '@minne/core';
import { expect } from 'vitest';
import type { ContextProviderCase } from '../context-provider-case.js';
import { converse, type TestAgent } from '../provider-test-context.js';
import { usualAnswer } from '../recording-chat-client.js';

/** Adding by returning, and leaving everything else alone. */
export const valueCases: readonly ContextProviderCase[] = [
  {
    name: 'changes nothing of a run: neither input nor history nor what came of it',
    async run(context) {
      const test = await (await context.world()).agent();
      await converseInSession(test);
      const [before, after] = test.probes.map(({ sights }) => sights);
      expect(after?.map(({ hook, run }) => ({ hook, run }))).toEqual(
        before?.map(({ hook, run }) => ({ hook, run })),
      );
    },
  },
  {
    name: 'changes nothing of a session but its own slot',
    async run(context) {
      const test = await (await context.world()).agent();
      const session = await converseInSession(test);
      const [before, after] = test.probes.map(({ sights }) => sights);
      expect(before?.length, 'it was called before and after three runs').toBe(6);
      expect(after?.map(({ otherSlots }) => otherSlots)).toEqual(
        before?.map(({ otherSlots }) => otherSlots),
      );
      const { sourceId } = test.provider;
      const known = ['kit_history', 'kit_probe_before', 'kit_probe_after', sourceId];
      expect(Object.keys(session.state).filter((name) => !known.includes(name))).toEqual([]);
    },
  },
  {
    name: 'adds nothing to what is stored: the input as it came and the answers, each once',
    async run(context) {
      const test = await (await context.world()).agent();
      const session = await converseInSession(test);
      const { messages } = await test.history.getMessages(session);
      expect(messages.map(plain)).toEqual(
        ['one', 'two', 'three'].flatMap((text) => [
          { role: 'user', contents: [{ type: 'text', text }] },
          { role: 'assistant', contents: [{ type: 'text', text: usualAnswer }] },
        ]),
      );
    },
  },
  {
    name: 'speaks to the model neither as system nor as developer',
    unless: ['systemMessages'],
    async run(context) {
      const world = await context.world();
      const test = await world.agent();
      await converseInSession(test);
      const injected = world.model.requests
        .flatMap(({ messages }) => messages)
        .filter(({ metadata }) => metadata?.[sourceMetadataKey] === test.provider.sourceId);
      for (const { role } of injected) {
        expect(['user', 'assistant'], 'the role of an injected message').toContain(role);
      }
    },
  },
  {
    name: 'adds tools, if any, that do not get in the way of those of the agent',
    async run(context) {
      const world = await context.world();
      const calls: unknown[] = [];
      const tool = defineTool({
        name: 'look_out',
        description: 'Looks out of the window.',
        parameters: { type: 'object', properties: {} },
        execute: (input) => {
          calls.push(input);
          return 'rain';
        },
      });
      const test = await world.agent({ tools: [tool] });
      const session = test.agent.createSession({ sessionId: 'session', actorId: 'kim' });
      const call = {
        type: 'tool_call',
        callId: 'call_1',
        name: 'look_out',
        arguments: '{}',
      } as const;
      for (let turn = 1; turn <= 2; turn++) {
        world.model.script([call]);
        await converse(test.agent, session, ['What is the weather like?']);
        expect(calls.length, 'the tool of the agent was run').toBe(turn);
      }
      const { messages } = await test.history.getMessages(session);
      expect(messages.map(({ role }) => role)).toEqual(
        Array.from({ length: 2 }, () => ['user', 'assistant', 'tool', 'assistant']).flat(),
      );
    },
  },
];

async function converseInSession({ agent }: TestAgent) {
  const session = agent.createSession({ sessionId: 'session', actorId: 'kim' });
  await converse(agent, session, ['one', 'two', 'three']);
  return session;
}

function plain({ role, contents }: ChatMessage): Pick<ChatMessage, 'role' | 'contents'> {
  return { role, contents };
}

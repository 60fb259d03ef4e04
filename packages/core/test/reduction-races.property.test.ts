import { Agent, HistoryProvider, messageText } from '@minne/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryBackend } from './memory-backend.js';
import { type Reply, ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import { SummarisingReducer } from './small-reducers.js';
import { objection } from './strict-service.js';

const key = { sessionId: 's', sourceId: 'history' };

/** Writes what another process says, and how often it has. */
function otherProcess(backend: MemoryBackend) {
  const said: string[] = [];
  const speak = async () => {
    const text = `other ${said.length}.`;
    said.push(text);
    const message = {
      id: text,
      role: 'user',
      contents: [{ type: 'text', text }],
      createdAt: '2026-05-01T10:00:00.000Z',
    };
    const payload = JSON.stringify(message);
    await backend.append(key, [{ v: 1, id: text, group: text, kind: 'user', payload }]);
  };
  return { said, speak };
}

describe('a history that others write to while it is reduced', () => {
  it.each(['afterMessageAdded', 'beforeMessagesRetrieval'] as const)(
    'loses nothing and sends nothing broken, %s',
    async (reducerTrigger) => {
      const turns = fc.array(fc.boolean(), { minLength: 3, maxLength: 10 });
      const moments = fc.uniqueArray(fc.nat({ max: 50 }), { maxLength: 25 });
      const size = fc.integer({ min: 1, max: 5 });
      const run = async (
        tools: readonly boolean[],
        when: readonly number[],
        target: number,
        slow: boolean,
      ) => {
        const backend = new MemoryBackend();
        const { said, speak } = otherProcess(backend);
        let count = 0;
        let speaking = false;
        const moment = async () => {
          if (speaking || !when.includes(count++)) return;
          speaking = true;
          await speak();
          speaking = false;
        };
        backend.before = moment;
        const reducer = new SummarisingReducer(target, 2);
        if (slow) reducer.before = moment;
        const provider = new HistoryProvider({ backend, reducer, reducerTrigger });
        const script = tools.flatMap((tool): Reply[] =>
          tool ? [[toolCall('a', 'none', {})], 'done'] : ['done'],
        );
        const chatClient = new ScriptedChatClient(script);
        const agent = new Agent({ chatClient, contextProviders: [provider] });
        let session = agent.createSession({ sessionId: 's' });
        const warned: string[] = [];
        for (const turn of tools.keys()) {
          const { warnings } = await agent.run(`turn ${turn}.`, { session });
          warned.push(...warnings.map(({ code }) => code));
          said.push(`turn ${turn}.`);
          session = agent.deserializeSession(agent.serializeSession(session));
        }
        for (const { messages } of chatClient.calls) {
          expect(objection(messages)).toBeUndefined();
          // All that is said is sent, word for word or in a summary, once.
          const sent = messages.map(messageText).join('\n');
          for (const text of said) expect(sent.split(text).length).toBeLessThanOrEqual(2);
        }
        backend.before = () => {};
        const stored = (await provider.getMessages(session)).messages;
        const all = stored.map(messageText).join('\n');
        for (const text of said) expect(all.split(text).length).toBe(2);
        expect(objection(stored)).toBeUndefined();
        expect(warned.filter((code) => code !== 'compaction_dropped')).toEqual([]);
      };
      await fc.assert(fc.asyncProperty(turns, moments, size, fc.boolean(), run), { numRuns: 150 });
    },
  );
});

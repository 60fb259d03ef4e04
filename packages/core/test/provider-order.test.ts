import { Agent, type ContextProvider, HistoryProvider, messageText } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { MemoryBackend } from './memory-backend.js';
import { ScriptedChatClient } from './scripted-chat-client.js';
import { ways } from './ways.js';

function setUp(hooks: Partial<ContextProvider>) {
  const backend = new MemoryBackend();
  const history = new HistoryProvider({ backend });
  const audit = new HistoryProvider({ backend, sourceId: 'audit', loadMessages: false });
  const other: ContextProvider = { specificationVersion: 'v1', sourceId: 'other', ...hooks };
  const chatClient = new ScriptedChatClient(['one', 'two']);
  const agent = new Agent({ chatClient, contextProviders: [other, history, audit] });
  const session = agent.createSession({ sessionId: 's' });
  const stored = async (provider = history) =>
    (await provider.getMessages(session)).messages.map(messageText);
  return { agent, audit, chatClient, session, stored };
}

describe.each(ways)('a provider that stands before the history, by $way', ({ ask }) => {
  it.each(['aborts', 'hangs until the run is aborted'])(
    'loses no input when it %s',
    async (how) => {
      const controller = new AbortController();
      const { agent, audit, session, stored, chatClient } = setUp({
        beforeRun: async () => {
          const abort = () => controller.abort(new Error('enough'));
          if (how !== 'aborts') {
            setTimeout(abort, 5);
            return new Promise(() => {});
          }
          abort();
          return undefined;
        },
      });
      await expect(ask(agent, 'hi', { session, signal: controller.signal })).rejects.toThrow(
        'enough',
      );
      expect(await stored()).toEqual(['hi']);
      expect(await stored(audit)).toEqual(['hi']);
      expect(chatClient.calls).toEqual([]);
    },
  );

  it('leaves nothing when it fails, since nothing was done', async () => {
    const { agent, session, stored } = setUp({
      beforeRun: async () => {
        throw new Error('offline');
      },
    });
    await expect(ask(agent, 'hi', { session })).rejects.toThrow('offline');
    expect(await stored()).toEqual([]);
  });

  it('may look at the history, and is told of the end in its place', async () => {
    const seen: string[] = [];
    const { agent, session, stored } = setUp({
      beforeRun: async ({ history }) => {
        seen.push(history.map(messageText).join());
        return undefined;
      },
      afterRun: async () => {
        seen.push(`${(await stored()).length} stored`);
      },
    });
    await ask(agent, '1', { session });
    await ask(agent, '2', { session });
    expect(seen).toEqual(['', '0 stored', '1,one', '2 stored']);
  });
});

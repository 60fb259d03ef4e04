import {
  Agent,
  type ChatClient,
  type ContextProvider,
  HistoryProvider,
  messageText,
  type RunContext,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import { MemoryBackend } from './memory-backend.js';
import { ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import { ways } from './ways.js';

/** What a program without types may do. */
// biome-ignore lint/suspicious/noExplicitAny: the point is that no type stands in the way.
type Unchecked = any;

function setUp(hooks: Partial<ContextProvider>, options: { readonly behind?: boolean } = {}) {
  const chatClient = new ScriptedChatClient(['one', 'two']);
  const history = new HistoryProvider({ backend: new MemoryBackend() });
  const odd: ContextProvider = { specificationVersion: 'v1', sourceId: 'odd', ...hooks };
  const agent = new Agent({
    chatClient,
    contextProviders: options.behind === true ? [history, odd] : [odd, history],
  });
  const session = agent.createSession();
  const stored = async () => (await history.getMessages(session)).messages.map(messageText);
  return { agent, chatClient, session, stored };
}

describe.each(ways)('a provider, by $way', ({ ask }) => {
  it.each<[string, (context: RunContext) => void]>([
    ['a message of the input', ({ input }: Unchecked) => (input[0].contents[0].text = 'changed')],
    ['the list of the input', ({ input }: Unchecked) => input.push(input[0])],
    ['the ids of the input', ({ callerIds }: Unchecked) => callerIds.push('x')],
    ['a message of the history', ({ history }: Unchecked) => (history[0].contents.length = 0)],
    ['the list of the history', ({ history }: Unchecked) => (history.length = 0)],
  ])('cannot change %s', async (_what, change) => {
    let armed = false;
    const { agent, session, chatClient, stored } = setUp(
      {
        beforeRun: async (context) => {
          if (armed) expect(() => change(context)).toThrow(TypeError);
          return undefined;
        },
      },
      { behind: true },
    );
    await ask(agent, 'first', { session });
    armed = true;
    await ask(agent, 'second', { session });
    expect(chatClient.calls[1]?.messages.map(messageText)).toEqual(['first', 'one', 'second']);
    expect(await stored()).toEqual(['first', 'one', 'second', 'two']);
  });

  it.each<[string, (output: Unchecked) => void]>([
    ['a message', (output) => (output[0].contents[0].text = 'changed')],
    ['the list', (output) => (output.length = 0)],
  ])('cannot change %s of the output before others store it', async (_what, change) => {
    const { agent, session, stored } = setUp({
      afterRun: async (_context, outcome) => {
        if (outcome.status === 'completed') {
          expect(() => change(outcome.output)).toThrow(TypeError);
        }
      },
    });
    expect((await ask(agent, 'first', { session })).text).toBe('one');
    expect(await stored()).toEqual(['first', 'one']);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['members that are undefined', { instructions: undefined, messages: undefined }],
    ['an empty instruction', { instructions: '' }],
  ])('may contribute %s', async (_what, contribution) => {
    const { agent, session, chatClient } = setUp({
      beforeRun: async () => contribution as Unchecked,
    });
    expect((await ask(agent, 'first', { session })).text).toBe('one');
    expect(chatClient.calls[0]?.options).not.toHaveProperty('instructions');
  });

  it.each([undefined, null, 'no', Object.create(null), new Proxy({}, { get: () => unheard() })])(
    'may throw anything after the run, and the answer is not lost',
    async (thrown) => {
      const { agent, session, stored } = setUp({
        afterRun: async () => {
          throw thrown;
        },
      });
      await expect(ask(agent, 'first', { session })).rejects.toMatchObject({
        code: 'after_run_failed',
        response: { text: 'one' },
      });
      expect(await stored()).toEqual(['first', 'one']);
    },
  );

  it('that warns does not end the run when the application’s callback throws', async () => {
    const agent = new Agent({
      chatClient: new ScriptedChatClient(['one']),
      contextProviders: [
        {
          specificationVersion: 'v1',
          sourceId: 'odd',
          beforeRun: async ({ warn }) => {
            warn({ code: 'slow_index', message: 'It took long.' });
            return undefined;
          },
        },
      ],
      onDiagnostic: () => {
        throw new Error('The log is full.');
      },
    });
    const { text, warnings } = await ask(agent, 'first');
    expect(text).toBe('one');
    expect(warnings).toEqual([
      { code: 'slow_index', message: 'It took long.', sourceId: 'odd' },
      { code: 'diagnostic_failed', message: 'The log is full.' },
    ]);
  });
});

function unheard(): never {
  throw new Error('unheard');
}

describe.each(ways)('a chat client, by $way', ({ ask }) => {
  /** Answers with these contents as they are. */
  function answering(contents: readonly unknown[], seen: (messages: Unchecked) => void = () => {}) {
    let asked = 0;
    const next = (messages: Unchecked): Unchecked => {
      seen(messages);
      return asked++ === 0 ? contents : [{ type: 'text', text: 'end' }];
    };
    const client: ChatClient = {
      specificationVersion: 'v1',
      historyStorage: 'none',
      getResponse: async (messages) => ({
        messages: [{ role: 'assistant', contents: next(messages) }],
      }),
      async *getStreamingResponse(messages) {
        yield { contents: next(messages) };
      },
    };
    return client;
  }

  it.each([
    ['arguments that are no text', { type: 'tool_call', callId: 'a', name: 't', arguments: {} }],
    ['a call without an id', { type: 'tool_call', name: 't', arguments: '{}' }],
    ['text that is none', { type: 'text', text: null }],
    ['what JSON cannot carry', { type: 'text', text: 'x', metadata: { tokens: 1n } }],
  ])('is told of %s before anything of it is run or stored', async (_what, content) => {
    const history = new HistoryProvider({ backend: new MemoryBackend() });
    const agent = new Agent({ chatClient: answering([content]), contextProviders: [history] });
    const session = agent.createSession();
    await expect(ask(agent, 'go', { session })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('the answer of the chat client'),
    });
    expect((await history.getMessages(session)).messages).toEqual([]);
  });

  it('cannot change what it is sent', async () => {
    const counts: number[] = [];
    const client = answering([toolCall('a', 'missing', {})], (messages) => {
      counts.push(messages.length);
      expect(() => messages.pop()).toThrow(TypeError);
    });
    await ask(new Agent({ chatClient: client }), 'go');
    expect(counts).toEqual([1, 3]);
  });
});

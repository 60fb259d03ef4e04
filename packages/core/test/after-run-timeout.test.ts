import {
  AfterRunError,
  AfterRunTimeoutError,
  Agent,
  type ContextProvider,
  HistoryProvider,
  messageText,
  type RunOutcome,
  UnfinishedRunError,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import { MemoryBackend } from './memory-backend.js';
import { ScriptedChatClient } from './scripted-chat-client.js';
import { SummarisingReducer } from './small-reducers.js';
import { ways } from './ways.js';

const never = new Promise<void>(() => {});

function setUp(
  hang: (signal: AbortSignal, outcome: RunOutcome) => Promise<void>,
  aborting = false,
) {
  const controller = new AbortController();
  const chatClient = new ScriptedChatClient([
    () => {
      if (aborting) controller.abort(new Error('enough'));
      return 'one';
    },
    'two',
  ]);
  const backend = new MemoryBackend();
  const history = new HistoryProvider({ backend });
  const hanging: ContextProvider = {
    specificationVersion: 'v1',
    sourceId: 'hanging',
    afterRun: (_context, outcome, { signal }) => hang(signal, outcome),
  };
  const agent = new Agent({
    chatClient,
    contextProviders: [hanging, history],
    afterRunTimeout: 20,
  });
  const session = agent.createSession({ sessionId: 's' });
  const stored = async () => (await history.getMessages(session)).messages.map(messageText);
  return { agent, session, stored, signal: controller.signal };
}

describe.each(ways)('a provider that hangs after the run, by $way', ({ ask }) => {
  it('is left to itself: the answer is there, the others store, and the session is free', async () => {
    let told: AbortSignal | undefined;
    let first = true;
    const { agent, session, stored } = setUp((signal) => {
      if (!first) return Promise.resolve();
      [told, first] = [signal, false];
      return never;
    });
    const error = await ask(agent, 'hi', { session }).catch((reason: unknown) => reason);
    if (!AfterRunError.isInstance(error)) throw error;
    expect(error.response.text).toBe('one');
    expect(error.errors).toEqual([expect.any(AfterRunTimeoutError)]);
    expect(error.errors[0]).toMatchObject({ sourceId: 'hanging', field: 'afterRunTimeout' });
    expect(told?.reason).toBe(error.errors[0]);
    expect(await stored()).toEqual(['hi', 'one']);
    expect((await ask(agent, 'more', { session })).text).toBe('two');
  });

  it('stores what there is of an aborted run within the time, not under the signal of the run', async () => {
    let aborted: boolean | undefined;
    const { agent, session, stored, signal } = setUp(async (given) => {
      aborted = given.aborted;
    }, true);
    await expect(ask(agent, 'hi', { session, signal })).rejects.toThrow('enough');
    expect(aborted).toBe(false);
    expect(await stored()).toEqual(['hi']);
  });

  it('is told of beside what ended an unfinished run', async () => {
    const { agent, session, stored, signal } = setUp(() => never, true);
    const error = await ask(agent, 'hi', { session, signal }).catch((reason: unknown) => reason);
    if (!UnfinishedRunError.isInstance(error)) throw error;
    expect(error.errors).toEqual([expect.any(AfterRunTimeoutError)]);
    expect(await stored()).toEqual(['hi']);
  });
});

describe('afterRunTimeout', () => {
  it('bounds a compaction too, which is dropped then', async () => {
    const backend = new MemoryBackend();
    const reducer = new SummarisingReducer(1);
    reducer.before = () => never;
    const agent = new Agent({
      chatClient: new ScriptedChatClient(['one', 'two']),
      contextProviders: [
        new HistoryProvider({ backend, reducer, reducerTrigger: 'afterMessageAdded' }),
      ],
      afterRunTimeout: 20,
    });
    const session = agent.createSession({ sessionId: 's' });
    const { text, warnings } = await agent.run('hi', { session });
    expect(text).toBe('one');
    expect(warnings).toMatchObject([
      { code: 'compaction_dropped', message: expect.stringContaining('afterRunTimeout') },
    ]);
    // Nor does a store that hangs while it compacts hold the session.
    reducer.before = () => {};
    backend.before = (verb) => (verb === 'replace' ? never : undefined);
    expect((await agent.run('more', { session })).warnings).toMatchObject([
      { code: 'compaction_dropped' },
    ]);
  });

  it.each([0, -1, 1.5, Number.NaN, 2 ** 31])('is not %s', (afterRunTimeout) => {
    const chatClient = new ScriptedChatClient([]);
    expect(() => new Agent({ chatClient, afterRunTimeout })).toThrow(
      expect.objectContaining({ code: 'configuration', field: 'afterRunTimeout' }),
    );
    expect(new Agent({ chatClient, afterRunTimeout: Number.POSITIVE_INFINITY })).toBeDefined();
  });
});

import { Agent, ConfigurationError, defineTool, InvalidInputError } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { ScriptedChatClient } from './scripted-chat-client.js';

/** What a program without types may hand over. */
const anything = (value: unknown): never => value as never;

const agent = (options: object = {}) =>
  new Agent(anything({ chatClient: new ScriptedChatClient(['Hello.']), ...options }));

describe('without the help of types', () => {
  it.each([
    ['nothing', undefined, 'chatClient'],
    ['no chat client', {}, 'chatClient'],
    ['no contract in the chat client', { chatClient: 'gpt-4.1-mini' }, 'chatClient'],
  ])('an agent with %s is refused when it is built', (_what, options, field) => {
    expect(() => new Agent(anything(options))).toThrow(
      expect.objectContaining({ code: 'configuration', field }),
    );
  });

  it.each([
    ['that is no list', { sourceId: 'notes' }],
    ['without a name', [{}]],
    ['that is nothing', [undefined]],
  ])('a context provider %s is refused when the agent is built', (_what, contextProviders) => {
    expect(() => agent({ contextProviders })).toThrow(ConfigurationError);
  });

  it.each([
    ['an id', 'chat-7'],
    ['an empty object', {}],
    ['null', null],
  ])('%s in place of a session is refused, with the remedy', async (_what, session) => {
    const run = agent().run('Hello', { session: anything(session) });
    await expect(run).rejects.toThrow(/createSession/);
    await expect(run).rejects.toBeInstanceOf(InvalidInputError);
  });

  it.each([undefined, null, 5])(
    '%s in place of a message is refused, with the remedy',
    async (input) => {
      const run = agent().run(anything(input));
      await expect(run).rejects.toThrow(/A message is .*role: 'user'/);
      await expect(run).rejects.toBeInstanceOf(InvalidInputError);
    },
  );

  it('a tool without parameters is refused, with the remedy', () => {
    const options = { name: 'now', description: 'Tells the time.', execute: () => 0 };
    expect(() => defineTool(anything(options))).toThrow(/now has no parameters.*type: 'object'/);
  });
});

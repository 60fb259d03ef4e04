import type { ChatMessage, ChatReducer } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { conversation, restarted, say } from './reduced-conversation.js';
import { toolCall } from './scripted-chat-client.js';
import { countingReducer, lawlessReducer, SummarisingReducer } from './small-reducers.js';
import { outline } from './ways.js';

describe('a view of the history, when something is wrong,', () => {
  it.each([
    ['one that somebody spoilt', { v: 1, kept: [{ reducer: 'test_summarising', through: 3 }] }, 1],
    ['one without a layout', 'none', 1],
    [
      'a message that is none',
      {
        v: 1,
        kept: [
          { reducer: 'test_summarising', through: { sequence: 1, id: 'x' }, kept: [], made: [{}] },
        ],
      },
      1,
    ],
  ])('works it out again when the session holds %s', async (_, reduction, written) => {
    const reducer = new SummarisingReducer(3, 4);
    const { agent, session, sent } = conversation({ reducer });
    await say(agent, session, 1, 4);
    Object.assign(session.state['history'] ?? {}, { reduction });
    await say(agent, session, 5, 6);
    expect(sent().length).toBe(7);
    expect(reducer.written).toBe(written);
  });

  it('leaves alone what a newer version keeps, and says so', async () => {
    const reduction = { v: 2, more: true };
    const { agent, session, sent } = conversation({ reducer: countingReducer(2) });
    await say(agent, session, 1, 3);
    Object.assign(session.state['history'] ?? {}, { reduction });
    const { warnings } = await agent.run('4', { session });
    expect(warnings).toMatchObject([{ code: 'reduction_not_read', sourceId: 'history' }]);
    expect(sent()).toEqual(['3', 're: 3', '4']);
    expect(session.state['history']).toHaveProperty('reduction', reduction);
  });

  it('begins anew with a reducer of another kind', async () => {
    const first = conversation({ reducer: new SummarisingReducer(2) });
    await say(first.agent, first.session, 1, 4);
    const { backend, session } = first;
    const next = conversation({ reducer: countingReducer(4), backend });
    await say(next.agent, session, 5, 5);
    expect(next.sent()).toEqual(['3', 're: 3', '4', 're: 4', '5']);
  });

  it('goes on unreduced, with a warning, when the reducer fails', async () => {
    const reducer = new SummarisingReducer(3, 4);
    const told: string[] = [];
    const { agent, session, sent } = conversation({
      reducer,
      agent: { onDiagnostic: ({ code }) => told.push(code) },
    });
    await say(agent, session, 1, 4);
    reducer.before = () => {
      throw new Error('the summariser is offline');
    };
    const { warnings, text } = await agent.run('5', { session });
    expect(text).toBe('re: 5');
    expect(sent().length).toBe(9);
    expect(warnings).toMatchObject([{ code: 'reducer_failed', sourceId: 'history' }]);
    expect(warnings[0]?.message).toContain('the summariser is offline');
    expect(told).toEqual(['reducer_failed']);
    reducer.before = () => {};
    await agent.run('6', { session });
    expect(sent()[0]).toContain('<summary>1;');
  });

  const summary = (more: Partial<ChatMessage>): ChatMessage => ({
    id: 'x',
    role: 'user',
    contents: [{ type: 'text', text: 'All of it.' }],
    createdAt: '2026-05-01T10:00:00.000Z',
    metadata: { 'minne.summary': true },
    ...more,
  });
  it.each<[string, ChatReducer]>([
    ['out of order', lawlessReducer((messages) => messages.toReversed())],
    ['left nothing', lawlessReducer((messages) => messages.slice(0, 1))],
    ['took away the system message', lawlessReducer((messages) => messages.slice(1))],
    [
      'neither one it was given nor a summary',
      lawlessReducer((all) => [...all, summary({ metadata: {} })]),
    ],
    ['a summary is a user message', lawlessReducer((all) => [summary({ role: 'system' }), ...all])],
    ['a summary of nothing', lawlessReducer((all) => [summary({}), ...all])],
    ['has no contents', lawlessReducer(() => [Object.assign(summary({}), { contents: 3 })])],
    [
      'what it must leave alone',
      lawlessReducer((all) => all.map((message) => ({ ...message, role: 'user' }))),
    ],
    ['reading', lawlessReducer((all) => all, { messages: JSON.parse('null') })],
    ['warnings that are none', lawlessReducer((all) => all, { warnings: JSON.parse('[null]') })],
    ['warnings that are none', lawlessReducer((all) => all, { warnings: JSON.parse('"text"') })],
    ['reports that are none', lawlessReducer((all) => all, { reports: JSON.parse('[null]') })],
    ['reports that are none', lawlessReducer((all) => all, { reports: JSON.parse('{}') })],
  ])('does not follow a reducer that breaks a law: %s', async (problem, reducer) => {
    const { agent, session, sent } = conversation({ reducer });
    await agent.run([{ role: 'system', contents: 'rules' }, '1'], { session });
    const { warnings } = await agent.run('2', { session });
    expect(warnings).toMatchObject([{ code: 'reducer_failed' }]);
    if (problem !== 'reading') expect(warnings[0]?.message).toContain(problem);
    expect(sent()).toEqual(['rules', '1', 're: 1', '2']);
  });

  it.each(['tool', 'assistant'])(
    'follows no reducer that takes away the %s side of a call',
    async (role) => {
      const reducer = lawlessReducer((messages) =>
        messages.filter(
          (message) =>
            message.role !== role ||
            message.contents.every(({ type }) => !type.startsWith('tool_')),
        ),
      );
      const { agent, session, script, chatClient } = conversation({ reducer });
      script.push([toolCall('a', 'work', {})], 'done');
      await agent.run('1', { session });
      const { warnings } = await agent.run('2', { session });
      expect(warnings).toMatchObject([
        { code: 'reducer_failed', message: expect.stringContaining('parted the tool call a') },
      ]);
      expect(outline(chatClient.calls.at(-1)?.messages ?? [])).toContain(
        'tool: result a "a long result"',
      );
    },
  );

  it('keeps system messages where they are', async () => {
    const { agent, session, sent } = conversation({ reducer: new SummarisingReducer(2, 1) });
    await agent.run([{ role: 'system', contents: 'one' }, '1'], { session });
    await agent.run([{ role: 'developer', contents: 'two' }, '2'], { session });
    await say(agent, restarted(agent, session), 3, 4);
    expect(sent().filter((text) => ['one', 'two'].includes(text))).toEqual(['one', 'two']);
    expect(sent()[0]).toBe('one');
    expect(sent()).toContain('4');
  });
});

import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type AgentSession, approvalResponse, defineTool } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Reply, ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import { outline, ways } from './ways.js';

/** An agent whose model's service keeps the history: it is sent only what it does not have. */
function setUp(replies: readonly Reply[], maxToolRounds = 5) {
  const paid: unknown[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    parameters: z.object({}),
    requiresApproval: true,
    execute: (_, { callId }) => {
      paid.push(callId);
      return 'paid';
    },
  });
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    parameters: z.object({}),
    execute: () => 'seen',
  });
  const chatClient = new ScriptedChatClient(replies, {
    historyStorage: 'optional',
    storesByDefault: true,
  });
  const agent = new Agent({ chatClient, tools: [pay, look], maxToolRounds });
  const sent = () =>
    chatClient.calls.map(({ messages, options }) => [
      options.serviceSessionId,
      ...outline(messages),
    ]);
  return { agent, paid, sent, session: agent.createSession() };
}

const offline = () => {
  throw new Error('offline');
};
const pay = (callId: string) => toolCall(callId, 'pay', {});
const look = (callId: string) => toolCall(callId, 'look', {});

describe.each(ways)('a conversation at the service, by $way', ({ ask }) => {
  it('is sent every result it asked for, when some of the calls waited for approval', async () => {
    const { agent, session, sent, paid } = setUp([[pay('a'), look('b'), pay('c')], 'ok']);
    const first = await ask(agent, 'go', { session });
    const [a, c] = first.approvalRequests;
    if (a === undefined || c === undefined) throw new Error('two requests were expected');
    const resumed = agent.deserializeSession(
      JSON.parse(JSON.stringify(agent.serializeSession(session))),
    );
    const half = await ask(agent, approvalResponse(c, true), { session: resumed });
    expect(half.approvalRequests).toEqual([a]);
    await ask(agent, approvalResponse(a, false), { session: resumed });
    expect(paid).toEqual(['c']);
    expect(sent()).toEqual([
      [undefined, 'user: go'],
      [
        'response_1',
        'tool: result b "seen"',
        'tool: result c "paid"',
        expect.stringContaining('result a The user did not allow'),
      ],
    ]);
    expect(resumed.state).toEqual({});
  });

  it('tells calls apart that share an id', async () => {
    const { agent, session, sent, paid } = setUp([[look('a'), pay('a')], 'ok']);
    const { approvalRequests } = await ask(agent, 'go', { session });
    await ask(
      agent,
      approvalRequests.map((request) => approvalResponse(request, true)),
      { session },
    );
    expect(paid).toEqual(['a']);
    expect(sent()[1]).toEqual(['response_1', 'tool: result a "seen"', 'tool: result a "paid"']);
  });

  it('runs an approved call once, though the model fails and the answer is given again', async () => {
    const { agent, session, sent, paid } = setUp([[pay('a')], offline, 'ok']);
    const { approvalRequests } = await ask(agent, 'go', { session });
    const answers = approvalRequests.map((request) => approvalResponse(request, true));
    await expect(ask(agent, answers, { session })).rejects.toThrow('offline');
    expect((await ask(agent, answers, { session })).text).toBe('ok');
    expect(paid).toEqual(['a']);
    expect(sent()[2]).toEqual(['response_1', 'tool: result a "paid"']);
  });

  it('is sent the results of a run that failed with the next one', async () => {
    const { agent, session, sent } = setUp([[look('a')], offline, 'ok', 'ok']);
    await expect(ask(agent, 'go', { session })).rejects.toThrow('offline');
    await ask(agent, 'again', { session });
    await ask(agent, 'more', { session });
    expect(sent().slice(2)).toEqual([
      ['response_1', 'tool: result a "seen"', 'user: again'],
      ['response_2', 'user: more'],
    ]);
  });

  it('is told that calls were not run for which no round was left', async () => {
    const { agent, session, sent } = setUp([[look('a')], [look('b')], 'ok'], 1);
    await ask(agent, 'go', { session });
    await ask(agent, 'on', { session });
    expect(sent()[2]).toEqual([
      'response_2',
      expect.stringContaining('result b This call was not run'),
      'user: on',
    ]);
  });

  it('goes on from the last answer that was whole', async () => {
    const { agent, session, sent } = setUp(['one', () => delay(1000, 'two'), 'three']);
    await ask(agent, 'go', { session });
    const signal = AbortSignal.timeout(10);
    await expect(ask(agent, 'on', { session, signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await ask(agent, 'again', { session });
    expect(sent()[2]).toEqual(['response_1', 'user: again']);
  });
});

it('a stream that is left does not move the conversation to the answer that was cut', async () => {
  const { agent, session, sent } = setUp(['one', 'a long answer', 'three']);
  await agent.run('go', { session });
  for await (const event of agent.runStream('on', { session })) {
    if (event.type === 'text-delta') break;
  }
  expect(session.serviceSessionId).toBe('response_1');
  await agent.run('again', { session });
  expect(sent()[2]).toEqual(['response_1', 'user: again']);
});

it.each([
  [{ v: 1, requests: 'none' }, 'session.state.minne.service has no contents'],
  [{ v: 2, requests: [] }, 'layout 2'],
])('what is pending in a session is refused when it is %j', async (slot, text) => {
  const { agent } = setUp(['one']);
  const session: AgentSession = { sessionId: 's', state: { 'minne.service': slot } };
  await expect(agent.run('go', { session })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining(text),
  });
});

import {
  Agent,
  type AgentOptions,
  type AgentSession,
  approvalResponse,
  defineTool,
  HistoryProvider,
  type MessageInput,
  type RunOptions,
  SessionHistoryBackend,
} from '@minne/core';
import type { OpenAIWireServer, ResponseReply } from '@minne/openai-wire';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apiKey, failureOf, responsesClientOf, startWire } from './wire-fixture.js';

let server: OpenAIWireServer;
let executed: string[];
beforeEach(async () => {
  server = await startWire();
  executed = [];
});
afterEach(() => server.close());

const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => {
    executed.push('add');
    return a + b;
  },
});
const pay = defineTool({
  name: 'pay',
  description: 'Pays an amount.',
  parameters: z.object({ amount: z.number() }),
  requiresApproval: true,
  execute: ({ amount }) => {
    executed.push(`pay ${amount}`);
    return `paid ${amount}`;
  },
});

function agentOf(options: Partial<AgentOptions> = {}): Agent {
  return new Agent({
    chatClient: responsesClientOf(server, { modelId: 'gpt-5-test' }),
    instructions: 'Be kind.',
    tools: [add, pay],
    ...options,
  });
}

type Run = (
  agent: Agent,
  input: MessageInput,
  options: RunOptions,
) => Promise<Awaited<ReturnType<Agent['run']>>>;

const whole: Run = (agent, input, options) => agent.run(input, options);
const streamed: Run = async (agent, input, options) => {
  for await (const event of agent.runStream(input, options)) {
    if (event.type === 'finish') return event.response;
  }
  throw new Error('The stream has no end.');
};

/** What the model was given in each call, in short: texts, calls and outputs. */
function given(): string[][] {
  return server.requests.flatMap(({ effectiveInput }) =>
    effectiveInput === undefined ? [] : [effectiveInput.map(short)],
  );
}

function short(value: unknown): string {
  const { type, role, content, call_id: callId, output } = value as Record<string, unknown>;
  if (type === 'function_call') return `call ${callId}`;
  if (type === 'function_call_output') return `${callId}: ${output}`;
  if (type === 'reasoning') return 'reasoning';
  const parts = Array.isArray(content) ? content : [{ text: content }];
  return `${role}: ${parts.map(({ text, refusal }) => text ?? refusal).join('')}`;
}

/** What was sent in each request. */
function bodies(): Record<string, unknown>[] {
  return server.requests.map(({ body }) => body as Record<string, unknown>);
}

/** The items that were sent in one request. */
function sentItems(index: number): Record<string, unknown>[] {
  const { input } = bodies()[index] ?? {};
  return Array.isArray(input) ? input : [];
}

function expectNothingRefused(): void {
  expect(server.requests.flatMap(({ refusal }) => refusal ?? [])).toEqual([]);
}

const call = (id: string, name: string, input: unknown) => ({ id, name, arguments: input });

describe.each([
  ['not streamed', whole],
  ['streamed', streamed],
] as const)('a conversation that the service keeps, %s', (_name, run) => {
  it('is fed nothing twice: before turn k, the model is given 2k-1 messages', async () => {
    const agent = agentOf();
    const session = agent.createSession();
    server.script({ text: 'one' }, { text: 'two' }, { text: 'three' });
    for (const input of ['a', 'b', 'c']) {
      const response = await run(agent, input, { session });
      expect(response.historyOwner).toBe('service');
    }
    expect(given().map(({ length }) => length)).toEqual([1, 3, 5]);
    expect(bodies().map(({ input }) => (input as []).length)).toEqual([1, 1, 1]);
    expect(session.state).toEqual({});
    expectNothingRefused();
  });

  it('gets the results of tools as deltas, parallel ones in the order of their calls', async () => {
    const agent = agentOf();
    const session = agent.createSession();
    server.script(
      {
        reasoning: 'Hm.',
        toolCalls: [
          call('c1', 'add', { a: 1, b: 2 }),
          call('c2', 'add', '{"a": 1, "b"'),
          call('c3', 'add', { a: 3, b: 4 }),
        ],
        stream: { interleaveToolCalls: true },
      },
      { text: '3 and 7.' },
      { text: 'You are welcome.' },
    );
    await run(agent, 'add', { session });
    const response = await run(agent, 'thanks', { session });
    expect(response.text).toBe('You are welcome.');
    const before = ['user: add', 'reasoning', 'call c1', 'call c2', 'call c3', 'c1: 3'];
    expect(given()[2]).toEqual([
      ...before,
      // What was cut is neither run nor repaired.
      expect.stringMatching(/^c2: Error: .*JSON/),
      'c3: 7',
      'assistant: 3 and 7.',
      'user: thanks',
    ]);
    expect(executed).toEqual(['add', 'add']);
    expect(sentItems(1).map(({ type }) => type)).toEqual(Array(3).fill('function_call_output'));
    expectNothingRefused();
  });

  it('waits for approval, also in another process, with what was done beside it', async () => {
    const agent = agentOf();
    let session = agent.createSession();
    server.script(
      {
        toolCalls: [
          call('c1', 'add', { a: 1, b: 2 }),
          call('c2', 'pay', { amount: 5 }),
          call('c3', 'pay', { amount: 6 }),
        ],
      },
      { text: 'Done.' },
    );
    const { approvalRequests } = await run(agent, 'pay', { session });
    expect(approvalRequests).toHaveLength(2);
    session = agent.deserializeSession(JSON.parse(JSON.stringify(agent.serializeSession(session))));
    const [first, second] = approvalRequests;
    if (first === undefined || second === undefined) throw new Error('no requests');
    const half = await run(agent, [approvalResponse(first, true)], { session });
    expect(half.approvalRequests).toHaveLength(1);
    const done = await run(agent, [approvalResponse(second, false, 'Too much.')], { session });
    expect(done.text).toBe('Done.');
    expect(executed).toEqual(['add', 'pay 5']);
    const last = given().at(-1) ?? [];
    expect(last.slice(0, 6).toSorted()).toEqual(
      ['user: pay', 'call c1', 'call c2', 'call c3', 'c1: 3', 'c2: paid 5'].toSorted(),
    );
    expect(last.at(-1)).toMatch(/^c3: Error: .*Too much\./);
    expectNothingRefused();
  });

  it('is told that a call was cancelled when the person goes on instead', async () => {
    const agent = agentOf();
    const session = agent.createSession();
    server.script({ toolCalls: [call('c1', 'pay', { amount: 5 })] }, { text: 'As you like.' });
    await run(agent, 'pay', { session });
    await run(agent, 'never mind', { session });
    expect(given()[1]?.at(-2)).toMatch(/^c1: Error: Cancelled/);
    expect(executed).toEqual([]);
    expectNothingRefused();
  });

  it('goes on by its id from anywhere, and in a conversation that was made elsewhere', async () => {
    const agent = agentOf();
    const session = agent.createSession();
    server.script({ text: 'one' }, { text: 'two' }, { text: 'three' }, { text: 'four' });
    await run(agent, 'a', { session });
    const { serviceSessionId = '' } = session;
    expect(serviceSessionId).toMatch(/^resp_/);
    await run(agentOf(), 'b', { session: agent.getSession({ serviceSessionId }) });
    expect(given()[1]).toEqual(['user: a', 'assistant: one', 'user: b']);
    const client = new OpenAI({ apiKey, baseURL: server.baseUrl });
    const { id } = await client.conversations.create();
    const inside = agent.getSession({ serviceSessionId: id });
    for (const input of ['c', 'd']) await run(agent, input, { session: inside });
    expect(inside.serviceSessionId).toBe(id);
    expect(given().at(-1)).toEqual(['user: c', 'assistant: three', 'user: d']);
    expect((await client.conversations.items.list(id)).data).toHaveLength(4);
    expectNothingRefused();
  });

  it.each(['resp_gone', 'conv_gone'])(
    'that is gone (%s) is an error that says how to go on',
    async (serviceSessionId) => {
      const agent = agentOf();
      const session = agent.getSession({ serviceSessionId });
      const error = await failureOf(run(agent, 'a', { session }));
      expect(error).toMatchObject({ field: 'serviceSessionId', retryable: false });
      expect(error.message).toContain('clearSession');
      expect(session.serviceSessionId).toBe(serviceSessionId);
      await agent.clearSession(session);
      server.script({ text: 'Hej' });
      await run(agent, 'a', { session });
      expect(bodies().at(-1)).not.toHaveProperty('previous_response_id');
      expect(given().at(-1)).toEqual(['user: a']);
    },
  );

  it('begins anew when its session is cleared', async () => {
    const agent = agentOf();
    const session = agent.createSession();
    server.script({ text: 'one' }, { text: 'two' });
    await run(agent, 'a', { session });
    await agent.clearSession(session);
    await run(agent, 'hi', { session });
    expect(bodies()[1]).not.toHaveProperty('previous_response_id');
    expect(bodies()[1]).not.toHaveProperty('conversation');
    expect(given()[1]).toEqual(['user: hi']);
  });

  it.each<[string, ResponseReply | { status: number; body: object }]>([
    ['a cut connection', { text: 'a longer text', fault: { kind: 'cut', afterChunks: 6 } }],
    ['a failed response', { text: 'He', failure: { code: 'server_error', message: 'Oops.' } }],
    ['an error of the service', { status: 500, body: { error: { message: 'Oops.' } } }],
  ])('goes on from its last answer after %s', async (_fault, trouble) => {
    const agent = agentOf();
    const session = agent.createSession();
    server.script({ text: 'one' }, trouble, { text: 'two' });
    await run(agent, 'a', { session });
    const { serviceSessionId } = session;
    await failureOf(run(agent, 'b', { session }));
    expect(session.serviceSessionId).toBe(serviceSessionId);
    await run(agent, 'b', { session });
    expect(given().at(-1)).toEqual(['user: a', 'assistant: one', 'user: b']);
    expectNothingRefused();
  });

  it('is told what the tools did when the call after them fails, and does not do it again', async () => {
    const agent = agentOf();
    const session = agent.createSession();
    const trouble = { status: 500, body: { error: { message: 'Oops.' } } };
    server.script({ toolCalls: [call('c1', 'add', { a: 1, b: 2 })] }, trouble, { text: '3.' });
    await failureOf(run(agent, 'add', { session }));
    const resumed = agent.deserializeSession(agent.serializeSession(session));
    await run(agent, 'and?', { session: resumed });
    expect(given().at(-1)).toEqual(['user: add', 'call c1', 'c1: 3', 'user: and?']);
    expect(executed).toEqual(['add']);
    expectNothingRefused();
  });

  it('is told what became of an approved call when the call after it fails', async () => {
    const agent = agentOf();
    const session = agent.createSession();
    const trouble = { status: 500, body: { error: { message: 'Oops.' } } };
    server.script({ toolCalls: [call('c1', 'pay', { amount: 5 })] }, trouble, { text: 'Paid.' });
    const { approvalRequests } = await run(agent, 'pay', { session });
    const answers = approvalRequests.map((request) => approvalResponse(request, true));
    await failureOf(run(agent, answers, { session }));
    const response = await run(agent, answers, { session });
    expect(response.text).toBe('Paid.');
    expect(executed).toEqual(['pay 5']);
    expect(given().at(-1)).toEqual(['user: pay', 'call c1', 'c1: paid 5']);
    expectNothingRefused();
  });

  it('is told of calls for which no round was left', async () => {
    const agent = agentOf({ maxToolRounds: 1 });
    const session = agent.createSession();
    const again = { toolCalls: [call('c1', 'add', { a: 1, b: 2 })] };
    server.script(again, { toolCalls: [call('c2', 'add', { a: 1, b: 2 })] }, { text: 'ok' });
    const response = await run(agent, 'add', { session });
    expect(response.warnings).toMatchObject([{ code: 'tool_rounds_exhausted' }]);
    await run(agent, 'and?', { session });
    expect(given().at(-1)?.slice(-2)).toEqual([expect.stringMatching(/^c2: Error/), 'user: and?']);
    expectNothingRefused();
  });

  it('is never chained from a response that was not kept', async () => {
    const agent = agentOf();
    const session = agent.createSession();
    server.script({ text: 'one', kept: false }, { text: 'two' });
    const response = await run(agent, 'a', { session });
    expect(response.warnings).toMatchObject([{ code: 'not_kept_by_service' }]);
    await run(agent, 'b', { session });
    expect(bodies()[1]).not.toHaveProperty('previous_response_id');
    expectNothingRefused();
  });
});

describe('a run that is left or aborted', () => {
  it('leaves the conversation at its last answer', async () => {
    const agent = agentOf();
    const session = agent.createSession();
    const stalled = { text: 'a longer text', fault: { kind: 'stall', afterChunks: 6 } } as const;
    server.script({ text: 'one' }, stalled, stalled, { text: 'two' });
    await agent.run('a', { session });
    for await (const event of agent.runStream('b', { session })) {
      if (event.type === 'text-delta') break;
    }
    const controller = new AbortController();
    const reason = new Error('enough');
    const { signal } = controller;
    const aborted = failureOf(
      (async () => {
        for await (const event of agent.runStream('c', { session, signal })) {
          if (event.type === 'text-delta') controller.abort(reason);
        }
      })(),
    );
    expect(await aborted).toBe(reason);
    await agent.run('d', { session });
    expect(given().at(-1)).toEqual(['user: a', 'assistant: one', 'user: d']);
    expectNothingRefused();
  });

  it('answers the calls that it leaves behind', async () => {
    const controller = new AbortController();
    const slow = defineTool({
      name: 'wait',
      description: 'Waits.',
      parameters: { type: 'object', properties: {} },
      execute: (_input, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          controller.abort(new Error('enough'));
        }),
    });
    const agent = agentOf({ tools: [slow, add] });
    const session = agent.createSession();
    const calls = [call('c1', 'add', { a: 1, b: 2 }), call('c2', 'wait', {})];
    server.script({ toolCalls: calls }, { text: 'ok' });
    await failureOf(agent.run('go', { session, signal: controller.signal }));
    await agent.run('and?', { session });
    expect(given().at(-1)).toEqual([
      'user: go',
      'call c1',
      'call c2',
      'c1: 3',
      expect.stringMatching(/^c2: Error: The run was stopped/),
      'user: and?',
    ]);
    expectNothingRefused();
  });
});

describe('a conversation that is kept here', () => {
  const run = async (session: AgentSession, agent: Agent, ...inputs: string[]): Promise<void> => {
    for (const input of inputs) await agent.run(input, { session, store: false });
  };

  it('is sent whole each time, with its reasoning and nothing that the service would have to keep', async () => {
    const agent = agentOf();
    const session = agent.createSession();
    server.script(
      { reasoning: 'Hm.', toolCalls: [call('c1', 'add', { a: 1, b: 2 })] },
      { reasoning: 'So.', text: '3.' },
      { text: 'Bye.' },
    );
    await run(session, agent, 'add', 'thanks');
    expect(given().at(-1)).toEqual([
      'user: add',
      'reasoning',
      'call c1',
      'c1: 3',
      'reasoning',
      'assistant: 3.',
      'user: thanks',
    ]);
    for (const body of bodies()) {
      expect(body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] });
      expect(body).not.toHaveProperty('previous_response_id');
      expect(JSON.stringify(body)).not.toContain('item_reference');
    }
    expect(session).not.toHaveProperty('serviceSessionId');
    expectNothingRefused();
  });

  it('streamed and stored, sends reasoning back with the very message that it led to', async () => {
    const history = new HistoryProvider({ backend: new SessionHistoryBackend(), sourceId: 'main' });
    const agent = agentOf({ contextProviders: [history] });
    let session = agent.createSession();
    server.script({ reasoning: 'Hm.', text: 'one', stream: { pieceLength: 1 } }, { text: 'two' });
    await streamed(agent, 'a', { session });
    session = agent.deserializeSession(agent.serializeSession(session));
    await agent.run('b', { session });
    const [, thought, message] = sentItems(1);
    expect(thought).toMatchObject({ type: 'reasoning', id: expect.stringMatching(/^rs_/) });
    expect(message).toMatchObject({ role: 'assistant', id: expect.stringMatching(/^msg_/) });
    expectNothingRefused();
  });

  it('keeps the id of a call apart from that of its item, through serialising and back', async () => {
    const agent = agentOf();
    let session = agent.createSession();
    server.script({ toolCalls: [call('call_9', 'pay', { amount: 5 })] }, { text: 'Paid.' });
    const { approvalRequests } = await agent.run('pay', { session, store: false });
    session = agent.deserializeSession(JSON.parse(JSON.stringify(agent.serializeSession(session))));
    const answers = approvalRequests.map((request) => approvalResponse(request, true));
    await agent.run(answers, { session, store: false });
    const [, asked, output] = sentItems(1);
    expect(asked).toMatchObject({ type: 'function_call', call_id: 'call_9' });
    expect(asked?.['id'] ?? 'fc_').toMatch(/^fc_/);
    expect(output).toEqual({ type: 'function_call_output', call_id: 'call_9', output: 'paid 5' });
    expectNothingRefused();
  });

  it('works where a model does not reason, and nothing can be sealed', async () => {
    const agent = agentOf({ chatClient: responsesClientOf(server, { storesByDefault: false }) });
    const session = agent.createSession();
    server.script({ reasoning: 'Hm.', text: 'one' }, { text: 'two' });
    expect((await agent.run('a', { session })).historyOwner).toBe('provider');
    await agent.run('b', { session });
    expect(given()[1]).toEqual(['user: a', 'assistant: one', 'user: b']);
    expectNothingRefused();
  });
});

describe('who keeps it', () => {
  const history = (sourceId: string, loadMessages: boolean) =>
    new HistoryProvider({ backend: new SessionHistoryBackend(), sourceId, loadMessages });

  it('is the service or a provider, never both, while recording providers record', async () => {
    const [main, audit] = [history('main', true), history('audit', false)];
    const agent = agentOf({ contextProviders: [main, audit] });
    const session = agent.createSession();
    server.script({ text: 'one' }, { text: 'two' }, { text: 'three' });
    for (const input of ['a', 'b', 'c']) await agent.run(input, { session, store: true });
    expect(given().map(({ length }) => length)).toEqual([1, 3, 5]);
    expect((await main.getMessages(session)).messages).toEqual([]);
    expect((await audit.getMessages(session)).messages).toHaveLength(6);
    expectNothingRefused();
  });

  it('cannot change in the middle without a word', async () => {
    const agent = agentOf();
    const session = agent.createSession();
    server.script({ text: 'one' });
    await agent.run('a', { session });
    const local = agentOf({ contextProviders: [history('main', true)] });
    expect(await failureOf(local.run('b', { session }))).toMatchObject({
      field: 'serviceSessionId',
    });
    expect(await failureOf(agent.run('b', { session, store: false }))).toMatchObject({
      code: 'configuration',
      field: 'store',
    });
    const here = agent.createSession();
    server.script({ text: 'one' });
    await agent.run('a', { session: here, store: false });
    expect(await failureOf(agent.run('b', { session: here, store: true }))).toMatchObject({
      code: 'configuration',
      field: 'store',
    });
  });
});

import {
  Agent,
  type AgentOptions,
  type ChatClient,
  type ChatMessageInit,
  defineTool,
  HistoryProvider,
  messageText,
  type Warning,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import { MemoryBackend } from './memory-backend.js';
import { type Reply, ScriptedChatClient, toolCall } from './scripted-chat-client.js';

const stored = { historyStorage: 'optional', storesByDefault: true } as const;

function agentOf(replies: readonly Reply[], options: Partial<AgentOptions> = {}) {
  const chatClient = new ScriptedChatClient(replies, stored);
  return { agent: new Agent({ chatClient, ...options }), calls: chatClient.calls };
}

const sent = (calls: ScriptedChatClient['calls']) =>
  calls.map(({ messages }) => messages.map((message) => messageText(message)));

const said = (id: string, contents: string): ChatMessageInit => ({ id, role: 'user', contents });

describe('clearSession', () => {
  it('forgets the conversation at the service, so that the next run begins anew', async () => {
    const { agent, calls } = agentOf(['one', 'two', 'three']);
    const session = agent.createSession();
    await agent.run([said('u1', 'first')], { session });
    await agent.run([said('u1', 'first'), said('u2', 'second')], { session });
    expect(calls[1]?.options).toMatchObject({ serviceSessionId: 'response_1' });
    await agent.clearSession(session);
    expect(session.serviceSessionId).toBeUndefined();
    expect(agent.serializeSession(session)).not.toHaveProperty('serviceSessionId');
    await agent.run([said('u1', 'first')], { session });
    expect(calls[2]?.options).not.toHaveProperty('serviceSessionId');
    expect(sent(calls)[2]).toEqual(['first']);
  });

  it('forgets the history of the loading provider, and leaves what others have recorded', async () => {
    const main = new HistoryProvider({ backend: new MemoryBackend(), sourceId: 'main' });
    const audit = new HistoryProvider({
      backend: new MemoryBackend(),
      sourceId: 'audit',
      loadMessages: false,
    });
    const { agent, calls } = agentOf(['one', 'two'], { contextProviders: [main, audit] });
    const session = agent.createSession();
    session.state['mine'] = { kept: true };
    await agent.run('first', { session });
    await agent.clearSession(session);
    expect((await main.getMessages(session)).messages).toEqual([]);
    expect((await audit.getMessages(session)).messages).toHaveLength(2);
    expect(session.state['mine']).toEqual({ kept: true });
    await agent.run('second', { session });
    expect(sent(calls)[1]).toEqual(['second']);
  });

  it('forgets the history that the session keeps itself, and what waited for approval', async () => {
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      parameters: { type: 'object', properties: {} },
      requiresApproval: true,
      execute: () => 'paid',
    });
    for (const store of [true, false]) {
      const { agent, calls } = agentOf([[toolCall('c1', 'pay', {})], 'ok'], {
        tools: [pay],
        store,
      });
      const session = agent.createSession();
      const { approvalRequests } = await agent.run('pay', { session });
      expect(approvalRequests).toHaveLength(1);
      await agent.clearSession(session);
      await agent.run('hello', { session });
      expect(sent(calls)[1]).toEqual(['hello']);
    }
  });

  it('waits for the run before it, and honours its signal', async () => {
    let finish = (): void => undefined;
    const held = new Promise<string>((resolve) => {
      finish = () => resolve('one');
    });
    const { agent } = agentOf([() => held]);
    const session = agent.createSession();
    const running = agent.run('first', { session });
    const reason = new Error('no time');
    const impatient = agent.clearSession(session, { signal: AbortSignal.abort(reason) });
    await expect(impatient).rejects.toBe(reason);
    const clearing = agent.clearSession(session);
    finish();
    await running;
    await clearing;
    expect(session.serviceSessionId).toBeUndefined();
  });

  it('says what is no session', async () => {
    const { agent } = agentOf([]);
    await expect(agent.clearSession('s1' as never)).rejects.toMatchObject({ field: 'session' });
  });
});

describe('a session that holds its messages itself', () => {
  const begin = async (client: ChatClient) => {
    const session = new Agent({ chatClient: client }).createSession();
    await new Agent({ chatClient: new ScriptedChatClient(['Hi Kim.']) }).run('I am Kim.', {
      session,
    });
    return session;
  };

  it('goes on so with a client whose service stores by default', async () => {
    const { agent, calls } = agentOf(['Kim.']);
    const session = await begin(new ScriptedChatClient([]));
    const { historyOwner } = await agent.run('Who am I?', { session });
    expect(historyOwner).toBe('provider');
    expect(sent(calls)[0]).toEqual(['I am Kim.', 'Hi Kim.', 'Who am I?']);
    expect(calls[0]?.options).toMatchObject({ store: false });
  });

  it('is not handed to the service without what was said: that is an error', async () => {
    const { agent, calls } = agentOf([], { store: true });
    const session = await begin(new ScriptedChatClient([]));
    await expect(agent.run('Who am I?', { session })).rejects.toMatchObject({
      code: 'configuration',
      field: 'store',
      message: expect.stringMatching(/the agent asks .*clearSession/),
    });
    const always = new ScriptedChatClient([], { historyStorage: 'required' });
    await expect(new Agent({ chatClient: always }).run('Who?', { session })).rejects.toMatchObject({
      message: expect.stringContaining('always stores'),
    });
    expect(calls).toEqual([]);
    await agent.clearSession(session);
    const { agent: other } = agentOf(['Who are you?'], { store: true });
    expect((await other.run('Hello', { session })).historyOwner).toBe('service');
  });
});

describe('a transcript that is sent again', () => {
  it('is sent to the service only from where it is new', async () => {
    const { agent, calls } = agentOf(['one', 'two', 'three']);
    const session = agent.createSession();
    const first = said('u1', 'first');
    const answer = (await agent.run([first], { session })).messages;
    const second = said('u2', 'second');
    await agent.run([first, ...answer, second], { session });
    const resumed = agent.deserializeSession(agent.serializeSession(session));
    await agent.run([first, second, said('u3', 'third')], { session: resumed });
    expect(sent(calls)).toEqual([['first'], ['second'], ['third']]);
    await expect(agent.run([first, second], { session: resumed })).rejects.toMatchObject({
      code: 'invalid_input',
      field: 'input',
    });
  });

  it('is sent whole when the service has not answered it, and "yes" twice is said twice', async () => {
    const fail = (): never => {
      throw new Error('down');
    };
    const { agent, calls } = agentOf([fail, 'one', 'two', 'three']);
    const session = agent.createSession();
    await expect(agent.run([said('u1', 'first')], { session })).rejects.toThrow('down');
    await agent.run([said('u1', 'first')], { session });
    await agent.run('yes', { session });
    await agent.run('yes', { session });
    expect(sent(calls)).toEqual([['first'], ['first'], ['yes'], ['yes']]);
  });

  it('is not answered twice under the name of a run', async () => {
    const { agent, calls } = agentOf(['one', 'two']);
    const session = agent.createSession();
    const options = { session, operationId: 'request-17' };
    await agent.run('book', options);
    await expect(agent.run('book', options)).rejects.toMatchObject({ field: 'input' });
    expect(calls).toHaveLength(1);
  });

  it('remembers no more ids than it needs', async () => {
    const { agent } = agentOf(Array.from({ length: 80 }, () => 'ok'));
    const session = agent.createSession();
    for (let turn = 0; turn < 80; turn += 1) await agent.run([said(`u${turn}`, 'x')], { session });
    expect(session.state['minne.service_ids']?.['ids']).toHaveLength(100);
  });
});

describe('a service that keeps nothing although it was asked', () => {
  it('is told of, since the next run would know nothing', async () => {
    const warnings: Warning[] = [];
    const chatClient: ChatClient = {
      ...stored,
      specificationVersion: 'v1',
      getResponse: async () => ({ messages: [{ role: 'assistant', contents: 'ok' }] }),
      getStreamingResponse: () => {
        throw new Error('not streamed here');
      },
    };
    const agent = new Agent({ chatClient, onDiagnostic: (warning) => warnings.push(warning) });
    const response = await agent.run('hi', { session: agent.createSession() });
    expect(response.warnings).toMatchObject([{ code: 'not_kept_by_service' }]);
    expect(warnings).toEqual(response.warnings);
    expect((await agent.run('hi')).warnings).toEqual([]);
  });
});

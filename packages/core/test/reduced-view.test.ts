import { approvalResponse, type Diagnostic, messageText } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { conversation, restarted, say } from './reduced-conversation.js';
import { toolCall } from './scripted-chat-client.js';
import {
  clearingReducer,
  countingReducer,
  pipeline,
  SummarisingReducer,
} from './small-reducers.js';
import { objection } from './strict-service.js';
import { outline, ways } from './ways.js';

describe.each(ways)('a history that is reduced before it is sent, with $way', ({ ask }) => {
  it('sends the same beginning, message by message, until there is too much again', async () => {
    const { agent, chatClient, provider, session } = conversation({
      reducer: countingReducer(6, 10),
    });
    let current = session;
    for (let turn = 1; turn <= 40; turn += 1) {
      await ask(agent, `${turn}`, { session: current });
      // The cut is in the session, and goes where it goes.
      if (turn % 7 === 0) current = restarted(agent, current);
    }
    let moved = 0;
    for (const [index, { messages }] of chatClient.calls.entries()) {
      expect(messages.length).toBeLessThanOrEqual(17);
      const before = chatClient.calls[index - 1]?.messages ?? [];
      const same = before.every(
        (message, i) => JSON.stringify(messages[i]) === JSON.stringify(message),
      );
      if (!same) moved += 1;
    }
    // 12 of 18 go at a time.
    expect(moved).toBe(6);
    expect((await provider.getMessages(current)).messages.length).toBe(80);
  });

  it('tells of each reduction once, as it happens, and warns of nothing', async () => {
    const told: Diagnostic[] = [];
    const { agent, session } = conversation({
      reducer: countingReducer(6, 10),
      agent: { onDiagnostic: (diagnostic) => told.push(diagnostic) },
    });
    for (let turn = 1; turn <= 10; turn += 1) {
      const { warnings, reductions } = await ask(agent, `${turn}`, { session });
      expect(warnings).toEqual([]);
      const [report] = reductions;
      const wanted = turn < 10 ? [] : [{ code: 'history_reduced', reduction: report }];
      expect(told).toMatchObject(wanted);
    }
    expect(told[0]).toMatchObject({ sourceId: 'history', reduction: { kept: 6 } });
  });

  it('pays for a summary once, also after a restart', async () => {
    const reducer = new SummarisingReducer(3, 4);
    const { agent, session, sent, provider, chatClient } = conversation({ reducer });
    await say(agent, session, 1, 4);
    expect(reducer.written).toBe(0);
    const response = await ask(agent, '5', { session });
    expect(response.reductions).toEqual([
      {
        reducer: 'test_summarising',
        reason: 'There were too many.',
        kept: 3,
        dropped: 0,
        summarised: 5,
      },
    ]);
    const summary = '<summary>1;re: 1;2;re: 2;3</summary>';
    expect(sent()).toEqual([summary, 're: 3', '4', 're: 4', '5']);
    const later = restarted(agent, session);
    await ask(agent, '6', { session: later });
    expect(sent()).toEqual([summary, 're: 3', '4', 're: 4', '5', 're: 5', '6']);
    expect(reducer.written).toBe(1);
    expect(chatClient.calls.at(-1)?.messages[0]).toMatchObject({
      role: 'user',
      metadata: { 'minne.summary': { count: 5 } },
    });
    // The earlier summary goes into the next.
    await say(agent, later, 7, 7);
    expect(reducer.written).toBe(2);
    expect(sent()[0]).toContain(`<summary>${summary};re: 3`);
    const { messages } = await provider.getMessages(later);
    expect(messages.map(messageText)).toContain('2');
    expect(messages.some(({ id }) => id.startsWith('summary'))).toBe(false);
  });

  it('keeps a tool call whole and its results cleared', async () => {
    const reducer = pipeline(clearingReducer(1), countingReducer(6, 2));
    const { agent, session, script, chatClient } = conversation({ reducer });
    for (let turn = 1; turn <= 6; turn += 1) {
      script.push([toolCall('a', 'work', {})], 'done');
      await ask(agent, `${turn}`, { session: restarted(agent, session) });
      await ask(agent, 'and?', { session });
    }
    for (const { messages } of chatClient.calls) expect(objection(messages)).toBeUndefined();
    const last = outline(chatClient.calls.at(-1)?.messages ?? []);
    const results = last.filter((line) => line.includes('result a'));
    expect(results).toEqual(['tool: result a "cleared"']);
  });

  it('never takes away a call that waits for approval, nor what followed it', async () => {
    const { agent, session, script, chatClient } = conversation({ reducer: countingReducer(1) });
    await say(agent, session, 1, 3);
    script.push([toolCall('a', 'guarded', {})]);
    const { approvalRequests } = await ask(agent, 'do it', { session });
    const [request] = approvalRequests;
    if (request === undefined) throw new Error('nothing waits');
    await ask(agent, [], { session });
    const response = await ask(agent, [approvalResponse(request, true)], {
      session: restarted(agent, session),
    });
    expect(response.text).toBe('re: ');
    expect(outline(chatClient.calls.at(-1)?.messages ?? [])).toEqual([
      'user: do it',
      'assistant: call a guarded({})',
      'tool: result a "allowed"',
    ]);
  });

  it('stops when the run is aborted, however deaf the reducer is', async () => {
    const reducer = new SummarisingReducer(1);
    const { agent, session } = conversation({ reducer });
    await say(agent, session, 1, 1);
    const controller = new AbortController();
    reducer.before = () => {
      controller.abort(new Error('enough'));
      return new Promise(() => {});
    };
    await expect(ask(agent, '2', { session, signal: controller.signal })).rejects.toThrow('enough');
  });
});

describe('a history that is reduced before it is sent', () => {
  it('is reduced anew by a process that has only the id of the session', async () => {
    const reducer = new SummarisingReducer(3, 4);
    const { agent, session, sent } = conversation({ reducer });
    await say(agent, session, 1, 5);
    await say(agent, agent.createSession({ sessionId: 's' }), 6, 6);
    expect(sent()).toEqual([
      '<summary>1;re: 1;2;re: 2;3;re: 3;4</summary>',
      're: 4',
      '5',
      're: 5',
      '6',
    ]);
    expect(reducer.written).toBe(2);
  });

  it('keeps its boundary and its summary when the limit hides older messages', async () => {
    const reducer = new SummarisingReducer(2, 2);
    const { agent, session, sent, backend } = conversation({ reducer, limit: 6 });
    await say(agent, session, 1, 3);
    const summary = '<summary>1;re: 1</summary>';
    expect(sent()).toEqual(['1', 're: 1', '2', 're: 2', '3']);
    await say(agent, session, 4, 4);
    expect(sent()[0]).toBe('<summary>1;re: 1;2;re: 2</summary>');
    expect(sent()).not.toContain(summary);
    // A client that reduces less: the boundary slides out of what is loaded.
    const other = conversation({
      reducer: { ...countingReducer(100), id: reducer.id },
      backend,
      limit: 3,
    });
    await say(other.agent, session, 5, 6);
    expect(other.sent()).toEqual([
      '<summary>1;re: 1;2;re: 2</summary>',
      're: 4',
      '5',
      're: 5',
      '6',
    ]);
    await other.provider.clear(other.agent.createSession({ sessionId: 's' }));
    await say(other.agent, session, 7, 7);
    expect(other.sent()).toEqual(['7']);
  });

  it('forgets what it was reduced to when the history is edited or cleared', async () => {
    const reducer = new SummarisingReducer(3, 4);
    const { agent, session, sent, provider } = conversation({ reducer });
    await say(agent, session, 1, 5);
    expect(session.state['history']).toHaveProperty('reduction.v', 1);
    const { messages, version } = await provider.getMessages(session);
    await provider.setMessages(session, messages.slice(-2), { version });
    expect(session.state['history']).not.toHaveProperty('reduction');
    await say(agent, session, 6, 6);
    expect(sent()).toEqual(['5', 're: 5', '6']);
    await say(agent, session, 7, 9);
    expect(session.state['history']).toHaveProperty('reduction');
    await agent.clearSession(session);
    expect(session.state['history']).not.toHaveProperty('reduction');
    await say(agent, session, 10, 10);
    expect(sent()).toEqual(['10']);
  });

  it.each(['clear', 'setMessages'] as const)(
    'forgets it when another process has used %s',
    async (edit) => {
      const reducer = new SummarisingReducer(3, 4);
      const { agent, session, sent, provider } = conversation({ reducer });
      await say(agent, session, 1, 5);
      const elsewhere = agent.createSession({ sessionId: 's' });
      if (edit === 'clear') await provider.clear(elsewhere);
      else {
        const { messages, version } = await provider.getMessages(elsewhere);
        await provider.setMessages(elsewhere, messages.slice(0, 2), { version });
      }
      await say(agent, session, 6, 6);
      expect(sent()).toEqual(edit === 'clear' ? ['6'] : ['1', 're: 1', '6']);
      expect(JSON.stringify(session.state)).not.toContain('summary');
    },
  );

  it('sends an edited message as it is edited, also one that was summarised', async () => {
    const reducer = new SummarisingReducer(3, 4);
    const { agent, session, sent } = conversation({ reducer, onConflict: 'replace' });
    await agent.run({ id: 'first', role: 'user', contents: 'tea' }, { session });
    await say(agent, session, 2, 5);
    expect(sent()[0]).toContain('tea');
    const edited = { id: 'first', role: 'user', contents: 'coffee' } as const;
    await agent.run([edited, '6'], { session });
    expect(sent()[0]).toContain('coffee');
    await say(agent, session, 7, 7);
    expect(sent()[0]).toContain('coffee');
    expect(sent().join()).not.toContain('<summary>tea');
  });
});

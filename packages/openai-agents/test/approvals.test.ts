import { startProcess } from '@minne/store-process';
import { RunState } from '@openai/agents';
import { describe, expect, it } from 'vitest';
import type { MinneSession } from '../src/index.js';
import { clerk } from './agents-under-test.js';
import { outline, user } from './items.js';
import { sessionStore } from './session-store.js';
import { startRunner } from './wire-runner.js';

const script = new URL('processes/run-turn.ts', import.meta.url);

const pay = { name: 'pay', arguments: { amount: 20 }, id: 'p1' };
const sum = { name: 'add', arguments: { a: 1, b: 1 }, id: 'c1' };

describe('a run that waits for approval', () => {
  it.each([false, true] as const)(
    'goes on with its session in the same process (streamed: %s)',
    async (stream) => {
      const { server, runner, refusals } = await startRunner();
      const store = sessionStore();
      server.script({ toolCalls: [sum, pay] }, { text: 'Paid.' }, { text: 'Twenty.' });
      const waiting = stream
        ? await runner.run(clerk, 'Pay.', { session: store.open(), stream })
        : await runner.run(clerk, 'Pay.', { session: store.open() });
      if ('completed' in waiting) await waiting.completed;
      const serialized = waiting.state.toString();
      const resumed = await RunState.fromString(clerk, serialized);
      for (const interruption of resumed.getInterruptions()) resumed.approve(interruption);
      const answer = await runner.run(clerk, resumed, { session: store.open() });
      expect(answer.finalOutput).toBe('Paid.');
      await runner.run(clerk, 'How much?', { session: store.open() });
      expect(refusals()).toEqual([]);
      const texts = outline(await store.open().getItems());
      for (const text of [
        'Pay.',
        'function_call c1',
        'function_call p1',
        'function_call_result c1',
        'function_call_result p1',
        'Paid.',
        'How much?',
        'Twenty.',
      ]) {
        expect(texts.filter((each) => each === text)).toEqual([text]);
      }
      expect(texts).toHaveLength(8);
      // A call and what answered it a process later are one group.
      const { records } = await store.backend.load({
        sessionId: 'session',
        sourceId: 'openai_agents',
      });
      const called = records.filter(({ payload }) => payload.includes('"callId":"p1"'));
      expect(called.map(({ kind }) => kind)).toEqual(['assistant', 'tool']);
      expect(new Set(called.map(({ group }) => group)).size).toBe(1);
    },
  );

  it('goes on in another process, and a third one knows of it', async () => {
    const { server, refusals } = await startRunner();
    const store = sessionStore();
    server.script({ toolCalls: [pay] }, { text: 'Paid.' }, { text: 'Twenty.' });
    const run = async (kind: string, input: string) => {
      const child = startProcess(script, store.path, server.baseUrl, kind, input);
      expect(await child.ended()).toEqual({ code: 0, complaint: '' });
      return JSON.parse(child.lines()[0] ?? '');
    };
    const waiting = await run('say', 'Pay.');
    expect(waiting.finalOutput).toBeUndefined();
    expect((await run('resume', waiting.state)).finalOutput).toBe('Paid.');
    expect((await run('say', 'How much?')).finalOutput).toBe('Twenty.');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('paid 20');
    expect(refusals()).toEqual([]);
  }, 60_000);

  it.each<[string, (session: MinneSession) => Promise<unknown>]>([
    ['trimmed', (session) => session.addItems(['1', '2', '3', '4'].map(user))],
    ['taken back', (session) => session.popItem()],
    ['cleared', (session) => session.clearSession()],
  ])('does not spoil its session when its call was %s meanwhile', async (_how, takeAway) => {
    const { server, runner, refusals } = await startRunner();
    const store = sessionStore({ maxMessages: 4 });
    server.script({ toolCalls: [pay] }, { text: 'Paid.' }, { text: 'Fine.' });
    const waiting = await runner.run(clerk, 'Pay.', { session: store.open() });
    await takeAway(store.open());
    const resumed = await RunState.fromString(clerk, waiting.state.toString());
    for (const interruption of resumed.getInterruptions()) resumed.approve(interruption);
    await runner.run(clerk, resumed, { session: store.open() });
    const next = await runner.run(clerk, 'Well?', { session: store.open() });
    expect(next.finalOutput).toBe('Fine.');
    expect(refusals()).toEqual([]);
    expect(store.warnings.map(({ code }) => code)).toContain('orphan_result');
  });

  it('is left for something else: the call that nobody answered is not sent', async () => {
    const { server, runner, refusals } = await startRunner();
    const store = sessionStore();
    server.script({ toolCalls: [pay] }, { text: 'Then not.' });
    await runner.run(clerk, 'Pay.', { session: store.open() });
    await runner.run(clerk, 'Never mind.', { session: store.open() });
    expect(refusals()).toEqual([]);
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('p1');
  });
});

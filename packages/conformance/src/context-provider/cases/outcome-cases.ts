import { hasErrorCode } from '@minne/core';
import { expect } from 'vitest';
import { settle, until } from '../../shared/outcomes.js';
import type { ContextProviderCase } from '../context-provider-case.js';
import { converse, type ProviderWorld, type TestAgent } from '../provider-test-context.js';

/** Milliseconds until the model is asked. */
const patience = 5_000;

const reason = new Error('stopped by the caller');

/** The ways in which a run ends early, each of which rejects or just leaves. */
const endings: Readonly<
  Record<string, (world: ProviderWorld, test: TestAgent, sessionId: string) => Promise<void>>
> = {
  'the model failed': async (world, { agent }, sessionId) => {
    world.model.script('fail');
    const session = agent.createSession({ sessionId, actorId: 'kim' });
    const outcome = await settle(agent.run('one', { session }));
    expect(
      outcome.status === 'rejected' && hasErrorCode(outcome.reason, 'chat_client_failed'),
    ).toBe(true);
    await goOn(world, agent, session);
  },
  'the run was aborted while the model was thinking': async (world, { agent }, sessionId) => {
    world.model.script('stall');
    const session = agent.createSession({ sessionId, actorId: 'kim' });
    const controller = new AbortController();
    const running = settle(agent.run('one', { session, signal: controller.signal }));
    await until(() => world.model.requests.length > 0, 'the model was asked', patience);
    controller.abort(reason);
    expect(await running).toEqual({ status: 'rejected', reason });
    await goOn(world, agent, session);
  },
  'the stream was left': async (world, { agent }, sessionId) => {
    const session = agent.createSession({ sessionId, actorId: 'kim' });
    for await (const event of agent.runStream('one', { session })) {
      if (event.type === 'text-delta') break;
    }
    await goOn(world, agent, session);
  },
};

/** Learning from a run, however it ended. */
export const outcomeCases: readonly ContextProviderCase[] = [
  {
    name: 'takes note of a run that came to its end without an error',
    async run(context) {
      const test = await (await context.world()).agent();
      const session = test.agent.createSession({ sessionId: 'session', actorId: 'kim' });
      await converse(test.agent, session, ['one', 'two']);
      expect(test.warnings).toEqual([]);
    },
  },
  ...Object.entries(endings).map(
    ([ending, end]): ContextProviderCase => ({
      name: `takes note without an error that ${ending}, and goes on with the session`,
      async run(context) {
        const world = await context.world();
        const test = await world.agent();
        await end(world, test, 'session');
        expect(test.warnings).toEqual([]);
        expect(test.probes[1].sights.map(({ hook }) => hook)).toEqual([
          'beforeRun',
          'afterRun',
          'beforeRun',
          'afterRun',
        ]);
      },
    }),
  ),
];

async function goOn(
  { model }: ProviderWorld,
  agent: TestAgent['agent'],
  session: ReturnType<TestAgent['agent']['createSession']>,
): Promise<void> {
  const response = await agent.run('and then?', { session });
  expect(response.text).toBe('I see.');
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('and then?');
}

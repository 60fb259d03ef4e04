import { MinneError } from '@minne/core';
import { expect } from 'vitest';
import { settle } from '../../shared/outcomes.js';
import type { ContextProviderCase } from '../context-provider-case.js';
import { converse, type ProviderWorld, type TestAgent } from '../provider-test-context.js';
import type { ModelRequest } from '../recording-chat-client.js';

/** People whose names are easily taken for one another. */
const actors = ['kim', 'Kim', 'ki', 'kim_', 'kim%', 'kim*', 'kim:1', 'é', 'e\u0301'];

/** Keeping sessions apart, and taking them up again. */
export const sessionCases: readonly ContextProviderCase[] = [
  {
    name: 'tells nothing of what one person said in the session of another',
    async run(context) {
      const world = await context.world();
      const test = await world.agent();
      for (const [index, actorId] of actors.entries()) await talk(test, index, actorId);
      expectNoStrangers(world);
      for (const [index, actorId] of actors.entries()) await talk(test, index, actorId);
      expectNoStrangers(world);
    },
  },
  {
    name: 'keeps sessions apart that are run at once',
    async run(context) {
      const world = await context.world();
      const test = await world.agent();
      for (let round = 0; round < 2; round++) {
        await Promise.all(actors.map((actorId, index) => talk(test, index, actorId)));
      }
      expect(world.model.requests.length).toBe(actors.length * 4);
      expectNoStrangers(world);
    },
  },
  {
    name: 'works without an actor, or says that it needs one, and shares nothing among such sessions',
    async run(context) {
      const world = await context.world();
      const test = await world.agent();
      for (let index = 0; index < 4; index++) {
        const outcome = await settle(talk(test, index, undefined));
        if (outcome.status === 'fulfilled') continue;
        expect(MinneError.isInstance(outcome.reason), `${outcome.reason}`).toBe(true);
      }
      expectNoStrangers(world);
    },
  },
  {
    name: 'goes on with a session that was written down and taken up again as with the session itself',
    async run(context) {
      const [plain, resumed] = [await context.world(), await context.world()];
      await converseInTurns(plain, {});
      await converseInTurns(resumed, { resume: true });
      expect(seen(resumed)).toEqual(seen(plain));
    },
  },
  {
    name: 'keeps nothing about a session in itself: a fresh instance goes on like the first',
    async run(context) {
      const [plain, renewed] = [await context.world(), await context.world()];
      await converseInTurns(plain, {});
      await converseInTurns(renewed, { resume: true, renew: true });
      expect(seen(renewed)).toEqual(seen(plain));
    },
  },
];

/** Two turns in the session of a person, who names a thing that nobody else does. */
async function talk({ agent }: TestAgent, index: number, actorId?: string): Promise<void> {
  const sessionId = `session of ${index}`;
  const session = agent.createSession({
    sessionId,
    ...(actorId === undefined ? {} : { actorId }),
  });
  await converse(agent, session, [
    `I like the number <${index}>. Remember it.`,
    `What do I like? Not what others like. This is about <${index}>.`,
  ]);
}

/** In no request there are the things of two people. */
function expectNoStrangers({ model }: ProviderWorld): void {
  for (const request of model.requests) {
    const things = new Set(JSON.stringify(request).match(/<\d+>/g));
    expect([...things].length, `${[...things].join(' and ')} were in one request`).toBe(1);
  }
}

async function converseInTurns(
  world: ProviderWorld,
  options: { readonly resume?: boolean; readonly renew?: boolean },
): Promise<void> {
  let { agent } = await world.agent();
  let session = agent.createSession({ sessionId: 'session', actorId: 'kim' });
  for (const turn of [
    'My cat is called Mio.',
    'I live in Umeå.',
    'Who is Mio?',
    'And where am I?',
  ]) {
    await converse(agent, session, [turn]);
    const saved = JSON.stringify(agent.serializeSession(session));
    if (options.renew === true) ({ agent } = await world.agent());
    if (options.resume === true) session = agent.deserializeSession(JSON.parse(saved));
  }
}

/** What the model was sent, without what is another in every run. */
function seen({ model }: ProviderWorld): unknown {
  return model.requests.map(({ instructions, messages, tools }: ModelRequest) => ({
    instructions,
    tools,
    messages: messages.map(({ role, contents }) => ({ role, contents })),
  }));
}

import { expect } from 'vitest';
import type { ContextProviderCase } from '../context-provider-case.js';
import { converse } from '../provider-test-context.js';

/** What a provider is, and what it leaves in a session. */
export const identityCases: readonly ContextProviderCase[] = [
  {
    name: 'names the version of the contract it keeps',
    async run(context) {
      const world = await context.world();
      expect((await world.open()).specificationVersion).toBe('v1');
    },
  },
  {
    name: 'has a sourceId that is valid text, and the same in every instance and after every run',
    async run(context) {
      const world = await context.world();
      const { agent, provider } = await world.agent();
      const { sourceId } = provider;
      expect(typeof sourceId).toBe('string');
      expect(sourceId, 'it is not empty').not.toBe('');
      expect(sourceId.isWellFormed() && !sourceId.includes('\0'), 'it is valid text').toBe(true);
      const session = agent.createSession({ sessionId: 'session', actorId: 'kim' });
      await converse(agent, session, ['one', 'two']);
      expect(provider.sourceId).toBe(sourceId);
      expect((await world.open()).sourceId, 'in another instance').toBe(sourceId);
    },
  },
  {
    name: 'keeps nothing but JSON in the session',
    async run(context) {
      const world = await context.world();
      const { agent, provider } = await world.agent();
      const session = agent.createSession({ sessionId: 'session', actorId: 'kim' });
      for (const input of ['one', 'two', 'three']) {
        await converse(agent, session, [input]);
        const slot = session.state[provider.sourceId];
        expect(JSON.parse(JSON.stringify(slot)), 'as JSON').toStrictEqual(slot);
        expect(agent.deserializeSession(agent.serializeSession(session))).toStrictEqual(session);
      }
    },
  },
];

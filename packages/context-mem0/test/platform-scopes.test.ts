import { InvalidInputError } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { createPlatformWorld } from './support/platform-world.js';

const said = 'My bicycle is parked behind the bakery';
const asked = 'Where is my bicycle?';

describe('scopes on the platform', () => {
  it('finds in the next session what was said in the one before, and not for anybody else', async () => {
    await using world = await createPlatformWorld();
    await world.ask('kim', said);
    expect((await world.ask('kim', asked)).join('\n')).toContain(said);
    expect(await world.ask('ann', asked)).toEqual([asked]);
    expect(world.warnings).toEqual([]);
  });

  it.each([
    ['a user', { userId: 'kim' }],
    ['a user of an application', { userId: 'kim', appId: 'shop' }],
    ['a user in a run', { userId: 'kim', runId: 'run-1' }],
    ['an agent', { agentId: 'planner' }],
    ['an agent of an application', { agentId: 'planner', appId: 'shop' }],
    [
      'a user, an agent, an application and a run',
      {
        userId: 'kim',
        agentId: 'planner',
        appId: 'shop',
        runId: 'run-1',
      },
    ],
    ['an application', { appId: 'shop' }],
    ['a run', { runId: 'run-1' }],
  ])('finds what is stored under %s by the same scope', async (_, scope) => {
    await using world = await createPlatformWorld({ storageScope: scope });
    await world.ask('kim', said);
    expect((await world.ask('kim', asked)).join('\n')).toContain(said);
    expect(world.warnings).toEqual([]);
  });

  it('asks for memories of the user and of the agent side by side, and gives both', async () => {
    await using world = await createPlatformWorld({
      storageScope: ({ session }) => ({ userId: session.actorId ?? '', agentId: 'planner' }),
    });
    world.model.script.push([{ type: 'text', text: 'A bicycle can go by train on Sundays.' }]);
    await world.ask('kim', said);
    const [quotation = ''] = await world.ask('kim', asked);
    expect(quotation).toContain(`- user: ${said}`);
    expect(quotation).toContain('- agent: A bicycle can go by train on Sundays.');
    const filters = world.wire.requests
      .filter(({ path }) => path.includes('search'))
      .slice(-2)
      .map(({ body }) => (body as { readonly filters: unknown }).filters);
    expect(filters).toEqual([{ AND: [{ user_id: 'kim' }] }, { AND: [{ agent_id: 'planner' }] }]);
    // Another person sees what the agent keeps, and nothing of the first one's.
    const [other = ''] = await world.ask('ann', asked);
    expect(other).toContain('A bicycle can go by train');
    expect(other).not.toContain('bakery');
  });

  it('stores under one scope and searches another when told to', async () => {
    await using world = await createPlatformWorld({
      storageScope: { userId: 'kim' },
      searchScope: { userId: 'ann' },
    });
    await world.ask('kim', said);
    expect(await world.ask('kim', asked)).toEqual([asked]);
  });

  it('refuses a run that does not say whose memories are meant, before the model is asked', async () => {
    await using world = await createPlatformWorld();
    await expect(world.agent.run(said, { session: world.session() })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('actorId'),
    });
    expect(world.model.requests).toEqual([]);
    expect(world.wire.memories).toEqual([]);
  });

  it.each(['*', 'kim larsen', 'kim\n', '\u00a0kim'])(
    'refuses the actor %j, whom Mem0 may take for others',
    async (actorId) => {
      await using world = await createPlatformWorld();
      const running = world.agent.run(said, { session: world.session(actorId) });
      await expect(running).rejects.toSatisfy(InvalidInputError.isInstance);
      expect(world.wire.requests.filter(({ path }) => path !== '/v1/ping/')).toEqual([]);
    },
  );

  it.each(['searchScope', 'storageScope'])(
    'refuses a %s that names nobody, before the model is asked',
    async (field) => {
      const scopes = { searchScope: { userId: 'kim' }, storageScope: { userId: 'kim' } };
      await using world = await createPlatformWorld({ ...scopes, [field]: () => ({}) });
      await expect(world.ask('kim', said)).rejects.toMatchObject({ field });
      expect(world.model.requests).toEqual([]);
    },
  );

  it('gives at most as many as it may, the best first', async () => {
    await using world = await createPlatformWorld({ limit: 2, storeOutputs: false });
    for (const text of ['red', 'red green', 'red green blue']) await world.ask('kim', text);
    const [quotation = ''] = await world.ask('kim', 'red green blue?');
    expect(quotation.match(/^- .*$/gm)).toEqual(['- user: red green blue', '- user: red green']);
  });
});

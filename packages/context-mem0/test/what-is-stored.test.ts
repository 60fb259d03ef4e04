import {
  type ContextProvider,
  createMessage,
  defineTool,
  HistoryProvider,
  type RunCompleted,
  type RunContext,
  SessionHistoryBackend,
  systemClock,
  uuidv7,
} from '@minne/core';
import { describe, expect, it } from 'vitest';
import { createMem0PlatformClient } from '../src/create-mem0-client.js';
import { Mem0ContextProvider } from '../src/mem0-context-provider.js';
import { apiKey, createPlatformWorld, type PlatformWorld } from './support/platform-world.js';

const texts = ({ wire }: PlatformWorld): readonly string[] =>
  wire.memories.map(({ memory }) => memory);

describe('what is stored', () => {
  it('is what the user and the assistant said, as text', async () => {
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      parameters: { type: 'object', properties: {} },
      execute: () => 'secret of the tool',
    });
    await using world = await createPlatformWorld({}, { tools: [look], instructions: 'Be brief.' });
    world.model.script.push([
      { type: 'reasoning', text: 'I had better look.' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_call', callId: 'c1', name: 'look', arguments: '{}' },
    ]);
    await world.ask('kim', 'What do you see?');
    expect(texts(world)).toEqual(['What do you see?', 'Let me look.', 'Very well.']);
  });

  it('is never what was recalled, in whatever way it comes back', async () => {
    await using world = await createPlatformWorld();
    await world.ask('kim', 'My cat is called Mio');
    const session = world.session('kim');
    await world.agent.run('What is my cat called?', { session });
    const sent = world.model.requests.at(-1) ?? [];
    expect(sent.map(({ role }) => role)).toEqual(['user', 'user']);
    const before = texts(world);
    // As an application does that sends back what it was shown, with and without the metadata.
    const bare = sent.map(({ role, contents }) => ({ role, contents }));
    await world.agent.run([...sent, { role: 'assistant', contents: 'Mio.' }, ...bare, 'Thanks.'], {
      session: world.session('kim'),
    });
    expect(texts(world).slice(before.length)).toEqual([
      'What is my cat called?',
      'Thanks.',
      'Very well.',
    ]);
    expect(texts(world).join('\n')).not.toContain('<memories');
  });

  it('is never what another provider injected', async () => {
    const weather: ContextProvider = {
      specificationVersion: 'v1',
      sourceId: 'weather',
      beforeRun: async () => ({ messages: [{ role: 'user', contents: 'It rains.' }] }),
    };
    const wire = await createPlatformWorld();
    await using world = wire;
    const client = await createMem0PlatformClient({ apiKey, host: world.wire.host });
    await using other = await createPlatformWorld(
      {},
      {
        contextProviders: [weather, new Mem0ContextProvider({ client })],
      },
    );
    await other.ask('kim', 'Shall I go out?');
    expect(other.model.lastTexts).toContain('It rains.');
    expect(texts(world)).toEqual(['Shall I go out?', 'Very well.']);
  });

  it('is what is new of a transcript that a caller sends again and again', async () => {
    await using world = await createPlatformWorld();
    const session = world.session('kim');
    await world.agent.run('One', { session });
    await world.agent.run(['One', { role: 'assistant', contents: 'Very well.' }, 'Two'], {
      session,
    });
    expect(texts(world)).toEqual(['One', 'Very well.', 'Two', 'Very well.']);
  });

  it('is stored once when the history knows it, or the session does', async () => {
    const history = new HistoryProvider({ backend: new SessionHistoryBackend() });
    const wire = await createPlatformWorld();
    await using world = wire;
    const client = await createMem0PlatformClient({ apiKey, host: world.wire.host });
    await using other = await createPlatformWorld(
      {},
      {
        contextProviders: [history, new Mem0ContextProvider({ client })],
      },
    );
    const session = other.session('kim');
    const one = createMessage({ role: 'user', contents: 'One' }, uuidv7, systemClock);
    await other.agent.run(one, { session });
    await other.agent.run([one, 'Two'], { session });
    expect(texts(world)).toEqual(['One', 'Very well.', 'Two', 'Very well.']);
  });

  it('is stored once when a run is repeated under its name, and bears that name', async () => {
    await using world = await createPlatformWorld();
    const session = world.session('kim');
    for (let time = 1; time <= 2; time++) {
      await world.agent.run('Remember the milk', { session, operationId: 'op-1' });
    }
    expect(texts(world)).toEqual(['Remember the milk', 'Very well.']);
    expect(world.wire.memories[0]?.metadata).toEqual({ minne_run: 'op-1' });
  });

  it('is stored once when only Mem0 has taken it, and again when it has not', async () => {
    await using world = await createPlatformWorld();
    const client = await createMem0PlatformClient({ apiKey, host: world.wire.host });
    const [context, outcome] = completedRun();
    const afterRun = async (): Promise<void> => {
      // Each time in another process.
      const provider = new Mem0ContextProvider({ client });
      await provider.afterRun(context, outcome, { signal: new AbortController().signal });
    };
    world.wire.fail('add', { status: 503, body: {} });
    await afterRun();
    expect(context.state).toEqual({});
    world.wire.fail('add', undefined);
    await afterRun();
    await afterRun();
    expect(texts(world)).toEqual(['One', 'Yes.']);
    expect(context.state).toEqual({ stored: ['m1', 'm2'] });
  });

  it('remembers a bounded number of ids, and mends what it remembers', async () => {
    await using world = await createPlatformWorld();
    const client = await createMem0PlatformClient({ apiKey, host: world.wire.host });
    const provider = new Mem0ContextProvider({ client });
    const [context, outcome] = completedRun();
    const { signal } = new AbortController();
    context.state['stored'] = Array.from({ length: 500 }, (_, index) => `old-${index}`);
    await provider.afterRun(context, outcome, { signal });
    expect(context.state['stored']).toHaveLength(200);
    context.state['stored'] = { 0: 'm1' };
    await provider.afterRun(context, outcome, { signal });
    expect(context.state['stored']).toEqual(['m1', 'm2']);
  });

  it('is nothing of a run that failed', async () => {
    await using world = await createPlatformWorld();
    world.model.script.push('fail');
    await expect(world.ask('kim', 'One')).rejects.toThrow('fails');
    expect(texts(world)).toEqual([]);
  });

  it('can be left to one side, or to none', async () => {
    await using answers = await createPlatformWorld({ storeInputs: false });
    await answers.ask('kim', 'One');
    expect(texts(answers)).toEqual(['Very well.']);
    await using nothing = await createPlatformWorld({ storeInputs: false, storeOutputs: false });
    await nothing.ask('kim', 'One');
    expect(texts(nothing)).toEqual([]);
  });
});

/** A run that is over, as an agent tells of it. */
function completedRun(): readonly [RunContext, RunCompleted] {
  const state = {};
  const input = [createMessage({ id: 'm1', role: 'user', contents: 'One' }, uuidv7, systemClock)];
  const output = [
    createMessage({ id: 'm2', role: 'assistant', contents: 'Yes.' }, uuidv7, systemClock),
    createMessage(
      { id: 'm3', role: 'assistant', contents: 'And', status: 'incomplete' },
      uuidv7,
      systemClock,
    ),
  ];
  const context: RunContext = {
    runId: 'run',
    operationId: undefined,
    agentName: undefined,
    session: { sessionId: 's', actorId: 'kim', state: { mem0: state } },
    state,
    historyOwner: 'provider',
    input,
    callerIds: [],
    history: [],
    warn: () => {},
  };
  return [context, { status: 'completed', input, context: [], output }];
}

describe('what is searched with', () => {
  const queries = ({ wire }: PlatformWorld): readonly unknown[] =>
    wire.requests
      .filter(({ path }) => path.includes('search'))
      .map(({ body }) => (body as { readonly query: unknown }).query);

  it('is the new text of the user, not the conversation', async () => {
    await using world = await createPlatformWorld();
    await world.agent.run(
      [
        'One',
        { role: 'assistant', contents: 'Yes?' },
        'Two',
        { role: 'system', contents: 'No' },
        'Three',
      ],
      { session: world.session('kim') },
    );
    expect(queries(world)).toEqual(['Two\nThree']);
  });

  it('is nothing when there is no text to be seen', async () => {
    await using world = await createPlatformWorld();
    for (const input of ['', ' \n\u200b\t ', '\u3164\ufe0f\u2800', []]) {
      await world.agent.run(input, { session: world.session('kim') });
    }
    expect(queries(world)).toEqual([]);
    expect(world.warnings).toEqual([]);
  });

  it('is the end of a long text, without half a character', async () => {
    await using world = await createPlatformWorld();
    await world.ask('kim', `${'🚲'.repeat(3_000)}?`);
    const [query] = queries(world);
    expect(String(query)).toHaveLength(2_000);
    expect(String(query).isWellFormed()).toBe(true);
    expect(String(query)).toMatch(/🚲\?$/u);
  });

  it('is what the application makes it', async () => {
    await using world = await createPlatformWorld({
      searchInput: ({ session }) => `about ${session.actorId}`,
    });
    await world.ask('kim', 'One');
    expect(queries(world)).toEqual(['about kim']);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, type Warning } from '@minne/core';
import { type OpenAIWireServer, startOpenAIWire } from '@minne/openai-wire';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  createMem0OpenSourceMemory,
  Mem0ContextProvider,
  type Mem0ContextProviderOptions,
  type Mem0OpenSourceMemory,
} from '../src/index.js';
import { RecordingChatClient } from './support/recording-chat-client.js';

const said = 'My bicycle is parked behind the bakery';
const asked = 'Where is my bicycle parked?';

let home: string;
let models: OpenAIWireServer;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'mem0-'));
  // Where mem0 notes an id of this installation.
  vi.stubEnv('MEM0_DIR', home);
  models = await startOpenAIWire({ apiKey: 'sk-of-the-test', fallback: extracted });
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await models.close();
  rmSync(home, { recursive: true });
});

/** What a model would draw from a conversation: here, what the user said, as it is. */
function extracted({ body }: { readonly body: unknown }): { readonly text: string } {
  const { messages } = body as { readonly messages: readonly { readonly content: string }[] };
  const prompt = messages.at(-1)?.content ?? '';
  const texts = [...prompt.matchAll(/^user: (.+)$/gm)].map(([, text]) => text);
  return { text: JSON.stringify({ memory: texts.map((text, id) => ({ id: `${id}`, text })) }) };
}

/** The real `Memory`: vectors in the memory of this process, models on this machine, no history of changes. */
function memory(): Promise<Mem0OpenSourceMemory> {
  const model = { apiKey: 'sk-of-the-test', baseURL: models.baseUrl };
  return createMem0OpenSourceMemory({
    embedder: {
      provider: 'openai',
      config: { ...model, model: 'text-embedding-3-small', embeddingDims: 256 },
    },
    llm: { provider: 'openai', config: { ...model, model: 'gpt-4.1-mini' } },
    vectorStore: {
      provider: 'memory',
      config: { collectionName: 'memories', dimension: 256, dbPath: ':memory:' },
    },
    disableHistory: true,
  });
}

interface World {
  readonly warnings: readonly Warning[];
  ask(actorId: string, input: string): Promise<string>;
}

async function createWorld(options: Partial<Mem0ContextProviderOptions> = {}): Promise<World> {
  const model = new RecordingChatClient();
  const warnings: Warning[] = [];
  const agent = new Agent({
    chatClient: model,
    contextProviders: [new Mem0ContextProvider({ client: await memory(), ...options })],
    onDiagnostic: (warning) => warnings.push(warning),
  });
  return {
    warnings,
    ask: async (actorId, input) => {
      await agent.run(input, { session: agent.createSession({ actorId }) });
      return model.lastTexts.join('\n');
    },
  };
}

describe('the open-source Memory of mem0ai', () => {
  it.each([true, false])(
    'keeps what is said and finds it for that person only (infer: %s)',
    async (infer) => {
      const world = await createWorld({ infer });
      await world.ask('kim', said);
      expect(await world.ask('kim', asked)).toContain(`- user: ${said}`);
      expect(await world.ask('ann', asked)).toBe(asked);
      expect(world.warnings).toEqual([]);
    },
  );

  it.each([
    ['a user of an application', { userId: 'kim', appId: 'shop' }],
    ['a user in a run', { userId: 'kim', runId: 'run-1' }],
    ['an agent', { agentId: 'planner' }],
    ['a run', { runId: 'run-1' }],
    ['all four', { userId: 'kim', agentId: 'planner', appId: 'shop', runId: 'run-1' }],
  ])('finds what is stored under %s by the same scope', async (_, scope) => {
    const world = await createWorld({ storageScope: scope });
    await world.ask('kim', said);
    expect(await world.ask('kim', asked)).toContain(said);
    expect(world.warnings).toEqual([]);
  });

  it('keeps applications apart', async () => {
    const client = await memory();
    const shop = await createWorld({ client, storageScope: { userId: 'kim', appId: 'shop' } });
    const bank = await createWorld({ client, storageScope: { userId: 'kim', appId: 'bank' } });
    await shop.ask('kim', said);
    expect(await shop.ask('kim', asked)).toContain(said);
    expect(await bank.ask('kim', asked)).toBe(asked);
  });

  it('does not give one user the memories that another has with the same agent', async () => {
    const client = await memory();
    const world = await createWorld({
      client,
      storageScope: ({ session }) => ({ userId: session.actorId ?? '', agentId: 'planner' }),
    });
    await world.ask('kim', said);
    expect(await world.ask('kim', asked)).toContain(said);
    expect(await world.ask('ann', asked)).toBe(asked);
    // What the agent knows by itself is for everyone.
    await client.add([{ role: 'user', content: 'A bicycle is parked in the yard' }], {
      agentId: 'planner',
      metadata: {},
      infer: false,
    });
    expect(await world.ask('ann', asked)).toContain('- agent: A bicycle is parked in the yard');
  });

  it('finds what an agent knows behind any number of memories that others have with it', async () => {
    const client = await memory();
    const world = await createWorld({
      client,
      limit: 1,
      storageScope: ({ session }) => ({ userId: session.actorId ?? '' }),
      searchScope: { agentId: 'planner' },
    });
    const add = (content: string, userId?: string) =>
      client.add([{ role: 'user', content }], {
        agentId: 'planner',
        ...(userId === undefined ? {} : { userId }),
        metadata: {},
        infer: false,
      });
    for (const day of ['Monday', 'Tuesday', 'Friday', 'Saturday', 'Sunday']) {
      await add(`${asked} ${day}`, 'ann');
    }
    await add('A bicycle is parked in the yard');
    expect(await world.ask('kim', asked)).toContain('- agent: A bicycle is parked in the yard');
  });

  it('is told of a scope that it cannot keep', async () => {
    const world = await createWorld({ storageScope: { appId: 'shop' } });
    await expect(world.ask('kim', said)).rejects.toMatchObject({
      code: 'configuration',
      field: 'appId',
    });
  });

  it('that cannot reach its models costs a warning, without their key', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const world = await createWorld({
      client: () =>
        createMem0OpenSourceMemory({
          embedder: {
            provider: 'openai',
            config: { apiKey: 'sk-other-key-1234', baseURL: models.baseUrl, embeddingDims: 256 },
          },
          llm: {
            provider: 'openai',
            config: { apiKey: 'sk-other-key-1234', baseURL: models.baseUrl },
          },
          vectorStore: { provider: 'memory', config: { dimension: 256, dbPath: ':memory:' } },
          disableHistory: true,
        }),
    });
    expect(await world.ask('kim', said)).toBe(said);
    expect(world.warnings.map(({ code }) => code)).toEqual([
      'mem0_search_failed',
      'mem0_store_failed',
    ]);
    expect(JSON.stringify(world.warnings)).not.toContain('other-key');
    vi.restoreAllMocks();
  });
});

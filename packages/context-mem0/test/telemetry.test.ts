import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, type Warning } from '@minne/core';
import { startMem0Wire } from '@minne/mem0-wire';
import { startOpenAIWire } from '@minne/openai-wire';
import { startProcess } from '@minne/store-process';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createMem0PlatformClient,
  type Mem0Client,
  type Mem0ClientSource,
  Mem0ContextProvider,
} from '../src/index.js';
import { apiKey } from './support/platform-world.js';
import { RecordingChatClient } from './support/recording-chat-client.js';

beforeAll(async () => {
  // Loaded here with telemetry off, so that no test of what is settled can send any.
  vi.stubEnv('MEM0_TELEMETRY', 'false');
  await import('mem0ai');
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The hosts that a process tries to reach which uses both clients of `mem0ai`. */
async function hostsReached(telemetry: 'left alone' | 'asked for'): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'mem0-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  await using platform = await startMem0Wire({ apiKey });
  await using models = await startOpenAIWire({ apiKey: 'sk-of-the-test' });
  const script = new URL('processes/run-with-both.ts', import.meta.url);
  const running = startProcess(script, platform.host, models.baseUrl, directory, telemetry);
  const { code, complaint } = await running.ended();
  expect(code, complaint).toBe(0);
  return JSON.parse(running.lines().at(-1) ?? 'null');
}

const client: Mem0Client = { add: async () => ({}), search: async () => ({ results: [] }) };

/** Looks like one of `mem0ai`. */
const reporting = { ...client, telemetryId: 'anonymous' };

describe('the telemetry of mem0ai', () => {
  it('is off: nobody is reached but the services that were named', async () => {
    expect(await hostsReached('left alone')).toEqual(['127.0.0.1']);
  }, 30_000);

  it('is on when asked for, and then this test sees it', async () => {
    expect(await hostsReached('asked for')).toContain('us.i.posthog.com');
  }, 30_000);

  it.each<[string, string | undefined, number, Mem0ClientSource]>([
    ['handed over', undefined, 1, reporting],
    ['handed over', 'no', 1, reporting],
    ['handed over', 'false', 0, reporting],
    ['handed over', 'true', 0, reporting],
    ['made when needed', undefined, 1, () => reporting],
    ['made when needed', 'false', 0, () => reporting],
  ])(
    'is told of once when a client is %s and MEM0_TELEMETRY is %s',
    async (_how, value, times, source) => {
      const { model, agent, warnings } = agentWith(source, value);
      for (const input of ['One', 'Two']) {
        await agent.run(input, { session: agent.createSession({ actorId: 'kim' }) });
      }
      expect(model.requests).toHaveLength(2);
      expect(warnings.filter(({ code }) => code === 'mem0_telemetry_on')).toHaveLength(times);
    },
  );

  it('is not told of when the client is none of mem0ai', async () => {
    const { agent, warnings } = agentWith(client, undefined);
    await agent.run('One', { session: agent.createSession({ actorId: 'kim' }) });
    expect(warnings).toEqual([]);
  });

  it.each([
    [undefined, undefined, 'false'],
    [undefined, 'no', 'false'],
    [undefined, 'FALSE', 'false'],
    [undefined, 'true', 'true'],
    [true, 'false', 'true'],
    [false, 'true', 'false'],
  ])('is settled by the option %s, then by the variable %s', async (telemetry, value, settled) => {
    vi.stubEnv('MEM0_TELEMETRY', value);
    await using platform = await startMem0Wire({ apiKey });
    const made = await createMem0PlatformClient({
      apiKey,
      host: platform.host,
      ...(telemetry === undefined ? {} : { telemetry }),
    });
    await made.ping();
    expect(process.env['MEM0_TELEMETRY']).toBe(settled);
  });
});

function agentWith(source: Mem0ClientSource, variable: string | undefined) {
  vi.stubEnv('MEM0_TELEMETRY', variable);
  const model = new RecordingChatClient();
  const warnings: Warning[] = [];
  const agent = new Agent({
    chatClient: model,
    contextProviders: [new Mem0ContextProvider({ client: source })],
    onDiagnostic: (warning) => warnings.push(warning),
  });
  return { model, agent, warnings };
}

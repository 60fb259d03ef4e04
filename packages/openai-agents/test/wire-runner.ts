import { type OpenAIWireServer, startOpenAIWire } from '@minne/openai-wire';
import { OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/** The API that the models are asked through. */
export type Api = 'responses' | 'chat completions';

/** A server on this machine and a runner that asks it, without any tracing. */
export interface WireRunner {
  readonly server: OpenAIWireServer;
  readonly runner: Runner;
  /** What the service refused. */
  refusals(): readonly unknown[];
}

/** Starts a server for one test. */
export async function startRunner(api: Api = 'responses'): Promise<WireRunner> {
  const server = await startOpenAIWire({ apiKey: 'key' });
  onTestFinished(() => server.close());
  return {
    server,
    runner: runnerFor(server.baseUrl, api),
    refusals: () => server.requests.flatMap(({ refusal }) => refusal ?? []),
  };
}

/** A runner whose models are asked at `baseURL` and nowhere else. */
export function runnerFor(baseURL: string, api: Api = 'responses'): Runner {
  setTracingDisabled(true);
  const openAIClient = new OpenAI({ baseURL, apiKey: 'key', maxRetries: 0 });
  return new Runner({
    modelProvider: new OpenAIProvider({ openAIClient, useResponses: api === 'responses' }),
    tracingDisabled: true,
    model: 'gpt-4.1-mini',
  });
}

/** Adds two numbers. */
export const add = tool({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => String(a + b),
});
